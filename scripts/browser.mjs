import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** First the one without windows: it does what the journeys need in half the time of the others. */
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
  const named = process.env.CHROME_PATH
  if (named) return runs(named) ? named : null
  const dirs = (process.env.PATH ?? '').split(delimiter)
  const places = [
    ...NAMES.flatMap((name) => dirs.map((dir) => join(dir, name))),
    ...MAC_APPS.map((app) => `/Applications/${app}.app/Contents/MacOS/${app}`),
  ]
  return places.find((path) => existsSync(path) && runs(path)) ?? null
}

/** Some systems put a program there that only says how to install the real one. */
function runs(path) {
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
