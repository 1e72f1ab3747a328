import { availableParallelism } from 'node:os'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { configDefaults, defineConfig } from 'vitest/config'
import { texts } from './locales/vite.ts'
import { findBrowser, QUIET_BROWSER, WITHOUT_EXTRAS } from './scripts/browser.mjs'
import { ALL } from './scripts/strength.ts'
import type { Exchange } from './server/test/recorded-bank.ts'

/**
 * Tests of faults, load and attacks: whole processes that are killed, and limits of time and memory. `npm run test:all` runs
 * them, one after the other: beside something else they would fail at random, or have to allow so much that they say nothing.
 */
const FAULTS = 'server/faults/**/*.test.ts'

/** This one replaces a module for its whole thread, so it has one to itself, as those of the web app have. */
const REPLACES_MODULES = 'server/identity/sign-in/sign-in.test.ts'

/** They run in a browser, on the screen of a phone, against a fake bank (web/test/bank.ts). */
const COMPONENTS = 'web/**/*.component.test.tsx'

const browser = findBrowser()

/** The addresses of the app's screens: in a frame of a test there is no app, and no bank. */
const isScreen = ({ pathname }: URL): boolean => /^\/[a-z-]+$/.test(pathname)

let isRecording = false
/** Loaded with the first test that asks: the tests of the server do without. */
const recordedBank = () => {
  isRecording = true
  return import(new URL('server/test/recorded-bank.ts', import.meta.url).href)
}
const endRecordedBank: Plugin = {
  name: 'end-recorded-bank',
  buildEnd: async () => void (isRecording && (await (await recordedBank()).closeRecordedBank())),
}

/** Whose days are kept, that what servers answer is held to the API document, and that statements stay few. */
const SETUP = ['server/test/zone.ts', 'server/test/document.ts', 'server/test/statements.ts']

/** More than processors: a test waits while PostgreSQL works for it. */
const WORKERS = availableParallelism() + 1

/** What hangs is found all the same, and a machine that is slow or busy fails no test: many of them watch a clock. */
const limits = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 20_000 } } }

// Screens say a time zone where the device has another than the bank.
process.env['TZ'] = 'UTC'

export default defineConfig({
  test: {
    // One PostgreSQL for all of them.
    globalSetup: ['server/test/cluster.ts'],
    projects: [
      {
        plugins: [texts()],
        test: {
          name: 'web',
          setupFiles: ['server/test/zone.ts', 'web/i18n/in-english.ts'],
          include: ['web/**/*.test.{ts,tsx}', REPLACES_MODULES],
          exclude: [...configDefaults.exclude, COMPONENTS],
          // Each file has a thread to itself, which begins sooner than a process.
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
          // Loading the server for each file anew would take longer than many of them.
          isolate: false,
          maxWorkers: WORKERS,
          ...limits,
        },
      },
      {
        plugins: [texts(), react(), tailwindcss(), endRecordedBank],
        // All that the app needs is made ready before the first test: what is found later loads the page anew.
        optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!web/**/*.test.ts'] },
        test: {
          name: 'components',
          setupFiles: ['web/test/setup.ts'],
          include: [COMPONENTS],
          provide: { isAll: ALL },
          // One page for all of them: the modules of the app are loaded once.
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
              faultOf: async (_, exchange: Exchange) => (await recordedBank()).faultOf(exchange),
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
