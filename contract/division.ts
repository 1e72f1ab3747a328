import { Refusal } from '#contract/errors.ts'
import type { Division } from '#contract/bills.ts'
import { splitAmount } from '#contract/money.ts'

/** How a bill is to be divided, as whoever splits it says. */
export type Dividing =
  | { division: Extract<Division, 'equal'>; people: readonly object[] }
  | { division: Extract<Division, 'amounts'>; people: readonly { amountMinor: number }[]; ownMinor: number }
  | { division: Extract<Division, 'percents'>; people: readonly { basisPoints: number }[]; ownBasisPoints: number }

export type Shares = { ownMinor: number; othersMinor: number[] }

const ALL_BASIS_POINTS = 10_000

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/**
 * The shares of a bill; they add up to `totalMinor` exactly. In equal shares the others pay the same, and the odd cents
 * are with whoever splits it. Of percents, each share is rounded down and the odd cents go to those who lost the most by
 * it, the first of equals first.
 * Throws Refusal `people_missing`, `shares_differ` where the shares do not add up, and `amount_invalid` where somebody
 * would have nothing to pay.
 */
export function divide(totalMinor: number, dividing: Dividing): Shares {
  const { people } = dividing
  if (people.length === 0) throw new Refusal('people_missing', 'people')
  const shares = sharesOf(totalMinor, dividing)
  if (shares.othersMinor.some((share) => share === 0)) throw new Refusal('amount_invalid', 'totalMinor')
  return shares
}

function sharesOf(totalMinor: number, dividing: Dividing): Shares {
  if (dividing.division === 'equal') {
    const count = dividing.people.length
    const each = splitAmount(totalMinor, count + 1).at(-1) ?? 0
    return { ownMinor: totalMinor - each * count, othersMinor: dividing.people.map(() => each) }
  }
  if (dividing.division === 'amounts') {
    const othersMinor = dividing.people.map(({ amountMinor }) => amountMinor)
    if (sumOf([dividing.ownMinor, ...othersMinor]) !== totalMinor) throw new Refusal('shares_differ', 'people')
    return { ownMinor: dividing.ownMinor, othersMinor }
  }
  const parts = [dividing.ownBasisPoints, ...dividing.people.map(({ basisPoints }) => basisPoints)]
  if (sumOf(parts) !== ALL_BASIS_POINTS) throw new Refusal('shares_differ', 'people')
  const [ownMinor = 0, ...othersMinor] = byBasisPoints(totalMinor, parts)
  return { ownMinor, othersMinor }
}

/** Whole cents by the method of the largest remainder, counted in BigInt: no total is too large for it. */
function byBasisPoints(totalMinor: number, parts: readonly number[]): number[] {
  const all = BigInt(ALL_BASIS_POINTS)
  const exact = parts.map((part) => BigInt(totalMinor) * BigInt(part))
  const shares = exact.map((share) => Number(share / all))
  const odd = totalMinor - sumOf(shares)
  const byLoss = parts
    .map((_, index) => index)
    .toSorted((a, b) => Number((exact[b] ?? 0n) % all) - Number((exact[a] ?? 0n) % all))
  for (const index of byLoss.slice(0, odd)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}
