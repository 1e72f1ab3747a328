import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterPayments, settleAmong, settleUp, type Standing } from '#server/bills/settle-up.ts'

const standing = (balances: readonly number[]): Standing[] =>
  balances.map((balanceMinor, index) => ({ id: `${index}`, balanceMinor }))

function after(standings: readonly Standing[], payments: ReturnType<typeof settleUp>): number[] {
  return standings.map(({ id, balanceMinor }) =>
    payments.reduce(
      (sum, { fromId, toId, amountMinor }) => sum + (fromId === id ? amountMinor : 0) - (toId === id ? amountMinor : 0),
      balanceMinor,
    ),
  )
}

/** The fewest payments by trying everything: whoever stands first settles with each of the others in turn. */
function fewest([first, ...others]: readonly number[]): number {
  if (first === undefined) return 0
  if (first === 0) return fewest(others)
  const tries = others.map((other, index) =>
    Math.sign(other) === -Math.sign(first) ? 1 + fewest(others.with(index, other + first)) : Number.POSITIVE_INFINITY,
  )
  return Math.min(...tries)
}

const balances = (most: number) =>
  fc
    .array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: most - 1 })
    .map((some) => [...some, -some.reduce((sum, one) => sum + one, 0)])

test('everybody is at zero afterwards, and nobody pays who is owed', () => {
  fc.assert(
    fc.property(balances(16), (some) => {
      const standings = standing(some)
      const payments = settleUp(standings)
      expect(after(standings, payments).every((left) => left === 0)).toBe(true)
      for (const { fromId, toId, amountMinor } of payments) {
        expect(amountMinor).toBeGreaterThan(0)
        expect(some[Number(fromId)]).toBeLessThan(0)
        expect(some[Number(toId)]).toBeGreaterThan(0)
      }
    }),
  )
})

test('of some of the people, nobody is left to pay another', () => {
  fc.assert(
    fc.property(balances(16), fc.integer({ min: 0, max: 16 }), (some, here) => {
      const standings = standing(some)
      const payments = settleAmong(standings, (id) => Number(id) < here)
      for (const { fromId, toId } of payments) expect(Math.max(Number(fromId), Number(toId))).toBeLessThan(here)
      const left = afterPayments(standings, payments).slice(0, here)
      expect(new Set(left.map(({ balanceMinor }) => Math.sign(balanceMinor)).filter(Boolean)).size).toBeLessThan(2)
      expect(afterPayments(standings, payments).slice(here)).toEqual(standings.slice(here))
    }),
  )
})

test('there are as few payments as there can be', () => {
  fc.assert(
    fc.property(balances(7), (some) => {
      expect(settleUp(standing(some))).toHaveLength(fewest(some))
    }),
  )
})

test('two circles are settled each by itself, where the largest first would take a payment more', () => {
  expect(settleUp(standing([5, 4, -3, -2, -4]))).toHaveLength(3)
  expect(settleUp(standing([]))).toEqual([])
})

test('more people than a group has at a time are settled soon, if not by the fewest payments', () => {
  const open = Array.from({ length: 40 }, (_, index) => ({ id: String(index), balanceMinor: index % 2 ? 1_00 : -1_00 }))
  const started = performance.now()
  expect(settleUp(open)).toHaveLength(20)
  expect(performance.now() - started).toBeLessThan(1_000)
})
