import type { Transaction } from 'kysely'
import { z } from 'zod'
import { CUSTOMER_FIELDS, type Customer, customerOf } from '#server/identity/customers/customers.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { blockersOf, findCustomersByAddress, hasDealtWith } from '#server/requests/payers.ts'
import { mailRequest } from '#server/requests/request-mail.ts'
import { openMinor, type RequestRow } from '#server/requests/request.ts'

/** `again` marks a reminder. */
const tellPayer = z.object({ requestId: z.uuid(), again: z.boolean() })

/**
 * Notifies the payer of a request: a customer in the app, any other person with an email address by mail with a link. All steps
 * that differ between customers and others happen here, after the requester has received the response (docs/decisions/0271).
 */
export const notifyPayerJob = defineJob({
  name: 'requests.tell_payer',
  payload: tellPayer,
  work: async (deps, { requestId, again }) => {
    const payer = await inTransaction(deps.db, (trx) => findPayer(trx, requestId, again))
    if (!payer) return mailRequest(deps, { requestId })
    const { payerId, notice } = payer
    if (!notice) return
    // The notice has a transaction of its own. A reminder therefore never waits for work that happens only for customers.
    await inTransaction(deps.db, async (trx) => {
      await notify(deps, trx, { customerId: payerId, ...notice })
      await deps.events.notify(trx, [payerId], 'request')
    })
  },
})

/**
 * Returns the customer who is the payer, and the notice for them if they get one. Returns null if the address belongs to no
 * customer.
 */
async function findPayer(trx: Transaction<Database>, requestId: string, isReminder: boolean) {
  const request = await trx.selectFrom('bank.money_request').selectAll().where('id', '=', requestId).executeTakeFirst()
  const payerId = request && (await payerOf(trx, request))
  if (!payerId) return null
  const withoutNotice = { payerId, notice: null }
  const rows = await trx
    .selectFrom('bank.customer')
    .select(CUSTOMER_FIELDS)
    .where('id', 'in', [payerId, request.requester_id])
    .execute()
  const people = new Map(rows.map((row) => [row.id, customerOf(row)]))
  const [payer, requester] = [people.get(payerId), people.get(request.requester_id)]
  if (!payer || !requester || request.status !== 'open') return withoutNotice
  const { hidden, isStranger } = await (isReminder
    ? stillHidden(trx, request, payerId)
    : decideVisibility(trx, request, { payer, requester }))
  if (hidden) return withoutNotice
  const kind = isReminder ? 'request_reminder' : isStranger ? 'request_from_stranger' : 'request_received'
  const params = { amountMinor: openMinor(request), asset: request.asset, name: request.requester_name, requestId }
  return { payerId, notice: { kind, params } as const }
}

async function payerOf(trx: Transaction<Database>, request: RequestRow): Promise<string | undefined> {
  const { payer_id: payerId, payer_address: address } = request
  return payerId ?? (address === null ? undefined : (await findCustomersByAddress(trx, [address])).get(address)?.id)
}

/**
 * Finds out whether the requester is a stranger to the payer, and whether the payer has blocked the requester. Stores both
 * results with the request.
 */
async function decideVisibility(
  trx: Transaction<Database>,
  { id, requester_id }: RequestRow,
  { payer, requester }: { payer: Customer; requester: Customer },
) {
  const isStranger = !(await hasDealtWith(trx, payer, requester))
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
