import type { Transaction } from 'kysely'
import type { DisputeRow } from '#server/disputes/dispute.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Detail, Leg, Operation } from '#server/ledger/types.ts'
import { type OwedDeps, takeOrOwe } from '#server/owed/take-or-owe.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>
type BookDeps = Pick<Deps, 'ledger' | 'clock'>

/**
 * The fields of a dispute that appear on a statement. The credit has the category of the payment, so that it cancels out the
 * payment in the customer's spending.
 */
type DisputeSubject = Pick<DisputeRow, 'id' | 'merchant' | 'category' | 'asset'>

const detailOf = ({ merchant, category }: DisputeSubject, label: Detail['label']): Detail => ({
  ...(label ? { label } : {}),
  category: category as NonNullable<Detail['category']>,
  note: merchant,
})

/**
 * Returns the id, kind and fingerprint of one step of a dispute. The id derives from the dispute's id, so the ledger books each
 * step once.
 */
function operationOf({ id }: DisputeSubject, step: string): Omit<Operation, 'legs' | 'bookedAt'> {
  const kind = `dispute.${step}`
  return { ...derivedIdentity('disputes', id, step), kind, fingerprint: fingerprintOf(kind, id) }
}

/** Credits the customer provisionally with the disputed amount. */
export async function bookCredit(
  deps: BookDeps,
  trx: Trx,
  dispute: DisputeSubject & { amountMinor: number; accountId: AccountId },
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
  /** The customer's account. */
  accountId: AccountId
  /** The account that pays: the card scheme's, or the bank's account for losses if the dispute was not decided in time. */
  payer: 'card_scheme' | 'card_losses'
  at: Date
}

/**
 * Books an upheld amount. If the customer already has a provisional credit, the credit stays. If not, the customer is paid now.
 * Returns the operation's id.
 */
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

/** Takes back a credit that was not upheld. If the customer has spent the money, the missing part becomes a debt. */
export async function bookCreditReversal(
  deps: OwedDeps,
  trx: Trx,
  dispute: DisputeRow,
  amountMinor: number,
): Promise<void> {
  const { id, asset, merchant: name, customer_id: customerId } = dispute
  await takeOrOwe(deps, trx, {
    operation: { ...operationOf(dispute, 'take_back'), bookedAt: deps.clock.businessNow() },
    debt: { customerId, cause: 'dispute', causeId: id, name, amountMinor },
    credit: bankAccount('disputed_payments', asset),
    loss: bankAccount('card_losses', asset),
    detail: detailOf(dispute, 'dispute.taken_back'),
  })
}
