import { expect, test } from 'vitest'
import { takeTurns } from '#server/identity/passwords/turns.ts'

/** Pieces of work that are done when the test says so. */
function pieces() {
  const begun: { index: number; done: () => void }[] = []
  const piece = (index: number) => () =>
    new Promise<number>((resolve) => begun.push({ index, done: () => resolve(index) }))
  return { begun, piece }
}

test('so many are done at a time, so many wait in order, and the next is refused', async () => {
  const inTurn = takeTurns({ parallel: 2, waiting: 3 })
  const { begun, piece } = pieces()
  const results = [0, 1, 2, 3, 4].map((index) => inTurn(piece(index)))
  await expect(inTurn(piece(5))).rejects.toMatchObject({ code: 'unavailable' })
  for (const index of [0, 1, 2, 3, 4]) {
    await expect.poll(() => begun.length).toBe(Math.min(index + 2, 5))
    begun[index]?.done()
    expect(await results[index]).toBe(index)
  }
  expect(begun.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4])
  expect(await inTurn(async () => 'as before')).toBe('as before')
})

test('work that fails lets the next one begin', async () => {
  const inTurn = takeTurns({ parallel: 1, waiting: 1 })
  const failing = inTurn(() => Promise.reject(new Error('no')))
  const next = inTurn(async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
