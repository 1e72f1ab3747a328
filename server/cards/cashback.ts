import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { timeOn } from '#server/calendar/zone.ts'
import { firstDayOfMonth, monthOf, monthPeriod, type Period } from '#server/calendar/months.ts'
import { type Transaction } from 'kysely'
import { z } from 'zod'
import { CASHBACK_PERCENT } from '#contract/card-terms.ts'
import { Refusal } from '#contract/errors.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derived } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { paidByCard } from '#server/ledger/flows.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runAll, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Statement } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueued } from '#server/platform/jobs/queue.ts'
import { takeOrOwe } from '#server/owed/taking.ts'

/** How long after its end a month is paid: what was booked in its last moments is committed by then. */
const SETTLED_MS = 60 * 60_000

/**
 * What card payments of a month earn, US cents, rounded down to the cent, and what of refunds is left for the months after.
 * `paidMinor` has the month's refunds taken off and may be below zero; so a payment that is refunded in another month
 * earns nothing in the end.
 */
export function cashbackOf(
  paidMinor: number,
  refundsLeftMinor: number,
): { earnedMinor: number; refundsLeftMinor: number } {
  const countedMinor = paidMinor - refundsLeftMinor
  const earnedMinor = Math.floor((Math.max(0, countedMinor) * CASHBACK_PERCENT) / 100)
  return { earnedMinor, refundsLeftMinor: Math.max(0, -countedMinor) }
}

/**
 * What shops got of a customer's cards in a month, US cents, less what came back of it: refunded by the shop, or by the scheme
 * for a dispute that was upheld, which pays it to the customer by another way.
 */
async function keptByShops(db: Deps['db'], customerId: string, month: Period): Promise<number> {
  const [paidMinor, upheld] = await Promise.all([
    paidByCard(runIn(db), customerId, month),
    db
      .selectFrom('bank.dispute')
      .select(({ fn }) => fn.sum<string | null>('upheld_minor').as('minor'))
      .where('customer_id', '=', customerId)
      .where('status', '=', 'upheld')
      .where('decided_at', '>=', month.from)
      .where('decided_at', '<', month.to)
      .executeTakeFirst(),
  ])
  return paidMinor - Number(upheld?.minor ?? 0)
}

/** Begins customers' cashback with this calendar month, where it has not begun. */
export async function beginCashback(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customerIds: readonly string[],
): Promise<void> {
  const month = firstDayOfMonth(clock.businessNow())
  await db
    .insertInto('bank.cashback')
    .values(customerIds.map((customer_id) => ({ customer_id, paid_before: month })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What a customer's card payments of this calendar month have earned so far, US cents. */
export async function earnedThisMonth(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<number> {
  const now = deps.clock.businessNow()
  const [row, paidMinor] = await Promise.all([
    deps.db
      .selectFrom('bank.cashback')
      .select('refunds_left_minor')
      .where('customer_id', '=', customerId)
      .executeTakeFirst(),
    keptByShops(deps.db, customerId, monthPeriod(now)),
  ])
  return cashbackOf(paidMinor, row?.refunds_left_minor ?? 0).earnedMinor
}

/** Pays the cashback of months that are over. However late and often it runs, each month is paid once. */
export const cashbackJob = defineSweep({
  name: 'cards.pay_cashback',
  everyMinutes: 15,
  find: unpaidCustomers,
  // Their account may be full, say.
  work: (deps, { id }) => payMonths(deps, id, settledUntil(deps)),
  failed: 'cashback could not be paid',
})

/** Months before this day are over, and what was booked in them is committed. */
const settledUntil = ({ clock }: Pick<Deps, 'clock'>): string =>
  firstDayOfMonth(new Date(clock.businessNow().getTime() - SETTLED_MS))

function unpaidCustomers(deps: Pick<Deps, 'db' | 'clock'>, after: { id: string } | null): Promise<{ id: string }[]> {
  let query = deps.db
    .selectFrom('bank.cashback')
    .select('customer_id as id')
    .where('paid_before', '<', settledUntil(deps))
  if (after) query = query.where('customer_id', '>', after.id)
  return query.orderBy('customer_id').limit(PAGE_SIZE).execute()
}

/** How far a customer's cashback has come, locked until the SQL transaction ends; none for one who has closed. */
function lockCashback(trx: Transaction<Database>, customerId: string) {
  return trx
    .selectFrom('bank.cashback as b')
    .innerJoin('bank.customer as c', 'c.id', 'b.customer_id')
    .select(['b.refunds_left_minor', 'b.earned_minor', 'b.paid_before', 'c.current_account_id'])
    .where('b.customer_id', '=', customerId)
    .forNoKeyUpdate('b')
    .executeTakeFirst()
}

/** Pays a customer the months that are over and not paid yet, one after the other. */
async function payMonths(deps: Deps, customerId: string, until: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockCashback(trx, customerId)
    if (!row) return
    let left = row.refunds_left_minor
    let earned = row.earned_minor
    for (let month = row.paid_before; month < until; month = firstDayOfMonth(month, 1)) {
      const paidMinor = await keptByShops(trx, customerId, monthPeriod(month))
      const { earnedMinor, refundsLeftMinor } = cashbackOf(paidMinor, left)
      left = refundsLeftMinor
      if (earnedMinor === 0) continue
      await pay(deps, trx, { customerId, accountId: row.current_account_id, month, amountMinor: earnedMinor })
      earned += earnedMinor
    }
    await trx
      .updateTable('bank.cashback')
      .set({ paid_before: until, refunds_left_minor: left, earned_minor: earned })
      .where('customer_id', '=', customerId)
      .execute()
    // What was refunded after the month and before it was paid.
    if (earned > 0 && (await refundedBeyond(trx, { customerId, since: timeOn(until), leftMinor: left })) > 0)
      await runAll(trx, [
        cashbackTakenBack({ customerId, causeId: derived('cards', customerId, `cashback ${until}`).id }),
      ])
  })
}

/** What was refunded beyond what was paid since the last month that was counted, US cents. */
async function refundedBeyond(
  trx: Transaction<Database>,
  { customerId, since, leftMinor }: { customerId: string; since: Date; leftMinor: number },
): Promise<number> {
  return leftMinor - (await keptByShops(trx, customerId, { from: since, to: new Date('9999-01-01') }))
}

const cashbackTaken = z.object({ customerId: z.uuid(), causeId: z.uuid() })

/**
 * The statement that takes back the cashback of payments that came back, a moment after the SQL transaction commits.
 * `causeId` is the refund.
 */
export const cashbackTakenBack = (taken: z.infer<typeof cashbackTaken>): Statement =>
  enqueued(takeCashbackBackJob, taken)

/**
 * Takes back the cashback of what came back beyond what was paid since: never more than was paid out. What the customer
 * has spent of it they owe. Payments of the rest of the month earn as if it had not been refunded: that is settled by then.
 */
export const takeCashbackBackJob = defineJob({
  name: 'cards.take_cashback_back',
  payload: cashbackTaken,
  work: async (deps, { customerId, causeId }) => {
    await inTransaction(deps.db, async (trx) => {
      const row = await lockCashback(trx, customerId)
      if (!row) return
      const leftMinor = row.refunds_left_minor
      const beyondMinor = await refundedBeyond(trx, { customerId, since: timeOn(row.paid_before), leftMinor })
      const amountMinor = Math.min(row.earned_minor, Math.floor((beyondMinor * CASHBACK_PERCENT) / 100))
      if (amountMinor <= 0) return
      await trx
        .updateTable('bank.cashback')
        .set({
          refunds_left_minor: leftMinor - (amountMinor * 100) / CASHBACK_PERCENT,
          earned_minor: row.earned_minor - amountMinor,
        })
        .where('customer_id', '=', customerId)
        .execute()
      // With what was left, so that a second run takes what came back since the first one, and not the same again.
      const named = derived('cards', causeId, `cashback ${leftMinor}`)
      const kind = 'card.cashback_back'
      await takeOrOwe(deps, trx, {
        operation: { ...named, kind, fingerprint: fingerprintOf(kind, causeId), bookedAt: deps.clock.businessNow() },
        debt: { customerId, cause: 'cashback', causeId: null, name: null, amountMinor },
        credit: bankAccount('rewards_expense'),
        loss: bankAccount('card_losses'),
        detail: { label: 'cashback.taken_back', category: 'income' },
      })
    })
  },
})

type Payout = { customerId: string; accountId: AccountId; month: string; amountMinor: number }

async function pay(deps: Deps, trx: Transaction<Database>, payout: Payout): Promise<void> {
  const { customerId, amountMinor } = payout
  const bookedAt = deps.clock.businessNow()
  const [booked] = await deps.ledger.postWithin(runIn(trx), [cashbackOperation(payout, bookedAt)])
  if (booked?.replayed) return
  await notify(deps, trx, {
    customerId,
    kind: 'cashback_paid',
    params: { amountMinor, asset: 'USD' },
    createdAt: bookedAt,
  })
}

function cashbackOperation({ customerId, accountId, month, amountMinor }: Payout, bookedAt: Date): Operation {
  const paidMonth = monthOf(month)
  return {
    ...derived('cards', customerId, `cashback ${paidMonth}`),
    kind: 'card.cashback',
    fingerprint: fingerprintOf('card.cashback', customerId, paidMonth),
    bookedAt,
    legs: [
      {
        kind: 'transfer',
        debit: bankAccount('rewards_expense'),
        credit: accountId,
        amountMinor,
        detail: { label: 'card_cashback', category: 'income' },
      },
    ],
  }
}

/**
 * No cashback is paid to a customer who has closed. Throws Refusal `owes_bank` while that of a refund is being taken back,
 * which takes a moment.
 */
export async function endCashback(trx: Transaction<Database>, customerId: string): Promise<void> {
  const row = await lockCashback(trx, customerId)
  if (!row) return
  const about = { customerId, since: timeOn(row.paid_before), leftMinor: row.refunds_left_minor }
  const dueMinor = Math.floor(((await refundedBeyond(trx, about)) * CASHBACK_PERCENT) / 100)
  if (Math.min(dueMinor, row.earned_minor) > 0) throw new Refusal('owes_bank')
  await trx.deleteFrom('bank.cashback').where('customer_id', '=', customerId).execute()
}
