// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** First the one without windows, which is a little faster than the others, even as they are started here. */
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
 * The machine's own Chrome, Chromium or Edge: the one that CHROME_PATH names, else the first that is found and runs.
 * Null where there is none.
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
 * Some systems put a program there that only says how to install the real one.
 * @param {string} path
 */
function runs(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}

/** What Playwright switches off (scripts/browser.test.ts holds it to that): a browser takes only the last such list. */
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
 * Two pages that a browser with windows keeps ready behind the address bar of each, in a process of their own. Nobody
 * sees them here, and they cost more of the processor than our own page does.
 */
const WINDOW_PARTS = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup']

/**
 * A page that no other may hold a window of (our own say so, server/platform/http) is given a process of its own in place
 * of the one that began with an empty page. Our pages open no windows, and a journey would pay for two processes.
 */
const SECOND_PROCESS = ['CrossOriginOpenerPolicy']

/** Compilers for code that runs hot: a page that is open for some seconds pays for them and gets little of it. */
const HOT_CODE = '--no-maglev --no-turbofan'

/** Arguments for any of these browsers, for what costs the journeys much and shows them nothing. */
export const WITHOUT_EXTRAS = [
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...WINDOW_PARTS, ...SECOND_PROCESS].join(',')}`,
  `--js-flags=${HOT_CODE}`,
]

/** How the project starts any of these browsers: nothing in it asks anybody but the page's own server. */
export const QUIET_BROWSER = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
