import { hasClosed } from '#server/identity/customers/lock.ts'
import { Refusal } from '#contract/errors.ts'
import type { ReturnReason } from '#contract/linked-accounts.ts'
import type { Transaction } from 'kysely'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg } from '#server/ledger/types.ts'
import { giveBackAllowance } from '#server/limits/allowance.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { PayoutEvent } from '#server/rails/event.ts'
import { noteEvent } from '#server/rails/noted-events.ts'
import { lockPayout, payoutDetail, type PayoutRow } from '#server/rails/payouts.ts'

type Trx = Transaction<Database>
type PayoutDeps = Pick<Deps, 'config' | 'policy' | 'db' | 'ledger' | 'clock' | 'events' | 'log'>

type Purpose = 'settle' | 'fail' | 'return' | 'late' | 'late_return'

/** Books one outcome of a payout. Its id follows from the payout's, so the ledger books it once. */
async function book(deps: PayoutDeps, trx: Trx, payout: PayoutRow, purpose: Purpose, leg: Leg): Promise<void> {
  await deps.ledger.postWithin(runIn(trx), [
    {
      ...derived('rails', payout.operation_id, purpose),
      kind: `payout.${purpose}`,
      fingerprint: fingerprintOf(`payout.${purpose}`, payout.operation_id),
      bookedAt: deps.clock.businessNow(),
      legs: [{ ...leg, detail: payoutDetail(payout.name) }],
    },
  ])
}

async function close(trx: Trx, payout: PayoutRow, status: PayoutRow['status'], reason: ReturnReason | null = null) {
  const ended = { status, destination: null, ...(reason ? { reason } : {}) }
  await trx.updateTable('bank.payout').set(ended).where('operation_id', '=', payout.operation_id).execute()
}

/** Nobody is told of the bank's own cents. */
async function tell(deps: PayoutDeps, trx: Trx, payout: PayoutRow, reason: ReturnReason | null): Promise<void> {
  if (payout.purpose === 'verification') return
  const { customer_id: customerId, amount_minor: amountMinor, asset, name } = payout
  const params = { amountMinor, asset, name }
  if (reason === null) await notify(deps, trx, { customerId, kind: 'payout_settled', params })
  else await notify(deps, trx, { customerId, kind: 'payout_returned', params: { ...params, reason } })
}

function transfer({ amount_minor: amountMinor }: PayoutRow, way: { from: AccountId; to: AccountId }): Leg {
  return { kind: 'transfer', debit: way.from, credit: way.to, amountMinor }
}

/** The money has left. One that the provider had refused before is the bank's loss: the customer has the money back. */
async function settle(deps: PayoutDeps, trx: Trx, payout: PayoutRow): Promise<void> {
  const { status, operation_id: operationId, asset } = payout
  if (status === 'pending') {
    await book(deps, trx, payout, 'settle', { kind: 'post', holdId: operationId })
    await close(trx, payout, 'settled')
    await tell(deps, trx, payout, null)
  } else if (status === 'failed') {
    const way = { from: bankAccount('return_losses', asset), to: bankAccount('ach_clearing', asset) }
    await book(deps, trx, payout, 'late', transfer(payout, way))
    await close(trx, payout, 'lost')
    deps.log.error({ operationId }, 'a payout was made after its provider had said that it would not be')
  }
}

/** The money never left: what was set aside is released, and what it took of the customer's limit given back. */
async function release(deps: PayoutDeps, trx: Trx, payout: PayoutRow, to: 'failed' | 'returned', why: ReturnReason) {
  await book(deps, trx, payout, 'fail', { kind: 'void', holdId: payout.operation_id })
  await giveBackAllowance(deps, trx, payout.operation_id)
  await close(trx, payout, to, why)
  await tell(deps, trx, payout, why)
}

async function fail(deps: PayoutDeps, trx: Trx, payout: PayoutRow, reason: ReturnReason): Promise<void> {
  const { status, operation_id: operationId } = payout
  if (status === 'pending') await release(deps, trx, payout, 'failed', reason)
  else deps.log.warn({ operationId, status }, 'a payout failed that was over')
}

/**
 * The other bank has sent the money back. Before it had settled there is nothing to book but its release; what comes
 * back to a customer who has closed waits for the operator. Doing it again changes nothing.
 */
async function takeBack(deps: PayoutDeps, trx: Trx, payout: PayoutRow, reason: ReturnReason): Promise<void> {
  const { status, asset, account_id: account, operation_id: operationId } = payout
  const from = bankAccount('ach_clearing', asset)
  if (status === 'pending') return release(deps, trx, payout, 'returned', reason)
  if (status === 'lost') {
    await book(deps, trx, payout, 'late_return', transfer(payout, { from, to: bankAccount('return_losses', asset) }))
    return close(trx, payout, 'returned', reason)
  }
  // It had left after all, and is back: a late word that it left changes nothing any more.
  if (status === 'failed') return close(trx, payout, 'returned', reason)
  if (status !== 'settled') return
  if (payout.purpose === 'withdrawal' && (await hasClosed(trx, payout.customer_id))) {
    await book(deps, trx, payout, 'return', transfer(payout, { from, to: bankAccount('unclaimed_payments', asset) }))
    await close(trx, payout, 'owed', reason)
    return deps.log.error({ operationId }, 'a payout came back whose customer has closed')
  }
  await book(deps, trx, payout, 'return', transfer(payout, { from, to: account }))
  await giveBackAllowance(deps, trx, operationId)
  await close(trx, payout, 'returned', reason)
  await tell(deps, trx, payout, reason)
}

/**
 * Does what a provider tells of a payout, once for each of its events. Throws Refusal `not_found` for what the bank
 * never asked for, and `collection_mismatch` where it differs from what was asked.
 */
export async function applyPayoutEvent(deps: PayoutDeps, event: PayoutEvent): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const payout = await lockPayout(trx, event.id)
    if (payout?.rail !== 'provider') throw new Refusal('not_found')
    if (payout.amount_minor !== event.amountMinor || payout.asset !== event.asset) {
      throw new Refusal('collection_mismatch', 'amountMinor')
    }
    if (!(await noteEvent(deps, trx, event))) return
    if (event.type === 'payout.settled') await settle(deps, trx, payout)
    else if (event.type === 'payout.returned') await takeBack(deps, trx, payout, event.reason)
    else await fail(deps, trx, payout, event.reason)
  })
}

/** Books a payout that settles by itself, once it is due. Doing it again changes nothing. */
export async function settleByItself(deps: PayoutDeps, operationId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const payout = await lockPayout(trx, operationId)
    if (payout?.rail === 'simulated' && payout.status === 'pending') await settle(deps, trx, payout)
  })
}

/** The provider will never make it. Doing it again changes nothing. */
export async function refusePayout(deps: PayoutDeps, operationId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const payout = await lockPayout(trx, operationId)
    if (payout?.status === 'pending') await fail(deps, trx, payout, 'refused')
  })
}

/** Has a simulated payout come back, as another bank would send it. Doing it again changes nothing. */
export async function returnByItself(deps: PayoutDeps, operationId: string, reason: ReturnReason): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const payout = await lockPayout(trx, operationId)
    if (payout?.rail === 'simulated') await takeBack(deps, trx, payout, reason)
  })
}
