import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSampleCustomer } from '#server/sample/story.ts'
import { testDeps, type TestDeps } from '#server/test/bank.ts'

let bank: TestDeps

beforeAll(async () => {
  bank = await testDeps()
})
afterAll(() => bank.close())

test('twenty visitors at once each have their story within a quarter of a second', async () => {
  await openSampleCustomer(bank.deps)
  const start = performance.now()
  const customers = await Promise.all(Array.from({ length: 20 }, () => openSampleCustomer(bank.deps)))
  // Less than half of it on quiet cores: only what grows by a factor is caught by the clock.
  expect((performance.now() - start) / customers.length).toBeLessThan(250)
})
