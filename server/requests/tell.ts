import type { Transaction } from 'kysely'
import { z } from 'zod'
import { CUSTOMER_FIELDS, type Customer, customerOf } from '#server/identity/customers/customers.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { blockersOf, customersAt, knows } from '#server/requests/payers.ts'
import { mailRequest } from '#server/requests/request-mail.ts'
import { openMinor, type RequestRow } from '#server/requests/request.ts'

/** `again`: they are reminded. */
const tellPayer = z.object({ requestId: z.uuid(), again: z.boolean() })

/**
 * Tells whoever was asked for money: a customer in the app, anybody else by a mailed link. All in which customers and others
 * differ happens here, after the requester has their answer (docs/decisions/0271).
 */
export const tellPayerJob = defineJob({
  name: 'requests.tell_payer',
  payload: tellPayer,
  work: async (deps, { requestId, again }) => {
    const found = await inTransaction(deps.db, (trx) => findPayer(trx, requestId, again))
    if (!found) return mailRequest(deps, { requestId })
    const { payerId, notice } = found
    if (!notice) return
    // In a transaction of its own: a reminder waits for nothing that is done for customers alone.
    await inTransaction(deps.db, async (trx) => {
      await notify(deps, trx, { customerId: payerId, ...notice })
      await deps.events.notify(trx, [payerId], 'request')
    })
  },
})

/** The customer who is asked, and what they are told, if anything; null where it is nobody's address. */
async function findPayer(trx: Transaction<Database>, requestId: string, again: boolean) {
  const request = await trx.selectFrom('bank.money_request').selectAll().where('id', '=', requestId).executeTakeFirst()
  const payerId = request && (await payerOf(trx, request))
  if (!payerId) return null
  const untold = { payerId, notice: null }
  const rows = await trx
    .selectFrom('bank.customer')
    .select(CUSTOMER_FIELDS)
    .where('id', 'in', [payerId, request.requester_id])
    .execute()
  const people = new Map(rows.map((row) => [row.id, customerOf(row)]))
  const [payer, requester] = [people.get(payerId), people.get(request.requester_id)]
  if (!payer || !requester || request.status !== 'open') return untold
  const { hidden, isStranger } = await (again
    ? stillHidden(trx, request, payerId)
    : decided(trx, request, { payer, requester }))
  if (hidden) return untold
  const kind = again ? 'request_reminder' : isStranger ? 'request_from_stranger' : 'request_received'
  const params = { amountMinor: openMinor(request), asset: request.asset, name: request.requester_name, requestId }
  return { payerId, notice: { kind, params } as const }
}

async function payerOf(trx: Transaction<Database>, request: RequestRow): Promise<string | undefined> {
  const { payer_id: payerId, payer_address: address } = request
  return payerId ?? (address === null ? undefined : (await customersAt(trx, [address])).get(address)?.id)
}

/** Whether the payer knows who asks, and has blocked them, is decided once and kept. */
async function decided(
  trx: Transaction<Database>,
  { id, requester_id }: RequestRow,
  { payer, requester }: { payer: Customer; requester: Customer },
) {
  const isStranger = !(await knows(trx, payer, requester))
  const hidden = (await blockersOf(trx, requester_id, [payer.id])).has(payer.id)
  await trx.updateTable('bank.money_request').set({ from_stranger: isStranger, hidden }).where('id', '=', id).execute()
  return { hidden, isStranger }
}

async function stillHidden(
  trx: Transaction<Database>,
  { requester_id, hidden, from_stranger }: RequestRow,
  payerId: string,
) {
  const blocked = (await blockersOf(trx, requester_id, [payerId])).has(payerId)
  return { hidden: hidden || blocked, isStranger: from_stranger }
}
