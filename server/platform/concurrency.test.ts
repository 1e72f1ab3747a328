import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { isOverload, limitConcurrency } from '#server/platform/concurrency.ts'

afterEach(() => void vi.useRealTimers())

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

const IMPATIENT = { running: 1, waiting: 2, runningPerKey: 1, waitingPerKey: 10, patienceMs: 100 }

test('what waits too long is refused without having been begun, and keeps its place until its turn', async () => {
  const limit = limitConcurrency(IMPATIENT)
  const { begun, work, names } = works()
  const first = limit('a', work('a'))
  const late = [limit('b', work('b')), limit('a', work('a again'))]
  for (const refused of await Promise.allSettled(late))
    expect(refused).toMatchObject({ reason: { code: 'unavailable' } })
  expect([limit.load('a'), limit.load('b')]).toEqual([2, 1])
  begun[0]?.done()
  expect(await first).toBe('a')
  await turn()
  expect([limit.load('a'), limit.load('b')]).toEqual([0, 0])
  expect(names()).toEqual(['a'])
  expect(await limit('b', async () => 'as before')).toBe('as before')
})

test('once something has waited half of that, what comes is refused at once, though there is room', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const limit = limitConcurrency({ ...IMPATIENT, patienceMs: 400 })
  const { begun, work } = works()
  const taken = [limit('a', work('a')), limit('b', work('b'))]
  await turn()
  vi.advanceTimersByTime(250)
  // Time stands still now, so a refusal that came later would never come.
  const refusal: unknown = await limit('c', work('c')).catch((error: unknown) => error)
  expect(isOverload(refusal)).toBe(true)
  begun[0]?.done()
  await turn()
  const welcome = limit('c', work('c'))
  begun[1]?.done()
  await turn()
  begun[2]?.done()
  expect(await Promise.all([...taken, welcome])).toEqual(['a', 'b', 'c'])
})

test('what would have to wait too long is refused at once, though nothing has waited for long yet', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  const limit = limitConcurrency({ running: 1, waiting: 100, runningPerKey: 1, waitingPerKey: 0, patienceMs: 1_000 })
  const { begun, work } = works()
  const results: Promise<string>[] = []
  const ask = () => results.push(limit(`${results.length}`, work('done')))
  ask()
  ask()
  // There is always one that waits, and a turn takes 100 ms.
  for (let count = 0; count < 200; count += 1) {
    ask()
    await turn()
    vi.advanceTimersByTime(100)
    begun.at(-1)?.done()
    await turn()
  }
  // Six wait then, and who comes would wait for longer than half a second.
  for (let count = 0; count < 5; count += 1) ask()
  await turn()
  await expect(limit('too late', work('done'))).rejects.toMatchObject({ code: 'unavailable' })
  for (let count = 0; count < 10; count += 1) {
    begun.at(-1)?.done()
    await turn()
  }
  expect(new Set(await Promise.all(results))).toEqual(new Set(['done']))
})

test('while something that matters more is under way, one begins at a time', async () => {
  const limit = limitConcurrency(OPTIONS)
  const { begun, work, names } = works()
  const goOn = [limit.stepBack(), limit.stepBack()]
  const results = ['a', 'b', 'c'].map((name) => limit(name, work(name)))
  await turn()
  expect(names()).toEqual(['a'])
  goOn[0]?.()
  await turn()
  expect(names()).toEqual(['a'])
  goOn[1]?.()
  await turn()
  expect(names()).toEqual(['a', 'b'])
  begun[0]?.done()
  await turn()
  for (const { done } of begun) done()
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c'])
})

test('what nobody waits for any more is not begun', async () => {
  const limit = limitConcurrency(IMPATIENT)
  const { begun, work, names } = works()
  let isWanted = true
  const [first, left] = [limit('a', work('a')), limit('b', work('b'), () => isWanted)]
  isWanted = false
  begun[0]?.done()
  await turn()
  begun[0]?.done()
  expect(await first).toBe('a')
  await expect(left).rejects.toMatchObject({ code: 'unavailable' })
  expect([names(), limit.load('b')]).toEqual([['a'], 0])
})
