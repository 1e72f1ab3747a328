import { Refusal } from '#contract/errors.ts'
import type {
  BookedOperation,
  LedgerRefusal,
  Operation,
  PostingOutcome,
  BatchedRequestKind,
  WithRows,
} from '#server/ledger/types.ts'

/** The field of the request that a refusal concerns, if it concerns a single field. */
const FIELDS: Partial<Record<LedgerRefusal, string>> = { day_limit_reached: 'amountMinor' }

/** Returns the booked operation. Throws Refusal if the ledger refused it. */
export function bookedOrThrow(outcome: PostingOutcome | undefined): BookedOperation {
  if (!outcome) throw new Error('The ledger gave no answer')
  if (!outcome.ok) throw new Refusal(outcome.refusal, FIELDS[outcome.refusal])
  return outcome.booked
}

/** The operations that services made from their rows, or the refusals. */
type PlannedOperations = ReadonlyMap<WithRows, Operation | Refusal>

/**
 * The kind of batched requests for operations whose services each change a few rows in their own way. The requests share locks,
 * posting and commit, and their other statements are sent at the same time. A service with many requests a second should define
 * its own kind, which writes the rows of all requests with one statement.
 */
export const WITH_ROWS: BatchedRequestKind<WithRows, PlannedOperations, never, BookedOperation> = {
  namesOf: ({ customerId, operation }) => [
    `customer ${customerId}`,
    ...(typeof operation === 'function' ? [] : [`operation ${operation.id}`]),
  ],
  async read(trx, requests) {
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
    // The functions start in the order of the customers' ids, so that rows are always locked in the same order.
    const inOrder = requests.toSorted((a, b) => (a.customerId < b.customerId ? -1 : 1))
    return new Map(await Promise.all(inOrder.map(make)))
  },
  decide(operations, work) {
    const operation = operations.get(work)
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
