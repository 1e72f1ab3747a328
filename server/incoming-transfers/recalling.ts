import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { hasClosed } from '#server/identity/customers/lock.ts'
import {
  addTransfer,
  returnTransferMoney,
  lockTransfer,
  setStatus,
  stepOf,
  type TransferMessage,
  type TransferRow,
} from '#server/incoming-transfers/transfer.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { giveBackLimitUse } from '#server/limits/unverified-limits.ts'
import { notify } from '#server/notifications/service.ts'
import { type OwedDeps, takeOrOwe } from '#server/owed/take-or-owe.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { recordEvent } from '#server/rails/record-event.ts'

type Trx = Transaction<Database>
type RecallDeps = OwedDeps & Pick<Deps, 'config' | 'db'>

/**
 * Takes back a transfer that the sender's bank recalls. A recall may arrive weeks later. If the customer has spent the money,
 * the missing part becomes a debt. If a recall arrives before its transfer, the transfer is never credited. Throws Refusal
 * `collection_mismatch` if the transfer had another amount or came over another rail.
 */
export async function recallTransfer(deps: RecallDeps, message: TransferMessage): Promise<void> {
  const { id, amountMinor, asset, rail, event } = message
  await inTransaction(deps.db, async (trx) => {
    const unknown = { customer_id: null, account_id: null, account_number: null, payer_name: null, reference: null }
    const first = { id, amount_minor: amountMinor, asset, rail, received_at: deps.clock.businessNow() }
    await addTransfer(trx, { ...unknown, ...first, status: 'recalled', reason: null })
    const transfer = await lockTransfer(trx, id)
    if (transfer?.amount_minor !== amountMinor || transfer.rail !== rail)
      throw new Refusal('collection_mismatch', 'amountMinor')
    if (event) await recordEvent(deps, trx, event)
    await takeBack(deps, trx, transfer)
  })
}

async function takeBack(deps: RecallDeps, trx: Trx, transfer: TransferRow): Promise<void> {
  const { id, status } = transfer
  if (status === 'recalled') return
  if (status === 'returned') return deps.log.warn({ id }, 'a transfer was recalled after it had gone back')
  if (status === 'credited') await takeFromCustomer(deps, trx, transfer)
  else await returnTransferMoney(deps, trx, transfer, 'release')
  await setStatus(trx, id, 'recalled')
}

/** Takes the amount from the customer. If the customer has closed meanwhile, the bank bears the loss. */
async function takeFromCustomer(deps: RecallDeps, trx: Trx, transfer: TransferRow): Promise<void> {
  const { id, customer_id: customerId, amount_minor: amountMinor, payer_name: payerName } = transfer
  if (customerId === null) throw new Error(`Transfer ${id} was credited to no customer`)
  const name = payerName ?? ''
  // If the customer is being closed, this lock waits for the closing to end.
  const isLoss = await hasClosed(trx, customerId)
  await takeOrOwe(deps, trx, {
    operation: stepOf(deps, id, 'recall'),
    debt: { customerId, cause: 'transfer_recalled', causeId: id, name, amountMinor },
    credit: bankAccount('ach_clearing'),
    loss: bankAccount('return_losses'),
    detail: { label: 'transfer_recalled', category: 'income', method: 'bank_transfer', note: name },
  })
  await giveBackLimitUse(deps, trx, stepOf(deps, id, 'credit').id)
  if (isLoss) deps.log.error({ id }, 'a transfer was recalled after its customer had closed')
  else await notify(deps, trx, { customerId, kind: 'transfer_recalled', params: { amountMinor, asset: 'USD', name } })
}
