import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser, QUIET_BROWSER, WITHOUT_EXTRAS } from './scripts/browser.mjs'
import { ALL } from './scripts/test-effort.ts'

/** Playwright reads this file again in each worker. Workers inherit these variables from the first read. */
const DATA_DIR = 'ALDER_E2E_DIR'
const BROWSER = 'CHROME_PATH'

if (!process.env[DATA_DIR]) {
  const dir = mkdtempSync(join(tmpdir(), 'alder-e2e-'))
  process.env[DATA_DIR] = dir
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  const found = findBrowser()
  if (found) process.env[BROWSER] = found
}

const browser = process.env[BROWSER]

/** A density of one: at two, the browser draws four times as many pixels, and nothing else changes. */
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, isMobile: true, hasTouch: true }

/** Specs that run only for a release. */
const ALL_ALONE = 'all/*.spec.ts'

const LIVE = ['live-mode.spec.ts', 'review.spec.ts', 'closure.spec.ts']

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  // There may be more workers than processors, because a journey waits for much of its time, also for delays that the
  // specification requires.
  workers: 4,
  // A journey takes about ten seconds. On a slower, busy machine it takes several times as long.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    // The port comes from the line that the bank prints when it starts to serve (see webServer).
    baseURL: `http://localhost:${process.env['ALDER_PORT']}`,
    locale: 'en-US',
    // An action that never becomes possible fails before its journey's time is over, so that the error names the action.
    actionTimeout: 60_000,
    // The bank's time zone.
    timezoneId: 'America/New_York',
    // Each visitor's browser would install the service worker again, which takes longer than the page itself. Journeys about
    // the service worker allow it.
    serviceWorkers: 'block',
    // The processor draws animations here. Journeys about motion switch them on.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [...QUIET_BROWSER, ...WITHOUT_EXTRAS],
    },
  },
  projects: [
    // These specs share one live bank, so they have one worker. They take long, so they run first.
    { name: 'live', testMatch: LIVE, workers: 1, use: PHONE },
    { name: 'sample', testIgnore: ALL ? LIVE : [...LIVE, ALL_ALONE], use: PHONE },
  ],
  globalTeardown: './e2e/prove-books.ts',
  webServer: {
    command: 'node scripts/alder.mjs start',
    env: { PORT: '0', DATA_DIR: process.env[DATA_DIR] ?? '', LOG_LEVEL: 'error' },
    wait: { stdout: /Alder is open at http:\/\/localhost:(?<alder_port>\d+)/ },
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    timeout: 120_000,
  },
})
