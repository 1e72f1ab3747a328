import { Refusal } from '#contract/errors.ts'
import type { Booked, LedgerRefusal, Operation, Outcome, RiderKind, WithRows } from '#server/ledger/types.ts'

/** What in a request a refusal is about, where it is one thing. */
const FIELDS: Partial<Record<LedgerRefusal, string>> = { day_limit_reached: 'amountMinor' }

/** What was booked. Throws Refusal where the ledger refused. */
export function bookedOrThrow(outcome: Outcome | undefined): Booked {
  if (!outcome) throw new Error('The ledger gave no answer')
  if (!outcome.ok) throw new Refusal(outcome.refusal, FIELDS[outcome.refusal])
  return outcome.booked
}

/** The operations that services make by their rows, or why not. */
type Made = ReadonlyMap<WithRows, Operation | Refusal>

/**
 * Operations whose services change few rows with them, each in its own way: they share locks, posting and commit, and what each
 * does beside is sent at the same time. A kind of its own writes set-wise, and is worth its code where many are done a second.
 */
export const WITH_ROWS: RiderKind<WithRows, Made, never, Booked> = {
  namesOf: ({ customerId, operation }) => [
    `customer ${customerId}`,
    ...(typeof operation === 'function' ? [] : [`operation ${operation.id}`]),
  ],
  async read(trx, asked) {
    const make = async (work: WithRows): Promise<[WithRows, Operation | Refusal]> => {
      const { operation } = work
      if (typeof operation !== 'function') return [work, operation]
      try {
        return [work, await operation(trx)]
      } catch (error) {
        if (error instanceof Refusal) return [work, error]
        throw error
      }
    }
    // In one order, in which their rows are locked.
    const inOrder = asked.toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1))
    return new Map(await Promise.all(inOrder.map(make)))
  },
  decide(made, work) {
    const operation = made.get(work)
    if (operation === undefined || operation instanceof Refusal) throw operation ?? new Error('Nothing was made')
    return {
      operation,
      end(outcome) {
        const booked = bookedOrThrow(outcome)
        const { also } = work
        return { answer: booked, finish: also && !booked.replayed ? (trx) => also(trx, booked) : undefined }
      },
    }
  },
}
