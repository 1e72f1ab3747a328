import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { limitConcurrency } from '#server/platform/concurrency.ts'

/** Work that is done when the test says so. */
function works() {
  const begun: { name: string; done: () => void }[] = []
  const work = (name: string) => () => new Promise<string>((resolve) => begun.push({ name, done: () => resolve(name) }))
  return { begun, work, names: () => begun.map(({ name }) => name) }
}

const OPTIONS = { running: 2, waiting: 10, runningPerKey: 2, waitingPerKey: 10 }

test('so much is done at a time, and the rest in the order it was asked', async () => {
  const limit = limitConcurrency(OPTIONS)
  const { begun, work, names } = works()
  const results = ['a', 'b', 'c', 'd'].map((name) => limit(name, work(name)))
  await turn()
  expect(names()).toEqual(['a', 'b'])
  begun[0]?.done()
  expect(await results[0]).toBe('a')
  await turn()
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('a hundred requests of one key do not keep another key waiting', async () => {
  const limit = limitConcurrency({ running: 2, waiting: 200, runningPerKey: 1, waitingPerKey: 100 })
  const { begun, work, names } = works()
  const many = Array.from({ length: 100 }, (_, index) => limit('many', work(`many ${index}`)))
  const one = limit('one', work('one'))
  await turn()
  expect(names()).toEqual(['many 0', 'one'])
  begun[1]?.done()
  expect(await one).toBe('one')
  for (let index = 0; index < begun.length; index += 1) {
    begun[index]?.done()
    await turn()
  }
  await Promise.all(many)
  expect(begun).toHaveLength(101)
})

test('what one key has too many of is refused, and so is what all together have', async () => {
  const limit = limitConcurrency({ running: 1, waiting: 3, runningPerKey: 1, waitingPerKey: 1 })
  const { begun, work } = works()
  const taken = [limit('a', work('a')), limit('a', work('a'))]
  await expect(limit('a', work('a'))).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 })
  taken.push(limit('b', work('b')), limit('c', work('c')), limit('d', work('d')))
  await turn()
  await expect(limit('e', work('e'))).rejects.toMatchObject({ code: 'unavailable' })
  for (let index = 0; index < taken.length; index += 1) {
    begun[index]?.done()
    await turn()
  }
  await Promise.all(taken)
  expect(await limit('a', async () => 'as before')).toBe('as before')
  expect(limit.load('a')).toBe(0)
})

test('work that fails lets the next begin', async () => {
  const limit = limitConcurrency({ ...OPTIONS, running: 1, runningPerKey: 1 })
  const failing = limit('a', () => Promise.reject(new Error('no')))
  const next = limit('a', async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
