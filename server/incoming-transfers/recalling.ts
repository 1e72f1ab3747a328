import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { hasClosed } from '#server/identity/customers/lock.ts'
import {
  addTransfer,
  giveBack,
  lockTransfer,
  setStatus,
  stepOf,
  type Told,
  type TransferRow,
} from '#server/incoming-transfers/transfer.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { giveBackAllowance } from '#server/limits/allowance.ts'
import { notify } from '#server/notifications/service.ts'
import { type OwedDeps, takeOrOwe } from '#server/owed/taking.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { noteEvent } from '#server/rails/noted-events.ts'

type Trx = Transaction<Database>
type RecallDeps = OwedDeps & Pick<Deps, 'config' | 'db'>

/**
 * The sender's bank has taken a transfer back, as it may for weeks: what the customer has spent of it they owe. Told before the
 * transfer itself, it keeps that from being credited. Throws Refusal `collection_mismatch` where the transfer was another amount.
 */
export async function recallTransfer(deps: RecallDeps, told: Told): Promise<void> {
  const { id, amountMinor, asset, rail, event } = told
  await inTransaction(deps.db, async (trx) => {
    const unknown = { customer_id: null, account_id: null, account_number: null, payer_name: null, reference: null }
    const first = { id, amount_minor: amountMinor, asset, rail, received_at: deps.clock.businessNow() }
    await addTransfer(trx, { ...unknown, ...first, status: 'recalled', reason: null })
    const transfer = await lockTransfer(trx, id)
    if (transfer?.amount_minor !== amountMinor || transfer.rail !== rail)
      throw new Refusal('collection_mismatch', 'amountMinor')
    if (event) await noteEvent(deps, trx, event)
    await takeBack(deps, trx, transfer)
  })
}

async function takeBack(deps: RecallDeps, trx: Trx, transfer: TransferRow): Promise<void> {
  const { id, status } = transfer
  if (status === 'recalled') return
  if (status === 'returned') return deps.log.warn({ id }, 'a transfer was recalled that had gone back')
  if (status === 'credited') await takeFromCustomer(deps, trx, transfer)
  else await giveBack(deps, trx, transfer, 'release')
  await setStatus(trx, id, 'recalled')
}

/** Where they have closed since, nobody is left to take it from, and it is the bank's loss. */
async function takeFromCustomer(deps: RecallDeps, trx: Trx, transfer: TransferRow): Promise<void> {
  const { id, customer_id: customerId, amount_minor: amountMinor, payer_name: payerName } = transfer
  if (customerId === null) throw new Error(`Transfer ${id} was credited to nobody`)
  const name = payerName ?? ''
  // Who is just closing is waited for.
  const isLoss = await hasClosed(trx, customerId)
  await takeOrOwe(deps, trx, {
    operation: stepOf(deps, id, 'recall'),
    debt: { customerId, cause: 'transfer_recalled', causeId: id, name, amountMinor },
    credit: bankAccount('ach_clearing'),
    loss: bankAccount('return_losses'),
    detail: { label: 'transfer_recalled', category: 'income', method: 'bank_transfer', note: name },
  })
  await giveBackAllowance(deps, trx, stepOf(deps, id, 'credit').id)
  if (isLoss) deps.log.error({ id }, 'a transfer was recalled whose customer has closed')
  else await notify(deps, trx, { customerId, kind: 'transfer_recalled', params: { amountMinor, asset: 'USD', name } })
}
