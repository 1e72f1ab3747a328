import { zoned } from '#server/platform/time-zone.ts'
import { randomInt } from 'node:crypto'
import type { Transaction as SqlTransaction } from 'kysely'
import type { z } from 'zod'
import type { Transaction } from '#contract/accounts.ts'
import type { DeclineReason } from '#contract/decline-reasons.ts'
import { Refusal } from '#contract/errors.ts'
import type { chargeRequest, ClockRequest, SamplePanel } from '#contract/sample.ts'
import { transactionOfBooked, transactionOfLine } from '#server/accounts/transaction.ts'
import { type Card, cardsOf } from '#server/cards/card.ts'
import type { MoneyRequest } from '#contract/requests.ts'
import type { Deps } from '#server/platform/deps.ts'
import { shopNamed } from '#server/card-scheme/shops.ts'
import { payAtShop } from '#server/card-scheme/simulated.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { findLine } from '#server/ledger/statement.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'
import { once } from '#server/platform/once.ts'
import type { Translator } from '#server/platform/translations.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { caughtUp, moveDate } from '#server/platform/jobs/date-walk.ts'
import { receiveIncoming } from '#server/payments/incoming.ts'
import { dearPurchase, type Sale, somePurchase, somePurchaseAbroad } from '#server/sample/shops.ts'
import { createRequestsWithin } from '#server/requests/ask.ts'
import { payRequest } from '#server/requests/pay.ts'
import { oldestAsked, receivedView } from '#server/requests/read.ts'
import { openMinor } from '#server/requests/request.ts'
import { openFriends } from '#server/sample/story.ts'
import { EMPLOYER, SALARY_MINOR, salaryNote } from '#server/payments/story.ts'

export function readPanel({ clock, policy }: Pick<Deps, 'clock' | 'policy'>, customer: Customer): SamplePanel {
  const { fullName, email, phone } = customer
  const dateMovedBy = policy.dateControl?.by ?? 'operator'
  return { now: clock.businessNow().toISOString(), dateMovedBy, customer: { fullName, email, phone } }
}

/**
 * Puts the date forward for a visitor. Throws Refusal `date_kept` where the operator alone may, `date_moved_often` where
 * visitors have done so as often as they may for now, and what putDateForward refuses.
 */
export async function visitorPutsDateForward(
  deps: Pick<Deps, 'clock' | 'db' | 'policy' | 'limiters'>,
  by: ClockRequest,
  key: RequestKey,
): Promise<MovedDate> {
  const { dateControl } = deps.policy
  if (dateControl?.by !== 'everybody') throw new Refusal('date_kept')
  const moves = limiterFor(deps, { name: 'sample-date', points: dateControl.perHour, seconds: 60 * 60 })
  if ((await countWithin(moves, 'all')) === null) throw new Refusal('date_moved_often')
  return putDateForward(deps, by, key)
}

/** The business time, and the date that the bank is moving to, day by day; null once it has arrived. */
export type MovedDate = { now: Date; movingTo: Date | null }

/** How long whoever puts the date forward waits until its days are worked, in milliseconds. */
const WAITED_MS = 10_000

/**
 * Puts the whole bank's date forward, and has the days between worked one after the other. Answers once they are,
 * or after ten seconds. Throws Refusal `date_limit_reached` past the last date of the policy.
 */
export async function putDateForward(
  deps: Pick<Deps, 'clock' | 'db' | 'policy'>,
  by: ClockRequest,
  key: RequestKey,
): Promise<MovedDate> {
  await once(deps, key, async (trx) => {
    const target = await moveDate(trx, deps, (from) => lengthOf(by, from))
    if (deps.policy.dateControl && target > deps.policy.dateControl.until) throw new Refusal('date_limit_reached')
  })
  await caughtUp(deps, WAITED_MS)
  return { now: deps.clock.businessNow(), movingTo: deps.clock.movingTo() }
}

/** A month is as long as the calendar says from that day on, in milliseconds. */
function lengthOf({ days, months }: ClockRequest, from: Date): number {
  const start = zoned(from)
  return start.add({ days: days ?? 0, months: months ?? 0 }).epochMilliseconds - start.epochMilliseconds
}

/**
 * A shop charges the customer's main card; what the request leaves open is chosen by chance.
 * Throws Refusal `not_found` where there is no main card.
 */
export async function shopCharges(
  deps: Deps,
  customer: Customer,
  request: z.output<typeof chargeRequest>,
  key: RequestKey,
): Promise<{ transaction: Transaction | null; declined: DeclineReason | null }> {
  const card = (await cardsOf(deps, customer.id)).find(({ kind }) => kind === 'main')
  if (!card) throw new Refusal('not_found')
  // Asked again, it is the same purchase.
  const { result: sale } = await once(deps, key, (trx) => saleFor(deps, trx, card, request))
  const { operationId: id } = key
  const merchant = shopNamed(sale.shop)
  const declined = await payAtShop(deps, { id, card, merchant, amountMinor: sale.amountMinor, entry: 'contactless' })
  if (declined) return { transaction: null, declined }
  const line = await findLine(runIn(deps.db), card.accountId, await originOf(deps, id))
  return { transaction: line && transactionOfLine(line), declined: null }
}

async function saleFor(
  { policy }: Pick<Deps, 'policy'>,
  trx: SqlTransaction<Database>,
  card: Card,
  { where, category, amountMinor }: z.output<typeof chargeRequest>,
): Promise<Sale> {
  if (where === 'declined') {
    const [account] = await accountsById(runIn(trx), [card.accountId])
    return dearPurchase(Math.min(account?.availableMinor ?? 0, card.paymentLimitMinor ?? policy.cards.paymentMinor))
  }
  const sale = where === 'abroad' ? somePurchaseAbroad() : somePurchase(category)
  return { ...sale, amountMinor: amountMinor ?? sale.amountMinor }
}

/** What a payment's line of the statement begins with. */
async function originOf({ db }: Pick<Deps, 'db'>, schemeId: string): Promise<string> {
  const { id } = await db
    .selectFrom('bank.card_authorisation')
    .select('id')
    .where('scheme_id', '=', schemeId)
    .executeTakeFirstOrThrow()
  return id
}

/** What friends ask for, US cents, and for what. */
const FRIENDS_ASK: readonly { amountMinor: number; note: (say: Translator) => string }[] = [
  { amountMinor: 18_50, note: ({ i18n }) => i18n._({ id: 'sample.request.lunch', message: 'Lunch yesterday' }) },
  { amountMinor: 24_00, note: ({ i18n }) => i18n._({ id: 'sample.request.cinema', message: 'Cinema tickets' }) },
  { amountMinor: 42_75, note: ({ i18n }) => i18n._({ id: 'sample.request.present', message: 'Birthday present' }) },
]

/** One of the friends of the sample story asks the customer for money. */
export async function friendAsks(deps: Deps, customer: Customer, key: RequestKey): Promise<MoneyRequest> {
  const friends = await openFriends(deps)
  const { result } = await once(deps, key, async (trx) => {
    const friend = friends[randomInt(friends.length)]
    const ask = FRIENDS_ASK[randomInt(FRIENDS_ASK.length)]
    if (!friend || !ask) throw new Error('The sample story has no friends')
    const note = ask.note(deps.translations.in(customer.language))
    const asks = [{ recipient: customer.fullName, customer, amountMinor: ask.amountMinor, note }]
    // The friends are everybody's, so that no limit on what one customer asks would do.
    const [id] = await createRequestsWithin(deps, trx, friend, asks, { counted: false })
    return id
  })
  return receivedView(deps, customer.id, result ?? '')
}

/**
 * One of those friends pays the oldest request that the customer has made of them: a share of a bill, say. Throws Refusal
 * `nobody_asked` where there is none.
 */
export async function friendPays(deps: Deps, customer: Customer, key: RequestKey): Promise<Transaction> {
  const friends = await openFriends(deps)
  const request = await oldestAsked(
    deps,
    customer.id,
    friends.map(({ id }) => id),
  )
  const friend = friends.find(({ id }) => id === request?.payer_id)
  if (!request || !friend) throw new Refusal('nobody_asked')
  const amountMinor = openMinor(request)
  // They are everybody's friends, so they need money for everybody.
  await receiveIncoming(deps, { customer: friend, payerName: EMPLOYER, amountMinor })
  await payRequest(deps, friend, request, amountMinor, key)
  const booked = await deps.ledger.find(key.operationId, key.fingerprint)
  if (!booked) throw new Error('The ledger does not know what it has booked')
  return transactionOfBooked(booked, customer.currentAccountId)
}

/** The employer of the sample story pays. Throws what the ledger refuses. */
export async function salaryArrives(
  deps: Deps,
  customer: Customer,
  { operationId, fingerprint }: RequestKey,
): Promise<Transaction> {
  const booked = await receiveIncoming(deps, {
    customer,
    payerName: EMPLOYER,
    amountMinor: SALARY_MINOR,
    // An employer writes as its people read.
    note: salaryNote(deps.translations.in(customer.language)),
    id: operationId,
    fingerprint,
  })
  return transactionOfBooked(booked, customer.currentAccountId)
}
