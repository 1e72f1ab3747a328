import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { texts } from './locales/vite.ts'

/**
 * Tests that hold the machine to a time or an amount of memory. They run after the others and one after the other:
 * beside something else they would fail at random, or have to allow so much that they say nothing.
 */
const ALONE = [
  'server/faults/black-hole.test.ts',
  'server/faults/crash.test.ts',
  'server/faults/start.test.ts',
  'server/identity/no-telling.test.ts',
  'server/kyc/documents/render-image.test.ts',
  'server/kyc/documents/renderer.test.ts',
  'server/sample/story.test.ts',
]

const limits = { testTimeout: 20_000, hookTimeout: 30_000 }

export default defineConfig({
  test: {
    // One PostgreSQL for all of them.
    globalSetup: ['server/test/cluster.ts'],
    projects: [
      {
        plugins: [texts()],
        test: {
          name: 'together',
          setupFiles: ['web/i18n/in-english.ts'],
          include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
          exclude: [...configDefaults.exclude, ...ALONE],
          // More than processors: a test waits while PostgreSQL works for it.
          maxWorkers: availableParallelism() + 1,
          ...limits,
        },
      },
      { test: { name: 'alone', include: ALONE, maxWorkers: 1, sequence: { groupOrder: 1 }, ...limits } },
    ],
  },
})
