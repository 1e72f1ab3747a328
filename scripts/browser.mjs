// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The headless shell comes first, because it runs a little faster than the others in headless mode. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'chrome',
]
const MAC_APPS = ['Google Chrome', 'Chromium', 'Microsoft Edge']

/**
 * Returns the path of the machine's own Chrome, Chromium or Edge: the browser in CHROME_PATH, or else the first that is found
 * and runs. Returns null if there is none, or if the browser in CHROME_PATH does not run.
 */
export function findBrowser() {
  const named = process.env['CHROME_PATH']
  if (named) return runs(named) ? named : null
  const dirs = (process.env['PATH'] ?? '').split(delimiter)
  const places = [
    ...NAMES.flatMap((name) => dirs.map((dir) => join(dir, name))),
    ...MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`),
  ]
  return places.find((path) => existsSync(path) && runs(path)) ?? null
}

/**
 * Returns whether the browser starts. Some systems install a placeholder that only prints how to install the real browser.
 * @param {string} path
 */
function runs(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}

/**
 * The features that Playwright switches off. A browser uses only the last list of such features among its arguments, so this
 * list repeats Playwright's. scripts/browser.test.ts compares the two lists.
 */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/**
 * Two pages that a browser with windows prepares for the address bar of each window, in a process of their own. No test sees
 * them, and they use more processor time than our own page.
 */
const WINDOW_PARTS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/**
 * A page with the header Cross-Origin-Opener-Policy, as ours have (server/platform/http), moves from the process of the empty
 * page to a new one. Our pages open no windows, so a journey would start two processes for nothing.
 */
const SECOND_PROCESS = ['CrossOriginOpenerPolicy']

/** Switches off the compilers for hot code. A test's page is open for a few seconds, in which their work does not pay off. */
const HOT_CODE = '--no-maglev --no-turbofan'

/**
 * Arguments for the browsers of the tests. They switch off features that cost the tests time and have no effect on their
 * results.
 */
export const WITHOUT_EXTRAS = [
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...WINDOW_PARTS, ...SECOND_PROCESS].join(',')}`,
  `--js-flags=${HOT_CODE}`,
]

/**
 * Arguments for the browsers of the tests and of bench/pages. Among other things, they stop the requests that a browser sends
 * on its own, for example for updates.
 */
export const QUIET_BROWSER = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
