import { Refusal } from '#contract/errors.ts'
import type { Division } from '#contract/bills.ts'
import { splitAmount } from '#contract/money.ts'

/** The division of a bill, as the customer who splits it enters it. */
export type BillDivision =
  | { division: Extract<Division, 'equal'>; people: readonly object[] }
  | { division: Extract<Division, 'amounts'>; people: readonly { amountMinor: number }[]; ownMinor: number }
  | { division: Extract<Division, 'percents'>; people: readonly { basisPoints: number }[]; ownBasisPoints: number }

export type BillShares = { ownMinor: number; othersMinor: number[] }

const ALL_BASIS_POINTS = 10_000

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

/**
 * Returns the shares of a bill, which add up to `totalMinor` exactly. In an equal division, the other people pay the same
 * amount, and the remaining cents go to the customer who splits the bill. In a division by percent, each share is rounded down.
 * Each remaining cent goes to the share with the next largest remainder; between equal remainders, the first share in the list
 * is preferred. Throws Refusal `people_missing`, `shares_differ` if the shares do not add up, and `amount_invalid` if the share
 * of another person is zero.
 */
export function divide(totalMinor: number, billDivision: BillDivision): BillShares {
  const { people } = billDivision
  if (people.length === 0) throw new Refusal('people_missing', 'people')
  const shares = sharesOf(totalMinor, billDivision)
  if (shares.othersMinor.some((share) => share === 0)) throw new Refusal('amount_invalid', 'totalMinor')
  return shares
}

function sharesOf(totalMinor: number, billDivision: BillDivision): BillShares {
  if (billDivision.division === 'equal') {
    const count = billDivision.people.length
    const share = splitAmount(totalMinor, count + 1).at(-1) ?? 0
    return { ownMinor: totalMinor - share * count, othersMinor: billDivision.people.map(() => share) }
  }
  if (billDivision.division === 'amounts') {
    const othersMinor = billDivision.people.map(({ amountMinor }) => amountMinor)
    if (sumOf([billDivision.ownMinor, ...othersMinor]) !== totalMinor) throw new Refusal('shares_differ', 'people')
    return { ownMinor: billDivision.ownMinor, othersMinor }
  }
  const parts = [billDivision.ownBasisPoints, ...billDivision.people.map(({ basisPoints }) => basisPoints)]
  if (sumOf(parts) !== ALL_BASIS_POINTS) throw new Refusal('shares_differ', 'people')
  const [ownMinor = 0, ...othersMinor] = byBasisPoints(totalMinor, parts)
  return { ownMinor, othersMinor }
}

/** Divides whole cents by the largest-remainder method. The calculation uses BigInt and is therefore exact for every total. */
function byBasisPoints(totalMinor: number, parts: readonly number[]): number[] {
  const divisor = BigInt(ALL_BASIS_POINTS)
  const exactShares = parts.map((part) => BigInt(totalMinor) * BigInt(part))
  const shares = exactShares.map((share) => Number(share / divisor))
  const missingCents = totalMinor - sumOf(shares)
  const byLoss = parts
    .map((_, index) => index)
    .toSorted((a, b) => Number((exactShares[b] ?? 0n) % divisor) - Number((exactShares[a] ?? 0n) % divisor))
  for (const index of byLoss.slice(0, missingCents)) shares[index] = (shares[index] ?? 0) + 1
  return shares
}
