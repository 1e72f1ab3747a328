import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { DisputeRow } from '#server/disputes/dispute.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Detail, Leg, Operation } from '#server/ledger/types.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>
type BookDeps = Pick<Deps, 'ledger' | 'clock'>

/** What a dispute says about itself on a statement: whatever the payment was for, the money comes back to that. */
type About = Pick<DisputeRow, 'id' | 'merchant' | 'category' | 'asset'>

const detailOf = ({ merchant, category }: About, label: Detail['label']): Detail => ({
  ...(label ? { label } : {}),
  category: category as NonNullable<Detail['category']>,
  note: merchant,
})

/** One step of a dispute. Its id follows from the dispute's, so the ledger books it once. */
function operationOf({ clock }: Pick<Deps, 'clock'>, { id }: About, step: string, legs: Leg[]): Operation {
  const kind = `dispute.${step}`
  return {
    ...derived('disputes', id, step),
    kind,
    fingerprint: fingerprintOf(kind, id),
    bookedAt: clock.businessNow(),
    legs,
  }
}

/** Credits the customer with what they dispute, until it is decided. */
export async function bookCredit(
  deps: BookDeps,
  trx: Trx,
  dispute: About & { amountMinor: number; accountId: AccountId },
): Promise<void> {
  const { asset, amountMinor, accountId: credit } = dispute
  const debit = bankAccount('disputed_payments', asset)
  const detail = detailOf(dispute, 'dispute.credit')
  await deps.ledger.postWithin(runIn(trx), [
    operationOf(deps, dispute, 'credit', [{ kind: 'transfer', debit, credit, amountMinor, detail }]),
  ])
}

/** The scheme gives back what is upheld: what the customer has of it already, or what they get now. Answers the operation. */
export async function bookUpheld(
  deps: BookDeps,
  trx: Trx,
  dispute: DisputeRow,
  { upheldMinor, accountId }: { upheldMinor: number; accountId: AccountId },
): Promise<string> {
  const { asset } = dispute
  const disputed = bankAccount('disputed_payments', asset)
  const legs: Leg[] = [
    { kind: 'transfer', debit: bankAccount('card_scheme', asset), credit: disputed, amountMinor: upheldMinor },
  ]
  if (dispute.credited_minor === 0) {
    const detail = detailOf(dispute, 'dispute.upheld')
    legs.push({ kind: 'transfer', debit: disputed, credit: accountId, amountMinor: upheldMinor, detail })
  }
  const operation = operationOf(deps, dispute, 'uphold', legs)
  await deps.ledger.postWithin(runIn(trx), [operation])
  return operation.id
}

/**
 * Takes back what was credited and not upheld: from the customer, or where they have closed from the bank itself. Answers
 * false, having moved nothing, where the customer has not got it.
 */
export async function bookTakenBack(
  deps: BookDeps,
  trx: Trx,
  dispute: DisputeRow,
  { amountMinor, accountId }: { amountMinor: number; accountId: AccountId | null },
): Promise<boolean> {
  const { asset } = dispute
  const debit = accountId ?? bankAccount('card_losses', asset)
  const credit = bankAccount('disputed_payments', asset)
  const detail = detailOf(dispute, 'dispute.taken_back')
  try {
    await deps.ledger.postWithin(runIn(trx), [
      operationOf(deps, dispute, 'take_back', [{ kind: 'transfer', debit, credit, amountMinor, detail }]),
    ])
    return true
  } catch (error) {
    if (error instanceof Refusal && ['insufficient_funds', 'account_frozen'].includes(error.code)) return false
    throw error
  }
}
