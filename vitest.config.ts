import { availableParallelism } from 'node:os'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'
import { translationPlugins } from './locales/vite-plugin.ts'
import { findBrowser, QUIET_BROWSER, WITHOUT_EXTRAS } from './scripts/browser.mjs'
import { ALL } from './scripts/test-effort.ts'
import type { HttpExchange } from './server/test/recorded-bank.ts'

/**
 * Tests of faults, load and attacks. They kill whole processes and limit time and memory. `npm run test:all` runs them one at a
 * time: in parallel with other tests they would fail at random, or their limits would be too wide to prove anything.
 */
const FAULTS = 'server/faults/**/*.test.ts'

/** This test replaces a module for its whole thread, so it has a thread of its own, as the tests of the web app do. */
const REPLACES_MODULES = 'server/identity/sign-in/sign-in.test.ts'

/** These tests run in a browser with the size of a phone, against a fake bank (web/test/bank.ts). */
const COMPONENTS = 'web/**/*.component.test.tsx'

const browser = findBrowser()

/** Matches the addresses of the app's screens. Frames in tests get a page of the test instead: the app and the bank are missing. */
const isScreen = ({ pathname }: URL): boolean => /^\/[a-z-]+$/.test(pathname)

let isRecording = false
/** Loaded at the first request, because the server's tests do not need it. */
const recordedBank = () => {
  isRecording = true
  return import(new URL('server/test/recorded-bank.ts', import.meta.url).href)
}
const endRecordedBank: Plugin = {
  name: 'end-recorded-bank',
  buildEnd: async () => void (isRecording && (await (await recordedBank()).closeRecordedBank())),
}

/** The setup files fix the time zone, check that responses match the API document, and limit the number of SQL statements. */
const SETUP = ['server/test/zone.ts', 'server/test/document.ts', 'server/test/statements.ts']

/** One more than the number of processors, because a test waits while PostgreSQL works for it. */
const WORKERS = availableParallelism() + 1

/**
 * Wide limits: they still end a test that hangs, and a slow or busy machine fails no test. Tests that measure time have limits
 * of their own.
 */
const limits = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 20_000 } } }

// Screens show a time zone if the device's zone differs from the bank's.
process.env['TZ'] = 'UTC'

export default defineConfig({
  test: {
    // All tests share one PostgreSQL.
    globalSetup: ['server/test/cluster.ts'],
    projects: [
      {
        plugins: [translationPlugins()],
        test: {
          name: 'web',
          setupFiles: ['server/test/zone.ts', 'web/i18n/english-for-tests.ts'],
          include: ['web/**/*.test.{ts,tsx}', REPLACES_MODULES],
          exclude: [...configDefaults.exclude, COMPONENTS],
          // Each file has its own thread, which starts faster than a process.
          pool: 'threads',
          maxWorkers: WORKERS,
          ...limits,
        },
      },
      {
        test: {
          name: 'server',
          setupFiles: SETUP,
          include: ['{contract,locales,server,scripts}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, FAULTS, REPLACES_MODULES],
          // Loading the server again for each file would take longer than most of the tests.
          isolate: false,
          maxWorkers: WORKERS,
          ...limits,
        },
      },
      {
        plugins: [translationPlugins(), react(), tailwindcss(), endRecordedBank],
        // Vite prepares all dependencies before the first test. A dependency that it finds later would reload the page.
        optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.ts'] },
        test: {
          name: 'components',
          setupFiles: ['web/test/setup.ts'],
          include: [COMPONENTS],
          provide: { isFullRun: ALL },
          // All tests share one page, so that the app's modules load once.
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          browser: {
            enabled: true,
            headless: true,
            provider: playwright({
              launchOptions: {
                ...(browser ? { executablePath: browser } : {}),
                args: [...QUIET_BROWSER, ...WITHOUT_EXTRAS],
              },
              contextOptions: { reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC', hasTouch: true },
            }),
            instances: [{ browser: 'chromium', viewport: { width: 390, height: 844 } }],
            screenshotFailures: false,
            commands: {
              record: async (_, path: string) => (await recordedBank()).record(path),
              faultOf: async (_, exchange: HttpExchange) => (await recordedBank()).faultOf(exchange),
              preferColors: ({ page }, colorScheme: 'light' | 'dark') => page.emulateMedia({ colorScheme }),
              showInFrames: async ({ page }, body: string) => {
                await page.unroute(isScreen)
                await page.route(isScreen, (route) => route.fulfill({ contentType: 'text/html', body }))
              },
            },
          },
          ...limits,
        },
      },
      {
        test: {
          name: 'faults',
          setupFiles: SETUP,
          include: [FAULTS],
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          ...limits,
        },
      },
    ],
  },
})
