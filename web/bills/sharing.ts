import type { Division } from '#contract/bills.ts'
import { divide, type Shares } from '#contract/division.ts'
import { Refusal } from '#contract/errors.ts'
import { type Fault, faults } from '#web/lib/form.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'

/** All of a bill, in hundredths of a per cent. */
const ALL_BASIS_POINTS = 10_000

/** How a bill is shared, as it stands in a form: by whom, and what was typed for each. */
export type Sharing = { division: Division; chosen: readonly string[]; typed: Readonly<Record<string, string>> }

export const NOBODY: Sharing = { division: 'equal', chosen: [], typed: {} }

/** What was typed for somebody, in cents or in hundredths of a per cent, which are both written with two decimals. */
function typedFor({ typed }: Sharing, id: string): number {
  return readMinor(typed[id] ?? '')
}

/** What of a request says how the bill is divided; `person` says who somebody is. */
export function dividedFor<Person extends object>(
  totalMinor: number,
  sharing: Sharing,
  person: (id: string) => Person,
) {
  const { division, chosen } = sharing
  if (division === 'equal') return { division, people: chosen.map(person) }
  const each = chosen.map((id) => typedFor(sharing, id))
  const others = each.reduce((sum, one) => sum + one, 0)
  if (division === 'amounts') {
    const people = chosen.map((id, index) => ({ ...person(id), amountMinor: each[index] ?? 0 }))
    return { division, people, ownMinor: totalMinor - others }
  }
  const people = chosen.map((id, index) => ({ ...person(id), basisPoints: each[index] ?? 0 }))
  return { division, people, ownBasisPoints: ALL_BASIS_POINTS - others }
}

/** The shares as they would be now; what is wrong with them where they do not come out. */
export function sharesNow(totalMinor: number, sharing: Sharing): Shares | 'amount_invalid' | 'shares_differ' {
  const own = ownPart(totalMinor, sharing)
  if (own < 0) return 'shares_differ'
  if (sharing.division !== 'equal' && sharing.chosen.some((id) => typedFor(sharing, id) === 0)) return 'amount_invalid'
  try {
    return divide(
      totalMinor,
      dividedFor(totalMinor, sharing, () => ({})),
    )
  } catch (error) {
    return error instanceof Refusal && error.code === 'shares_differ' ? 'shares_differ' : 'amount_invalid'
  }
}

/** What is left for oneself: cents, or hundredths of a per cent. */
export function ownPart(totalMinor: number, sharing: Sharing): number {
  if (sharing.division === 'equal') return 0
  const others = sharing.chosen.reduce((sum, id) => sum + typedFor(sharing, id), 0)
  return (sharing.division === 'amounts' ? totalMinor : ALL_BASIS_POINTS) - others
}

/** How it stands among the texts of a form. */
export const written = (sharing: Sharing): string => JSON.stringify(sharing)
export const readSharing = (text: string): Sharing => JSON.parse(text) as Sharing

/** What is wrong with a bill, in the spec's order. */
export function sharingFaults(amount: string, sharing: Sharing): Fault<'amount' | 'people'>[] {
  const totalMinor = readMinor(amount)
  const shares = totalMinor > 0 ? sharesNow(totalMinor, sharing) : null
  return [
    ...amountFaults<'amount' | 'people'>('amount', amount),
    ...faults<'amount' | 'people'>(
      sharing.chosen.length === 0 && { field: 'people', code: 'people_missing' },
      sharing.chosen.length > 0 && typeof shares === 'string' && { field: 'people', code: shares },
    ),
  ]
}
