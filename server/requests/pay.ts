import { sql, type Transaction as SqlTransaction } from 'kysely'
import type { Transaction } from '#contract/accounts.ts'
import { Refusal } from '#contract/errors.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { type Customer, findCustomers } from '#server/identity/customers/customers.ts'
import type { Operation } from '#server/ledger/types.ts'
import { PAYMENT_REFUSALS, postLimited } from '#server/limits/service.ts'
import { notify } from '#server/notifications/service.ts'
import { paymentDetail } from '#server/payments/payment.ts'
import { addEvents } from '#server/requests/history.ts'
import { openMinor, type RequestRow, requestStatusOf } from '#server/requests/request.ts'

export const PAYING_REFUSALS = [
  'request_is_own',
  'request_not_open',
  'request_amount_exceeded',
  ...PAYMENT_REFUSALS,
] as const

/**
 * Pays all or part of the open amount of a request that the payer can see, from their current account into the requester's.
 * Throws Refusal `request_is_own`, `request_not_open`, `request_amount_exceeded`, the refusals of the payer's limits and of the
 * ledger.
 */
export async function payRequest(
  deps: Deps,
  payer: Customer,
  request: RequestRow,
  amountMinor: number,
  key: RequestKey,
): Promise<Transaction> {
  if (request.requester_id === payer.id) throw new Refusal('request_is_own')
  const refusal = refusalOf(deps, request, amountMinor)
  if (refusal) throw refusal
  const requester = (await findCustomers(deps, [request.requester_id])).get(request.requester_id)
  if (!requester) throw new Error('A request without a requester')
  const operation: Operation = {
    id: key.operationId,
    kind: 'payment.request',
    fingerprint: key.fingerprint,
    bookedAt: deps.clock.businessNow(),
    legs: [
      {
        kind: 'transfer',
        debit: payer.currentAccountId,
        credit: requester.currentAccountId,
        amountMinor,
        detail: paymentDetail(request.requester_name, payer.fullName, request.note),
      },
    ],
  }
  const use = { customer: payer, direction: 'out', amountMinor } as const
  const posting = await postLimited(deps, use, operation, {
    also: (trx) => notePayment(deps, trx, { payer, request, amountMinor, operation }),
  })
  return transactionOfBooked(posting, payer.currentAccountId)
}

/** Returns the refusal of a payment of this amount, or null if it is possible. */
function refusalOf(deps: Pick<Deps, 'clock'>, request: RequestRow, amountMinor: number): Refusal | null {
  if (requestStatusOf(deps, request) !== 'open') return new Refusal('request_not_open')
  return amountMinor > openMinor(request) ? new Refusal('request_amount_exceeded', 'amountMinor') : null
}

type Paid = { payer: Customer; request: RequestRow; amountMinor: number; operation: Operation }

/**
 * Records a payment of a request in the transaction that moves the money. The row decides between simultaneous payments: if the
 * request was paid or ended meanwhile, the refusal rolls the money back.
 */
async function notePayment(deps: Deps, trx: SqlTransaction<Database>, payment: Paid): Promise<void> {
  const { payer, request, amountMinor, operation } = payment
  const { bookedAt } = operation
  const total = sql<number>`paid_minor + ${amountMinor}`
  const isPaidInFull = sql<boolean>`${total} = amount_minor`
  const changed = await trx
    .updateTable('bank.money_request')
    .set({
      paid_minor: total,
      status: sql`CASE WHEN ${isPaidInFull} THEN 'paid' ELSE status END`,
      closed_at: sql`CASE WHEN ${isPaidInFull} THEN ${bookedAt}::timestamptz END`,
      // A request to an address without a customer has no payer yet. The first customer who pays it becomes its payer.
      payer_id: sql`CASE WHEN payer_address IS NULL THEN NULL ELSE coalesce(payer_id, ${payer.id}::uuid) END`,
    })
    .where('id', '=', request.id)
    .where('status', '=', 'open')
    .where('expires_at', '>', bookedAt)
    .where(total, '<=', sql.ref<number>('amount_minor'))
    .where(({ or, eb }) => or([eb('payer_id', 'is', null), eb('payer_id', '=', payer.id)]))
    .returning(['status', 'asset'])
    .executeTakeFirst()
  if (!changed) {
    const now = await trx
      .selectFrom('bank.money_request')
      .selectAll()
      .where('id', '=', request.id)
      .executeTakeFirstOrThrow()
    throw refusalOf(deps, now, amountMinor) ?? new Refusal('request_not_open')
  }
  const event = { request_id: request.id, kind: 'paid', happened_at: bookedAt } as const
  await addEvents(trx, [
    { ...event, payer_name: payer.fullName, amount_minor: amountMinor, operation_id: operation.id },
  ])
  const params = {
    amountMinor,
    asset: changed.asset,
    name: payer.fullName,
    requestId: request.id,
    paid: changed.status === 'paid' ? 'all' : 'part',
  } as const
  await notify(deps, trx, { customerId: request.requester_id, kind: 'request_paid', params })
  await deps.events.notify(trx, [request.requester_id, payer.id], 'request')
}
