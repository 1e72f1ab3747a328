import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterPayments, settleAmong, settleUp, type MemberBalance } from '#server/bills/settle-up.ts'

const balancesOf = (balances: readonly number[]): MemberBalance[] =>
  balances.map((balanceMinor, index) => ({ id: `${index}`, balanceMinor }))

function after(standings: readonly MemberBalance[], payments: ReturnType<typeof settleUp>): number[] {
  return standings.map(({ id, balanceMinor }) =>
    payments.reduce(
      (sum, { fromId, toId, amountMinor }) => sum + (fromId === id ? amountMinor : 0) - (toId === id ? amountMinor : 0),
      balanceMinor,
    ),
  )
}

/** Finds the fewest payments by brute force: the first person settles with each of the others in turn. */
function fewest([first, ...otherBalances]: readonly number[]): number {
  if (first === undefined) return 0
  if (first === 0) return fewest(otherBalances)
  const tries = otherBalances.map((other, index) =>
    Math.sign(other) === -Math.sign(first)
      ? 1 + fewest(otherBalances.with(index, other + first))
      : Number.POSITIVE_INFINITY,
  )
  return Math.min(...tries)
}

const balances = (maxPeople: number) =>
  fc
    .array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: maxPeople - 1 })
    .map((some) => [...some, -some.reduce((sum, balance) => sum + balance, 0)])

test('all balances are zero afterwards, and no creditor pays', () => {
  fc.assert(
    fc.property(balances(16), (some) => {
      const standings = balancesOf(some)
      const payments = settleUp(standings)
      expect(after(standings, payments).every((balanceMinor) => balanceMinor === 0)).toBe(true)
      for (const { fromId, toId, amountMinor } of payments) {
        expect(amountMinor).toBeGreaterThan(0)
        expect(some[Number(fromId)]).toBeLessThan(0)
        expect(some[Number(toId)]).toBeGreaterThan(0)
      }
    }),
  )
})

test('within a subset of the people, no payments are left', () => {
  fc.assert(
    fc.property(balances(16), fc.integer({ min: 0, max: 16 }), (some, here) => {
      const standings = balancesOf(some)
      const payments = settleAmong(standings, (id) => Number(id) < here)
      for (const { fromId, toId } of payments) expect(Math.max(Number(fromId), Number(toId))).toBeLessThan(here)
      const remainingStandings = afterPayments(standings, payments).slice(0, here)
      expect(
        new Set(remainingStandings.map(({ balanceMinor }) => Math.sign(balanceMinor)).filter(Boolean)).size,
      ).toBeLessThan(2)
      expect(afterPayments(standings, payments).slice(here)).toEqual(standings.slice(here))
    }),
  )
})

test('the number of payments is the minimum', () => {
  fc.assert(
    fc.property(balances(7), (some) => {
      expect(settleUp(balancesOf(some))).toHaveLength(fewest(some))
    }),
  )
})

test('two circles are settled separately, with one payment fewer than largest-first would need', () => {
  expect(settleUp(balancesOf([5, 4, -3, -2, -4]))).toHaveLength(3)
  expect(settleUp(balancesOf([]))).toEqual([])
})

test('more people than a group can have are settled quickly, though maybe not with the fewest payments', () => {
  const openBalances = Array.from({ length: 40 }, (_, index) => ({
    id: String(index),
    balanceMinor: index % 2 ? 1_00 : -1_00,
  }))
  const started = performance.now()
  expect(settleUp(openBalances)).toHaveLength(20)
  expect(performance.now() - started).toBeLessThan(1_000)
})
