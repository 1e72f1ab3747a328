import { expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { gather } from '#server/platform/gather.ts'

const refused = (code: string) => Object.assign(new Error('cannot'), { code })

/** Writes into an array; `fails` says why not. */
function writer(fails: (items: number[]) => Error | null, most = 100) {
  const [written, lost]: [number[], number[]] = [[], []]
  const write = async (items: number[]) => {
    const error = fails(items)
    if (error) throw error
    written.push(...items)
  }
  const gathered = gather<number>({ waitMs: 5, batch: 4, most, write, onError: (_error, item) => lost.push(item) })
  return { ...gathered, written, lost }
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

test.each([refused('25006'), refused('57P01'), new Refusal('unavailable')])(
  'what could not be written for want of a database (%s) is written in order once it is back, and no more than may wait',
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

test('one that cannot be written keeps none of the others, and is not tried again', async () => {
  const { add, flush, written, lost } = writer((items) => (items.includes(2) ? refused('23503') : null))
  for (const each of numbers(9)) add(each)
  await flush()
  expect(written).toEqual(numbers(9).filter((each) => each !== 2))
  expect(lost).toEqual([2])
})

test('one whose row somebody holds waits, and the others do not', async () => {
  let held = true
  const { add, flush, written, lost } = writer((items) => (held && items.includes(2) ? refused('55P03') : null))
  for (const each of numbers(4)) add(each)
  await flush()
  expect(written).toEqual([0, 1, 3])
  held = false
  await expect.poll(() => written).toEqual([0, 1, 3, 2])
  expect(lost).toEqual([])
})

test('what comes under one key is written once, as one item, however often it comes and fails', async () => {
  let away = true
  const written: [string, number][] = []
  const { add, flush, waiting } = gather<[string, number]>({
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
  // One of three keys is too many.
  for (const key of ['a', 'c', 'b']) add([key, 1])
  expect(waiting('a')).toEqual(['a', 3])
  away = false
  await flush()
  expect(written).toEqual([
    ['a', 3],
    ['b', 2],
  ])
})
