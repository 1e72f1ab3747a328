import { toBankZone } from '#server/platform/time-zone.ts'
import { randomInt } from 'node:crypto'
import type { Transaction as SqlTransaction } from 'kysely'
import type { z } from 'zod'
import type { Transaction } from '#contract/accounts.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import { Refusal } from '#contract/errors.ts'
import type { chargeRequest, ClockRequest, SamplePanel } from '#contract/sample.ts'
import { transactionOfBooked, transactionOfLine } from '#server/accounts/transaction.ts'
import { type CardRecord, cardsOf } from '#server/cards/card.ts'
import type { MoneyRequest } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import { shopByName } from '#server/card-scheme/sample-shops.ts'
import { payAtShop } from '#server/card-scheme/simulated.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { findLine } from '#server/ledger/statement.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import type { Translator } from '#server/platform/translations.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { hasCaughtUp, moveDate } from '#server/platform/jobs/date-walk.ts'
import { receiveIncoming } from '#server/payments/incoming.ts'
import { expensivePurchase, type Sale, randomPurchase, randomPurchaseAbroad } from '#server/sample/shops.ts'
import { createRequestsWithin } from '#server/requests/create-request.ts'
import { payRequest } from '#server/requests/pay.ts'
import { oldestOpenRequest, receivedView } from '#server/requests/read.ts'
import { openMinor } from '#server/requests/request.ts'
import { openFriends } from '#server/sample/sample-customer.ts'
import { EMPLOYER, SALARY_MINOR, salaryNote } from '#server/payments/sample-history.ts'

export function readPanel({ clock, policy }: Pick<Deps, 'clock' | 'policy'>, customer: Customer): SamplePanel {
  const { fullName, email, phone } = customer
  const dateMovedBy = policy.dateControl?.by ?? 'operator'
  return { now: clock.businessNow().toISOString(), dateMovedBy, customer: { fullName, email, phone } }
}

/**
 * Moves the date forward for a visitor. Throws Refusal `date_kept` if only the operator may move it, `date_moved_often` if
 * visitors have used up the hourly limit, and the refusals of `putDateForward`.
 */
export async function visitorPutsDateForward(
  deps: Pick<Deps, 'clock' | 'db' | 'policy' | 'limiters'>,
  clockRequest: ClockRequest,
  key: RequestKey,
): Promise<MovedDate> {
  const { dateControl } = deps.policy
  if (dateControl?.by !== 'everybody') throw new Refusal('date_kept')
  const moves = limiterFor(deps, { name: 'sample-date', points: dateControl.perHour, seconds: 60 * 60 })
  if ((await countWithin(moves, 'all')) === null) throw new Refusal('date_moved_often')
  return putDateForward(deps, clockRequest, key)
}

/**
 * The bank's date. `now`: the business time. `movingTo`: the date to which the bank is moving day by day; null if it has
 * arrived.
 */
export type MovedDate = { now: Date; movingTo: Date | null }

/** The longest wait for the days' jobs in a request that moves the date, in milliseconds. */
const WAITED_MS = 10_000

/**
 * Moves the whole bank's date forward and runs the jobs of each day on the way, in order. Returns when they are done, or after
 * ten seconds if they are not done. Throws Refusal `date_limit_reached` for a date after the policy's last date.
 */
export async function putDateForward(
  deps: Pick<Deps, 'clock' | 'db' | 'policy'>,
  clockRequest: ClockRequest,
  key: RequestKey,
): Promise<MovedDate> {
  await runOnce(deps, key, async (trx) => {
    const target = await moveDate(trx, deps, (from) => lengthOf(clockRequest, from))
    if (deps.policy.dateControl && target > deps.policy.dateControl.until) throw new Refusal('date_limit_reached')
  })
  await hasCaughtUp(deps, WAITED_MS)
  return { now: deps.clock.businessNow(), movingTo: deps.clock.movingTo() }
}

/** Returns the length of the move in milliseconds. The length of a month depends on the calendar, from the day `from` on. */
function lengthOf({ days, months }: ClockRequest, from: Date): number {
  const start = toBankZone(from)
  return start.add({ days: days ?? 0, months: months ?? 0 }).epochMilliseconds - start.epochMilliseconds
}

/**
 * Charges the customer's main card at a shop. Fields that the request leaves out get random values. Throws Refusal `not_found`
 * if the customer has no main card.
 */
export async function shopCharges(
  deps: Deps,
  customer: Customer,
  request: z.output<typeof chargeRequest>,
  key: RequestKey,
): Promise<{ transaction: Transaction | null; declined: DeclineReason | null }> {
  const card = (await cardsOf(deps, customer.id)).find(({ kind }) => kind === 'main')
  if (!card) throw new Refusal('not_found')
  // A repeated request is the same purchase.
  const { result: sale } = await runOnce(deps, key, (trx) => saleFor(deps, trx, card, request))
  const { operationId: id } = key
  const merchant = shopByName(sale.shop)
  const declined = await payAtShop(deps, { id, card, merchant, amountMinor: sale.amountMinor, entry: 'contactless' })
  if (declined) return { transaction: null, declined }
  const line = await findLine(runIn(deps.db), card.accountId, await originOf(deps, id))
  return { transaction: line && transactionOfLine(line), declined: null }
}

async function saleFor(
  { policy }: Pick<Deps, 'policy'>,
  trx: SqlTransaction<Database>,
  card: CardRecord,
  { where, category, amountMinor }: z.output<typeof chargeRequest>,
): Promise<Sale> {
  if (where === 'declined') {
    const [account] = await accountsById(runIn(trx), [card.accountId])
    return expensivePurchase(
      Math.min(account?.availableMinor ?? 0, card.paymentLimitMinor ?? policy.cards.paymentMinor),
    )
  }
  const sale = where === 'abroad' ? randomPurchaseAbroad() : randomPurchase(category)
  return { ...sale, amountMinor: amountMinor ?? sale.amountMinor }
}

/** Returns the prefix of a payment's statement line ids. */
async function originOf({ db }: Pick<Deps, 'db'>, schemeId: string): Promise<string> {
  const { id } = await db
    .selectFrom('bank.card_authorisation')
    .select('id')
    .where('scheme_id', '=', schemeId)
    .executeTakeFirstOrThrow()
  return id
}

/** The amounts, in US cents, and the notes of the requests that friends send. */
const FRIENDS_ASK: readonly { amountMinor: number; note: (translator: Translator) => string }[] = [
  { amountMinor: 18_50, note: ({ i18n }) => i18n._({ id: 'sample.request.lunch', message: 'Lunch yesterday' }) },
  { amountMinor: 24_00, note: ({ i18n }) => i18n._({ id: 'sample.request.cinema', message: 'Movie tickets' }) },
  { amountMinor: 42_75, note: ({ i18n }) => i18n._({ id: 'sample.request.present', message: 'Birthday gift' }) },
]

/** Requests money from the customer on behalf of a friend from the sample history. */
export async function friendAsks(deps: Deps, customer: Customer, key: RequestKey): Promise<MoneyRequest> {
  const friends = await openFriends(deps)
  const { result } = await runOnce(deps, key, async (trx) => {
    const friend = friends[randomInt(friends.length)]
    const ask = FRIENDS_ASK[randomInt(FRIENDS_ASK.length)]
    if (!friend || !ask) throw new Error('The sample history has no friends')
    const note = ask.note(deps.translations.in(customer.language))
    const requests = [{ recipient: customer.fullName, customer, amountMinor: ask.amountMinor, note }]
    // The requests are not counted: all sample customers share the friends, who would soon reach the limit for one requester.
    const [id] = await createRequestsWithin(deps, trx, friend, requests, { counted: false })
    return id
  })
  return receivedView(deps, customer.id, result ?? '')
}

/**
 * Pays the customer's oldest open request to one of the friends, such as a share of a bill. Throws Refusal `nobody_asked` if
 * there is no open request.
 */
export async function friendPays(deps: Deps, customer: Customer, key: RequestKey): Promise<Transaction> {
  const friends = await openFriends(deps)
  const request = await oldestOpenRequest(
    deps,
    customer.id,
    friends.map(({ id }) => id),
  )
  const friend = friends.find(({ id }) => id === request?.payer_id)
  if (!request || !friend) throw new Refusal('nobody_asked')
  const amountMinor = openMinor(request)
  // All sample customers share the friends. The friend first receives the money for this payment, so that it never runs out.
  await receiveIncoming(deps, { customer: friend, payerName: EMPLOYER, amountMinor })
  await payRequest(deps, friend, request, amountMinor, key)
  const booked = await deps.ledger.find(key.operationId, key.fingerprint)
  if (!booked) throw new Error('The booked operation is missing from the ledger')
  return transactionOfBooked(booked, customer.currentAccountId)
}

/** Pays a salary from the employer of the sample history. Throws the ledger's refusals. */
export async function salaryArrives(
  deps: Deps,
  customer: Customer,
  { operationId, fingerprint }: RequestKey,
): Promise<Transaction> {
  const operation = await receiveIncoming(deps, {
    customer,
    payerName: EMPLOYER,
    amountMinor: SALARY_MINOR,
    // The note is in the customer's language.
    note: salaryNote(deps.translations.in(customer.language)),
    id: operationId,
    fingerprint,
  })
  return transactionOfBooked(operation, customer.currentAccountId)
}
