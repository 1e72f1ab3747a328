import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { findBrowser, QUIET_BROWSER, WITHOUT_EXTRAS } from './scripts/browser.mjs'
import { ALL } from './scripts/strength.ts'

/** Playwright reads this file once more in each worker, which inherits what the first reading put here. */
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

/** A density of one: at two, four times as many pixels are drawn and nothing else is different. */
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1, isMobile: true, hasTouch: true }

/** What a release is walked through, and no single change. */
const ALL_ALONE = 'all/*.spec.ts'

const LIVE = ['live.spec.ts', 'review.spec.ts', 'closure.spec.ts']

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  // More than processors: much of a journey is waiting, for the spec's own delays among other things.
  workers: 4,
  // A journey takes some ten seconds; on a machine half as fast, and busy, several times as long.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    // The port is read from the line that the bank prints when it is open (see webServer).
    baseURL: `http://localhost:${process.env['ALDER_PORT']}`,
    locale: 'en-US',
    // Where the bank's days are those of.
    timezoneId: 'America/New_York',
    // Each visitor's browser would install it anew, which costs more than the page itself. Journeys about it allow it.
    serviceWorkers: 'block',
    // Animations are drawn by the processor here. Journeys about motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [...QUIET_BROWSER, ...WITHOUT_EXTRAS],
    },
  },
  projects: [
    // One worker, so that they share one live bank; first, because they are long.
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
