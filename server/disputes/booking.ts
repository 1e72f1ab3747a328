import type { Transaction } from 'kysely'
import type { DisputeRow } from '#server/disputes/dispute.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Detail, Leg, Operation } from '#server/ledger/types.ts'
import { type OwedDeps, takeOrOwe } from '#server/owed/taking.ts'
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
function operationOf({ id }: About, step: string): Omit<Operation, 'legs' | 'bookedAt'> {
  const kind = `dispute.${step}`
  return { ...derived('disputes', id, step), kind, fingerprint: fingerprintOf(kind, id) }
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
    {
      ...operationOf(dispute, 'credit'),
      bookedAt: deps.clock.businessNow(),
      legs: [{ kind: 'transfer', debit, credit, amountMinor, detail }],
    },
  ])
}

type Upheld = {
  upheldMinor: number
  /** The customer's. */
  accountId: AccountId
  /** Who pays: the scheme, or the bank itself where nobody decided in time. */
  payer: 'card_scheme' | 'card_losses'
  at: Date
}

/** Pays an upheld amount. The customer keeps what was credited of it, and gets the rest now. Answers the operation. */
export async function bookUpheld(
  deps: Pick<Deps, 'ledger'>,
  trx: Trx,
  dispute: DisputeRow,
  { upheldMinor, accountId, payer, at }: Upheld,
): Promise<string> {
  const { asset } = dispute
  const disputed = bankAccount('disputed_payments', asset)
  const legs: Leg[] = [
    { kind: 'transfer', debit: bankAccount(payer, asset), credit: disputed, amountMinor: upheldMinor },
  ]
  if (dispute.credited_minor === 0) {
    const detail = detailOf(dispute, 'dispute.upheld')
    legs.push({ kind: 'transfer', debit: disputed, credit: accountId, amountMinor: upheldMinor, detail })
  }
  const operation = { ...operationOf(dispute, 'uphold'), bookedAt: at }
  await deps.ledger.postWithin(runIn(trx), [{ ...operation, legs }])
  return operation.id
}

/** Takes back what was credited and not upheld. What the customer has spent of it they owe. */
export async function bookTakenBack(deps: OwedDeps, trx: Trx, dispute: DisputeRow, amountMinor: number): Promise<void> {
  const { id, asset, merchant: name, customer_id: customerId } = dispute
  await takeOrOwe(deps, trx, {
    operation: { ...operationOf(dispute, 'take_back'), bookedAt: deps.clock.businessNow() },
    debt: { customerId, cause: 'dispute', causeId: id, name, amountMinor },
    credit: bankAccount('disputed_payments', asset),
    loss: bankAccount('card_losses', asset),
    detail: detailOf(dispute, 'dispute.taken_back'),
  })
}
