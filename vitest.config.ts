import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,server,web,scripts}/**/*.test.{ts,tsx}'],
    globalSetup: ['server/test/cluster.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
