import { expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { openWriteLater } from '#server/platform/db/write-later.ts'

const refused = (code: string) => Object.assign(new Error('cannot'), { code })

/** Writes into an array; `fails` says why not. */
function writer(fails: (items: number[]) => Error | null, most = 100) {
  const [written, lost]: [number[], number[]] = [[], []]
  const write = async (items: number[]) => {
    const error = fails(items)
    if (error) throw error
    written.push(...items)
  }
  const later = openWriteLater<number>({
    gatherMs: 5,
    batch: 4,
    most,
    write,
    onLost: (_error, item) => lost.push(item),
  })
  return { ...later, written, lost }
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
