import type { Division } from '#contract/bills.ts'
import { divide, type BillShares } from '#contract/division.ts'
import { Refusal } from '#contract/errors.ts'
import { type FormError, formErrors } from '#web/lib/form.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'

/** The whole bill, in hundredths of a percent. */
const ALL_BASIS_POINTS = 10_000

/** The division of a bill in the form: the kind of division, the chosen people and the share typed for each. */
export type Sharing = { division: Division; chosen: readonly string[]; typed: Readonly<Record<string, string>> }

export const NO_SHARING: Sharing = { division: 'equal', chosen: [], typed: {} }

/** Returns the share typed for a person, in cents or hundredths of a percent. Both are written with two decimals. */
function readTyped({ typed }: Sharing, id: string): number {
  return parseMinor(typed[id] ?? '')
}

/** Returns the part of a request that contains the division. `person` maps an id to a person in the request. */
export function buildDivision<Person extends object>(
  totalMinor: number,
  sharing: Sharing,
  person: (id: string) => Person,
) {
  const { division, chosen } = sharing
  if (division === 'equal') return { division, people: chosen.map(person) }
  const shares = chosen.map((id) => readTyped(sharing, id))
  const othersTotal = shares.reduce((sum, share) => sum + share, 0)
  if (division === 'amounts') {
    const people = chosen.map((id, index) => ({ ...person(id), amountMinor: shares[index] ?? 0 }))
    return { division, people, ownMinor: totalMinor - othersTotal }
  }
  const people = chosen.map((id, index) => ({ ...person(id), basisPoints: shares[index] ?? 0 }))
  return { division, people, ownBasisPoints: ALL_BASIS_POINTS - othersTotal }
}

/** Returns the current shares, or the error if they do not match the total or if a share is missing or invalid. */
export function computeShares(totalMinor: number, sharing: Sharing): BillShares | 'amount_invalid' | 'shares_differ' {
  const ownShare = remainingShare(totalMinor, sharing)
  if (ownShare < 0) return 'shares_differ'
  if (sharing.division !== 'equal' && sharing.chosen.some((id) => readTyped(sharing, id) === 0)) return 'amount_invalid'
  try {
    return divide(
      totalMinor,
      buildDivision(totalMinor, sharing, () => ({})),
    )
  } catch (error) {
    return error instanceof Refusal && error.code === 'shares_differ' ? 'shares_differ' : 'amount_invalid'
  }
}

/** Returns the share that remains for the customer, in cents or hundredths of a percent; 0 for an equal division. */
export function remainingShare(totalMinor: number, sharing: Sharing): number {
  if (sharing.division === 'equal') return 0
  const othersTotal = sharing.chosen.reduce((sum, id) => sum + readTyped(sharing, id), 0)
  return (sharing.division === 'amounts' ? totalMinor : ALL_BASIS_POINTS) - othersTotal
}

/** Returns the division as text, which a form can store. */
export const serializeSharing = (sharing: Sharing): string => JSON.stringify(sharing)
export const parseSharing = (text: string): Sharing => JSON.parse(text) as Sharing

/** Returns the errors of a bill, in the order of the specification. */
export function sharingErrors(amount: string, sharing: Sharing): FormError<'amount' | 'people'>[] {
  const totalMinor = parseMinor(amount)
  const shares = totalMinor > 0 ? computeShares(totalMinor, sharing) : null
  return [
    ...amountErrors<'amount' | 'people'>('amount', amount),
    ...formErrors<'amount' | 'people'>(
      sharing.chosen.length === 0 && { field: 'people', code: 'people_missing' },
      sharing.chosen.length > 0 && typeof shares === 'string' && { field: 'people', code: shares },
    ),
  ]
}
