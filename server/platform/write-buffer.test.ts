import { expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { openWriteBuffer } from '#server/platform/write-buffer.ts'

const refused = (code: string) => Object.assign(new Error('cannot'), { code })

/** Writes into an array. `fails` returns the error of a write, or null. */
function writer(fails: (items: number[]) => Error | null, maxWaiting = 100) {
  const [written, lost]: [number[], number[]] = [[], []]
  const write = async (items: number[]) => {
    const error = fails(items)
    if (error) throw error
    written.push(...items)
  }
  const gathered = openWriteBuffer<number>({
    waitMs: 5,
    batch: 4,
    most: maxWaiting,
    write,
    onError: (_error, item) => lost.push(item),
  })
  return { ...gathered, written, lost }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test.each([refused('25006'), refused('57P01'), new Refusal('unavailable')])(
  'writes that failed without a database (%s) are written in order when it is back, up to the limit',
  async (error) => {
    let away = true
    const { add, flush, written, lost } = writer(() => (away ? error : null), 6)
    for (const each of numbers(9)) add(each)
    await flush()
    expect(written).toEqual([])
    away = false
    await expect.poll(() => written).toEqual(numbers(6))
    expect(lost).toEqual([])
  },
)

test('an item that cannot be written affects no others, and is not retried', async () => {
  const { add, flush, written, lost } = writer((items) => (items.includes(2) ? refused('23503') : null))
  for (const each of numbers(9)) add(each)
  await flush()
  expect(written).toEqual(numbers(9).filter((each) => each !== 2))
  expect(lost).toEqual([2])
})

test('an item whose row is locked waits, and the others do not', async () => {
  let isLocked = true
  const { add, flush, written, lost } = writer((items) => (isLocked && items.includes(2) ? refused('55P03') : null))
  for (const each of numbers(4)) add(each)
  await flush()
  expect(written).toEqual([0, 1, 3])
  isLocked = false
  await expect.poll(() => written).toEqual([0, 1, 3, 2])
  expect(lost).toEqual([])
})

test('writes with one key are combined into one item, for any number of updates and failures', async () => {
  let away = true
  const written: [string, number][] = []
  const { add, flush, waiting } = openWriteBuffer<[string, number]>({
    waitMs: 5,
    batch: 1,
    most: 2,
    keyOf: ([key]) => key,
    merge: ([key, earlier], [, later]) => [key, earlier + later],
    write: async (items) => {
      if (away) throw refused('57P01')
      written.push(...items)
    },
    onError: (error) => expect.unreachable(String(error)),
  })
  for (const key of ['a', 'b', 'a', 'c']) add([key, 1])
  await flush()
  // The third key exceeds the limit.
  for (const key of ['a', 'c', 'b']) add([key, 1])
  expect(waiting('a')).toEqual(['a', 3])
  away = false
  await flush()
  expect(written).toEqual([
    ['a', 3],
    ['b', 2],
  ])
})
