import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import { testDeps, type TestDeps } from '#server/test/bank.ts'

let bank: TestDeps

beforeAll(async () => {
  bank = await testDeps()
})
afterAll(() => bank.close())

test('each of twenty simultaneous visitors gets the sample history within a quarter of a second', async () => {
  await openSampleCustomer(bank.deps)
  const start = performance.now()
  const customers = await Promise.all(Array.from({ length: 20 }, () => openSampleCustomer(bank.deps)))
  // The limit is more than twice the time on idle cores, so that the test detects only growth by a factor.
  expect((performance.now() - start) / customers.length).toBeLessThan(250)
})
