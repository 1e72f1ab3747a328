import { DAY_MS } from '#server/platform/durations.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import { type MoneyRequest, type NewRequest, REQUEST_DAYS } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { type ContactAddress, isUnambiguousContact, readContact } from '#server/identity/customers/contact.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { addEvents } from '#server/requests/history.ts'
import { findPayers, type Payer } from '#server/requests/payers.ts'
import { sentView } from '#server/requests/read.ts'
import type { RequestRow } from '#server/requests/request.ts'
import { notifyPayerJob } from '#server/requests/notify-payer.ts'

/**
 * The largest number of requests by one customer in 24 hours of real time: to one address, and in total. `MAX_TO_ONE` is also
 * the largest number of reminders to one address in 24 hours of business time.
 */
const MAX_TO_ONE = 10
const MAX_IN_ALL = 200

/** The terms of a new request; amounts in US cents. */
export type NewMoneyRequest = {
  /** The payer's email or phone number in any common spelling; null for a link that anyone may pay. */
  recipient: string | null
  /**
   * The payer, if the caller already knows which customer it is. `recipient` is then only the name under which the requester
   * knows the payer.
   */
  customer?: Customer
  amountMinor: number
  note?: string | null | undefined
}

type AskDeps = Pick<Deps, 'clock' | 'events' | 'policy'>

/**
 * Creates requests for money in the caller's SQL transaction and returns their ids, in the order of `requests`. Payers are
 * notified after the commit (notify-payer.ts), so that the requester cannot see whether a payer is a customer. Throws Refusal
 * `recipient_invalid`, `request_to_self`, `amount_too_large` and `too_many_requests`. After a refusal the caller must roll the
 * transaction back. With `counted: false`, the limits do not apply to these requests. It is for requests that the bank creates
 * itself.
 */
export async function createRequestsWithin(
  deps: AskDeps,
  trx: Transaction<Database>,
  requester: Customer,
  requests: readonly NewMoneyRequest[],
  { counted = true }: { counted?: boolean } = {},
): Promise<string[]> {
  const addressedRequests = requests.map((ask) => ({ ...ask, address: addressOf(requester, ask) }))
  if (requests.some(({ amountMinor }) => amountMinor > deps.policy.limits.out.operationMinor))
    throw new Refusal('amount_too_large', 'amountMinor')
  const addresses = addressedRequests.flatMap(({ address }) => address?.value ?? [])
  if (counted) await countAsks(deps, trx, requester, addresses, requests.length)
  const knownCustomers = new Map(
    addressedRequests.flatMap(({ customer, address }) => (customer && address ? [[address.value, customer]] : [])),
  )
  const payers = await findPayers(trx, requester, [...new Set(addresses)], knownCustomers)
  const newRequests = addressedRequests.map((ask) => ({
    ...ask,
    payer: ask.address ? payers.get(ask.address.value) : undefined,
  }))
  if (newRequests.some(({ payer }) => payer?.customer?.id === requester.id))
    throw new Refusal('request_to_self', 'recipient')
  const ids = await insertRequests(deps, trx, requester, newRequests, counted)
  await tellPayers(deps, trx, requester, newRequests, ids)
  return ids
}

/** Throws Refusal `recipient_invalid`. */
function addressOf(requester: Customer, { recipient, customer }: NewMoneyRequest): ContactAddress | null {
  if (customer) return { kind: 'email', value: customer.email }
  if (recipient === null) return null
  const address = readContact(recipient, isUnambiguousContact(recipient) ? null : requester.phone)
  if (!address) throw new Refusal('recipient_invalid', 'recipient')
  return address
}

/**
 * Throws Refusal `too_many_requests` if the requester exceeds a limit. It counts stored requests, so requests that were refused
 * or rolled back do not count. The lock makes simultaneous requests run one after the other.
 */
async function countAsks(
  { clock }: Pick<Deps, 'clock'>,
  trx: Transaction<Database>,
  { id }: Customer,
  addresses: readonly string[],
  requestCount: number,
): Promise<void> {
  await lockCustomer(trx, id)
  const rows = await trx
    .selectFrom('bank.money_request')
    .select(['payer_address', ({ fn }) => fn.countAll<number>().as('count')])
    .where('requester_id', '=', id)
    .where('made_at', '>', new Date(clock.realNow().getTime() - DAY_MS))
    .groupBy('payer_address')
    .execute()
  const totalCount = rows.reduce((sum, { count }) => sum + count, requestCount)
  const countByAddress = new Map(rows.map(({ payer_address, count }) => [payer_address, count]))
  for (const address of addresses) countByAddress.set(address, (countByAddress.get(address) ?? 0) + 1)
  const tooMany = addresses.some((address) => (countByAddress.get(address) ?? 0) > MAX_TO_ONE)
  if (tooMany || totalCount > MAX_IN_ALL) throw new Refusal('too_many_requests')
}

type CreatedRequest = NewMoneyRequest & { address: ContactAddress | null; payer: Payer | undefined }

async function insertRequests(
  { clock }: AskDeps,
  trx: Transaction<Database>,
  requester: Customer,
  createdRequests: readonly CreatedRequest[],
  isCounted: boolean,
): Promise<string[]> {
  const now = clock.businessNow()
  // The limits count requests with a recent `made_at`. A request that must not count gets the year 1970.
  const made_at = isCounted ? clock.realNow() : new Date(0)
  const rows = createdRequests.map(({ recipient, address, payer, amountMinor, note }) => ({
    id: randomUUIDv7(),
    requester_id: requester.id,
    requester_name: requester.fullName,
    payer_name: address && (payer?.name ?? recipient),
    payer_typed: address && recipient,
    payer_address: address?.value ?? null,
    payer_id: payer?.customer?.id ?? null,
    amount_minor: amountMinor,
    asset: 'USD' as const,
    note: note ?? null,
    created_at: now,
    expires_at: new Date(now.getTime() + REQUEST_DAYS * DAY_MS),
    made_at,
  }))
  if (rows.length === 0) return []
  await trx.insertInto('bank.money_request').values(rows).execute()
  await addEvents(
    trx,
    rows.map(({ id }) => ({ request_id: id, kind: 'asked', happened_at: now })),
  )
  return rows.map(({ id }) => id)
}

/**
 * Notifies the requester's screens and enqueues a job for each payer. The statements are the same for customers and
 * non-customers, so that the response time does not reveal who is a customer.
 */
async function tellPayers(
  deps: AskDeps,
  trx: Transaction<Database>,
  requester: Customer,
  createdRequests: readonly CreatedRequest[],
  ids: readonly string[],
): Promise<void> {
  await deps.events.notify(trx, [requester.id], 'request')
  for (const [index, requestId] of ids.entries())
    if (createdRequests[index]?.address) await enqueue(trx, notifyPayerJob, { requestId, again: false })
}

/** Creates a request to one person, or a link that anyone may pay. Throws the refusals of `createRequestsWithin`. */
export async function createRequest(
  deps: Deps,
  requester: Customer,
  { recipient, amountMinor, note }: NewRequest,
  key: RequestKey,
): Promise<MoneyRequest> {
  const { result } = await runOnce(deps, key, async (trx) => {
    const [id] = await createRequestsWithin(deps, trx, requester, [{ recipient: recipient ?? null, amountMinor, note }])
    return id
  })
  return sentView(deps, requester.id, result ?? '')
}

/**
 * Reminds the payer of a request, at most once a day. Throws Refusal `not_found`; `request_not_open`; `reminded_today` if the
 * last reminder is less than a day old; and `too_many_requests` if the payer received too many reminders within a day.
 */
export async function remindPayer(deps: Deps, requester: Customer, id: string, key: RequestKey): Promise<MoneyRequest> {
  await runOnce(deps, key, async (trx) => {
    const now = deps.clock.businessNow()
    // The lock makes simultaneous reminders run one after the other.
    await lockCustomer(trx, requester.id)
    const before = await sentView({ ...deps, db: trx }, requester.id, id)
    if (before.remindableAt === null) throw new Refusal('not_found')
    const remindedRequest = await trx
      .updateTable('bank.money_request')
      .set({ reminded_at: now })
      .where('id', '=', id)
      .where('status', '=', 'open')
      .where('expires_at', '>', now)
      .where(({ or, eb }) =>
        or([eb('reminded_at', 'is', null), eb('reminded_at', '<=', new Date(now.getTime() - DAY_MS))]),
      )
      .returningAll()
      .executeTakeFirst()
    if (!remindedRequest) {
      const { status } = await sentView({ ...deps, db: trx }, requester.id, id)
      throw new Refusal(status === 'open' ? 'reminded_today' : 'request_not_open')
    }
    await refuseManyReminders(trx, remindedRequest, now)
    await addEvents(trx, [{ request_id: id, kind: 'reminded', happened_at: now }])
    if (remindedRequest.payer_address !== null) await enqueue(trx, notifyPayerJob, { requestId: id, again: true })
    return null
  })
  return sentView(deps, requester.id, id)
}

/**
 * Limits the number of reminders that one payer gets for all requests of a requester together. Throws Refusal
 * `too_many_requests`.
 */
async function refuseManyReminders(trx: Transaction<Database>, request: RequestRow, now: Date): Promise<void> {
  const { requester_id: requesterId, payer_address: address } = request
  const { reminders } = await trx
    .selectFrom('bank.money_request')
    .select(({ fn }) => fn.countAll<number>().as('reminders'))
    .where('requester_id', '=', requesterId)
    .where('payer_address', '=', address)
    .where('reminded_at', '>', new Date(now.getTime() - DAY_MS))
    .executeTakeFirstOrThrow()
  if (reminders > MAX_TO_ONE) throw new Refusal('too_many_requests')
}
