import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { texts } from './locales/vite.ts'

/**
 * Tests that hold the machine to a time or an amount of memory. They run after the others and one after the other:
 * beside something else they would fail at random, or have to allow so much that they say nothing.
 */
const ALONE = [
  'server/faults/black-hole.test.ts',
  'server/faults/memory.test.ts',
  'server/faults/start.test.ts',
  'server/identity/no-telling.test.ts',
  'server/kyc/documents/render-image.test.ts',
  'server/kyc/documents/renderer.test.ts',
  'server/sample/story.test.ts',
]

/** This one replaces a module for its whole thread, so it has one to itself, as those of the web app have. */
const REPLACES_MODULES = 'server/identity/sign-in/sign-in.test.ts'

/** More than processors: a test waits while PostgreSQL works for it. */
const WORKERS = availableParallelism() + 1

/**
 * What hangs is found all the same, and a machine that is slow or busy fails no test: many of them watch a clock. What
 * passes when it is tried again is named at the end of the run, as a journey is (scripts/test.mjs).
 */
const limits = { testTimeout: 180_000, hookTimeout: 180_000, retry: 2, expect: { poll: { timeout: 20_000 } } }

export default defineConfig({
  test: {
    // One PostgreSQL for all of them.
    globalSetup: ['server/test/cluster.ts'],
    projects: [
      {
        plugins: [texts()],
        test: {
          name: 'web',
          setupFiles: ['web/i18n/in-english.ts'],
          include: ['web/**/*.test.{ts,tsx}', REPLACES_MODULES],
          // Each file has a thread to itself, which begins sooner than a process.
          pool: 'threads',
          maxWorkers: WORKERS,
          ...limits,
        },
      },
      {
        test: {
          name: 'server',
          include: ['{contract,locales,server,scripts}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ALONE, REPLACES_MODULES],
          // Loading the server for each file anew would take longer than many of them.
          isolate: false,
          maxWorkers: WORKERS,
          ...limits,
        },
      },
      { test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 }, ...limits } },
    ],
  },
})
