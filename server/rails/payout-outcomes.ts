import { hasClosed } from '#server/identity/customers/lock.ts'
import { Refusal } from '#contract/errors.ts'
import type { ReturnReason } from '#contract/linked-accounts.ts'
import type { Transaction } from 'kysely'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import type { AccountId, Leg } from '#server/ledger/types.ts'
import { giveBackLimitUse } from '#server/limits/unverified-limits.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { PayoutEvent } from '#server/rails/event.ts'
import { recordEvent } from '#server/rails/record-event.ts'
import { lockPayout, payoutDetail, type PayoutRow } from '#server/rails/payouts.ts'

type Trx = Transaction<Database>
type PayoutDeps = Pick<Deps, 'config' | 'policy' | 'db' | 'ledger' | 'clock' | 'events' | 'log'>

type Purpose = 'settle' | 'fail' | 'return' | 'late' | 'late_return'

/** Books one outcome of a payout. Its id is derived from the payout's, so the ledger books it once. */
async function book(deps: PayoutDeps, trx: Trx, payout: PayoutRow, purpose: Purpose, leg: Leg): Promise<void> {
  await deps.ledger.postWithin(runIn(trx), [
    {
      ...derivedIdentity('rails', payout.operation_id, purpose),
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

/**
 * Notifies the customer of a payout's return or, if `reason` is null, of its settlement. The bank's own verification deposits
 * send no notice.
 */
async function notifyReturn(deps: PayoutDeps, trx: Trx, payout: PayoutRow, reason: ReturnReason | null): Promise<void> {
  if (payout.purpose === 'verification') return
  const { customer_id: customerId, amount_minor: amountMinor, asset, name } = payout
  const params = { amountMinor, asset, name }
  if (reason === null) await notify(deps, trx, { customerId, kind: 'payout_settled', params })
  else await notify(deps, trx, { customerId, kind: 'payout_returned', params: { ...params, reason } })
}

function transfer({ amount_minor: amountMinor }: PayoutRow, way: { from: AccountId; to: AccountId }): Leg {
  return { kind: 'transfer', debit: way.from, credit: way.to, amountMinor }
}

/**
 * Books money that has left. If the provider had reported a failure before, the customer has the money back already, and the
 * payout is the bank's loss.
 */
async function settle(deps: PayoutDeps, trx: Trx, payout: PayoutRow): Promise<void> {
  const { status, operation_id: operationId, asset } = payout
  if (status === 'pending') {
    await book(deps, trx, payout, 'settle', { kind: 'post', holdId: operationId })
    await close(trx, payout, 'settled')
    await notifyReturn(deps, trx, payout, null)
  } else if (status === 'failed') {
    const way = { from: bankAccount('return_losses', asset), to: bankAccount('ach_clearing', asset) }
    await book(deps, trx, payout, 'late', transfer(payout, way))
    await close(trx, payout, 'lost')
    deps.log.error({ operationId }, 'a payout was made after its provider had reported a failure')
  }
}

/** Ends a pending payout. Releases its hold, and gives its part of the customer's limit back. */
async function release(
  deps: PayoutDeps,
  trx: Trx,
  payout: PayoutRow,
  newStatus: 'failed' | 'returned',
  why: ReturnReason,
) {
  await book(deps, trx, payout, 'fail', { kind: 'void', holdId: payout.operation_id })
  await giveBackLimitUse(deps, trx, payout.operation_id)
  await close(trx, payout, newStatus, why)
  await notifyReturn(deps, trx, payout, why)
}

async function fail(deps: PayoutDeps, trx: Trx, payout: PayoutRow, reason: ReturnReason): Promise<void> {
  const { status, operation_id: operationId } = payout
  if (status === 'pending') await release(deps, trx, payout, 'failed', reason)
  else deps.log.warn({ operationId, status }, 'a payout failed after it had ended')
}

/**
 * Books money that the other bank has sent back. If the payout was not settled yet, its hold is only released. Money for a
 * closed customer waits for the operator. A repetition changes nothing.
 */
async function takeBack(deps: PayoutDeps, trx: Trx, payout: PayoutRow, reason: ReturnReason): Promise<void> {
  const { status, asset, account_id: account, operation_id: operationId } = payout
  const from = bankAccount('ach_clearing', asset)
  if (status === 'pending') return release(deps, trx, payout, 'returned', reason)
  if (status === 'lost') {
    await book(deps, trx, payout, 'late_return', transfer(payout, { from, to: bankAccount('return_losses', asset) }))
    return close(trx, payout, 'returned', reason)
  }
  // The money of a payout reported as failed had left and is back. A later event that the payout was settled changes nothing.
  if (status === 'failed') return close(trx, payout, 'returned', reason)
  if (status !== 'settled') return
  if (payout.purpose === 'withdrawal' && (await hasClosed(trx, payout.customer_id))) {
    await book(deps, trx, payout, 'return', transfer(payout, { from, to: bankAccount('unclaimed_payments', asset) }))
    await close(trx, payout, 'owed', reason)
    return deps.log.error({ operationId }, 'a payout came back after its customer had closed')
  }
  await book(deps, trx, payout, 'return', transfer(payout, { from, to: account }))
  await giveBackLimitUse(deps, trx, operationId)
  await close(trx, payout, 'returned', reason)
  await notifyReturn(deps, trx, payout, reason)
}

/**
 * Applies each of a provider's events about a payout once. Throws Refusal `not_found` if the bank never requested the payout,
 * and `collection_mismatch` if the event differs from the request.
 */
export async function applyPayoutEvent(deps: PayoutDeps, event: PayoutEvent): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const payout = await lockPayout(trx, event.id)
    if (payout?.rail !== 'provider') throw new Refusal('not_found')
    if (payout.amount_minor !== event.amountMinor || payout.asset !== event.asset) {
      throw new Refusal('collection_mismatch', 'amountMinor')
    }
    if (!(await recordEvent(deps, trx, event))) return
    if (event.type === 'payout.settled') await settle(deps, trx, payout)
    else if (event.type === 'payout.returned') await takeBack(deps, trx, payout, event.reason)
    else await fail(deps, trx, payout, event.reason)
  })
}

/** Books a simulated payout once it is due. A repetition changes nothing. */
export async function settleByItself(deps: PayoutDeps, operationId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const payout = await lockPayout(trx, operationId)
    if (payout?.rail === 'simulated' && payout.status === 'pending') await settle(deps, trx, payout)
  })
}

/** Ends a payout with a final refusal from the provider. A repetition changes nothing. */
export async function refusePayout(deps: PayoutDeps, operationId: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const payout = await lockPayout(trx, operationId)
    if (payout?.status === 'pending') await fail(deps, trx, payout, 'refused')
  })
}

/** Returns a simulated payout as another bank would. A repetition changes nothing. */
export async function returnByItself(deps: PayoutDeps, operationId: string, reason: ReturnReason): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const payout = await lockPayout(trx, operationId)
    if (payout?.rail === 'simulated') await takeBack(deps, trx, payout, reason)
  })
}
