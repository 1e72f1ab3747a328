import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { isOverload, limitConcurrency } from '#server/platform/concurrency.ts'

afterEach(() => void vi.useRealTimers())

/** Work that the test ends itself. */
function recordWork() {
  const started: { name: string; done: () => void }[] = []
  const work = (name: string) => () =>
    new Promise<string>((resolve) => started.push({ name, done: () => resolve(name) }))
  return { started, work, names: () => started.map(({ name }) => name) }
}

const OPTIONS = { running: 2, waiting: 10, runningPerKey: 2, waitingPerKey: 10 }

test('a limited number of tasks runs at a time, and the others wait in order', async () => {
  const limit = limitConcurrency(OPTIONS)
  const { started, work, names } = recordWork()
  const results = ['a', 'b', 'c', 'd'].map((name) => limit(name, work(name)))
  await turn()
  expect(names()).toEqual(['a', 'b'])
  started[0]?.done()
  expect(await results[0]).toBe('a')
  await turn()
  expect(names()).toEqual(['a', 'b', 'c'])
})

test('a hundred requests of one key do not delay another key', async () => {
  const limit = limitConcurrency({ running: 2, waiting: 200, runningPerKey: 1, waitingPerKey: 100 })
  const { started, work, names } = recordWork()
  const manyResults = Array.from({ length: 100 }, (_, index) => limit('many', work(`many ${index}`)))
  const oneResult = limit('one', work('one'))
  await turn()
  expect(names()).toEqual(['many 0', 'one'])
  started[1]?.done()
  expect(await oneResult).toBe('one')
  for (let index = 0; index < started.length; index += 1) {
    started[index]?.done()
    await turn()
  }
  await Promise.all(manyResults)
  expect(started).toHaveLength(101)
})

test('too many requests of one key are refused, and so are too many in total', async () => {
  const limit = limitConcurrency({ running: 1, waiting: 3, runningPerKey: 1, waitingPerKey: 1 })
  const { started, work } = recordWork()
  const running = [limit('a', work('a')), limit('a', work('a'))]
  await expect(limit('a', work('a'))).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 })
  running.push(limit('b', work('b')), limit('c', work('c')), limit('d', work('d')))
  await turn()
  await expect(limit('e', work('e'))).rejects.toMatchObject({ code: 'unavailable' })
  for (let index = 0; index < running.length; index += 1) {
    started[index]?.done()
    await turn()
  }
  await Promise.all(running)
  expect(await limit('a', async () => 'as before')).toBe('as before')
  expect(limit.load('a')).toBe(0)
})

test('a failed task lets the next one begin', async () => {
  const limit = limitConcurrency({ ...OPTIONS, running: 1, runningPerKey: 1 })
  const failure = limit('a', () => Promise.reject(new Error('no')))
  const next = limit('a', async () => 'yes')
  await expect(failure).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

const IMPATIENT = { running: 1, waiting: 2, runningPerKey: 1, waitingPerKey: 10, patienceMs: 100 }

test('a request that waits too long is refused without having begun, and keeps its place until its turn', async () => {
  const limit = limitConcurrency(IMPATIENT)
  const { started, work, names } = recordWork()
  const first = limit('a', work('a'))
  const lateRequests = [limit('b', work('b')), limit('a', work('a again'))]
  for (const refused of await Promise.allSettled(lateRequests))
    expect(refused).toMatchObject({ reason: { code: 'unavailable' } })
  expect([limit.load('a'), limit.load('b')]).toEqual([2, 1])
  started[0]?.done()
  expect(await first).toBe('a')
  await turn()
  expect([limit.load('a'), limit.load('b')]).toEqual([0, 0])
  expect(names()).toEqual(['a'])
  expect(await limit('b', async () => 'as before')).toBe('as before')
})

test('after a wait of half the limit, new requests are refused at once, even if there is room', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const limit = limitConcurrency({ ...IMPATIENT, patienceMs: 400 })
  const { started, work } = recordWork()
  const running = [limit('a', work('a')), limit('b', work('b'))]
  await turn()
  vi.advanceTimersByTime(250)
  // Fake time is stopped now, so a delayed refusal would never arrive.
  const refusal: unknown = await limit('c', work('c')).catch((error: unknown) => error)
  expect(isOverload(refusal)).toBe(true)
  started[0]?.done()
  await turn()
  const lastResult = limit('c', work('c'))
  started[1]?.done()
  await turn()
  started[2]?.done()
  expect(await Promise.all([...running, lastResult])).toEqual(['a', 'b', 'c'])
})

test('a request with too long an expected wait is refused at once, even if none has waited long yet', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const limit = limitConcurrency({ running: 1, waiting: 100, runningPerKey: 1, waitingPerKey: 0, patienceMs: 1_000 })
  const { started, work } = recordWork()
  const results: Promise<string>[] = []
  const ask = () => results.push(limit(`${results.length}`, work('done')))
  ask()
  ask()
  // One request always waits, and each turn takes 100 ms.
  for (let count = 0; count < 200; count += 1) {
    ask()
    await turn()
    vi.advanceTimersByTime(100)
    started.at(-1)?.done()
    await turn()
  }
  // After these five, six requests wait. A further request would wait for longer than half a second.
  for (let count = 0; count < 5; count += 1) ask()
  await turn()
  await expect(limit('too late', work('done'))).rejects.toMatchObject({ code: 'unavailable' })
  for (let count = 0; count < 10; count += 1) {
    started.at(-1)?.done()
    await turn()
  }
  expect(new Set(await Promise.all(results))).toEqual(new Set(['done']))
})

test('while more important work runs, tasks begin one at a time', async () => {
  const limit = limitConcurrency(OPTIONS)
  const { started, work, names } = recordWork()
  const resumers = [limit.stepBack(), limit.stepBack()]
  const results = ['a', 'b', 'c'].map((name) => limit(name, work(name)))
  await turn()
  expect(names()).toEqual(['a'])
  resumers[0]?.()
  await turn()
  expect(names()).toEqual(['a'])
  resumers[1]?.()
  await turn()
  expect(names()).toEqual(['a', 'b'])
  started[0]?.done()
  await turn()
  for (const { done } of started) done()
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c'])
})

test('abandoned requests are not begun', async () => {
  const limit = limitConcurrency(IMPATIENT)
  const { started, work, names } = recordWork()
  let isWanted = true
  const [firstResult, unwantedResult] = [limit('a', work('a')), limit('b', work('b'), () => isWanted)]
  isWanted = false
  started[0]?.done()
  await turn()
  started[0]?.done()
  expect(await firstResult).toBe('a')
  await expect(unwantedResult).rejects.toMatchObject({ code: 'unavailable' })
  expect([names(), limit.load('b')]).toEqual([['a'], 0])
})
