import { expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { createQueryClient } from '#web/app/query-client.ts'
import { retry } from '#web/lib/retry.ts'

/** How often a request goes out that gets no response. */
async function tries(options: { retry?: typeof retry; retryDelay?: number }): Promise<number> {
  const queries = createQueryClient()
  let times = 0
  const mutationFn = async () => {
    times += 1
    throw new Refusal('unreachable')
  }
  await queries
    .getMutationCache()
    .build(queries, queries.defaultMutationOptions({ mutationFn, ...options }))
    .execute(undefined)
    .catch(() => undefined)
  return times
}

test('what changes something goes out once: nobody knows whether it was done', async () => {
  expect(await tries({})).toBe(1)
})

test('what carries a key goes out again, three times at most', async () => {
  expect(await tries({ retry, retryDelay: 1 })).toBe(4)
})

test('what was understood and refused does not', () => {
  expect(retry(0, new Refusal('insufficient_funds'))).toBe(false)
  expect(retry(0, new Refusal('too_many_requests'))).toBe(false)
  expect(retry(0, new Refusal('unavailable'))).toBe(true)
})
