import { PAGE_SIZE } from '#server/platform/db/pages.ts'
import { defineSweep } from '#server/platform/jobs/sweep.ts'
import { timeOn } from '#server/calendar/zone.ts'
import { firstDayOfMonth, monthOf, monthPeriod, type Period } from '#server/calendar/months.ts'
import { type Transaction } from 'kysely'
import { z } from 'zod'
import { CASHBACK_PERCENT } from '#contract/card-terms.ts'
import { Refusal } from '#contract/errors.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { derivedIdentity } from '#server/ledger/derived-id.ts'
import { fingerprintOf } from '#server/ledger/fingerprint.ts'
import { paidByCard } from '#server/ledger/flows.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runAll, runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { SqlStatement } from '#server/platform/db/statement.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineJob } from '#server/platform/jobs/job.ts'
import { enqueued } from '#server/platform/jobs/queue.ts'
import { takeOrOwe } from '#server/owed/take-or-owe.ts'

/**
 * The time between a month's end and the payment of its cashback, in milliseconds. By then the month's last bookings are
 * committed.
 */
const SETTLED_MS = 60 * 60_000

/**
 * Returns the cashback of a month's card payments in US cents, rounded down, and the refunds to subtract in later months.
 * `paidMinor` is the month's payments less the month's refunds and may be below zero. A payment that is refunded in a later
 * month therefore earns nothing in the end.
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
 * Returns the card payments of a customer in a month, in US cents, less the amounts paid back: refunds by the shop, and
 * disputes that were upheld, which the scheme pays to the customer in another way.
 */
async function readShopTurnover(db: Deps['db'], customerId: string, month: Period): Promise<number> {
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

/** Starts the cashback of customers with this calendar month. Cashback that has started already stays unchanged. */
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

/** Returns the cashback that a customer has earned in this calendar month so far, in US cents. */
export async function readCashbackThisMonth(deps: Pick<Deps, 'db' | 'clock'>, customerId: string): Promise<number> {
  const now = deps.clock.businessNow()
  const [row, paidMinor] = await Promise.all([
    deps.db
      .selectFrom('bank.cashback')
      .select('refunds_left_minor')
      .where('customer_id', '=', customerId)
      .executeTakeFirst(),
    readShopTurnover(deps.db, customerId, monthPeriod(now)),
  ])
  return cashbackOf(paidMinor, row?.refunds_left_minor ?? 0).earnedMinor
}

/** Pays the cashback of past months. Each month is paid once, however late and often the job runs. */
export const cashbackJob = defineSweep({
  name: 'cards.pay_cashback',
  everyMinutes: 15,
  find: unpaidCustomers,
  // The payment may fail, for example because the customer's account is full.
  work: (deps, { id }) => payMonths(deps, id, settledUntil(deps)),
  failed: 'cashback could not be paid',
})

/**
 * Returns the first day of the earliest month that is not ready to pay. Earlier months are over, and their bookings are
 * committed.
 */
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

/** Locks a customer's cashback record until the SQL transaction ends. A closed customer has no record. */
function lockCashback(trx: Transaction<Database>, customerId: string) {
  return trx
    .selectFrom('bank.cashback as b')
    .innerJoin('bank.customer as c', 'c.id', 'b.customer_id')
    .select(['b.refunds_left_minor', 'b.earned_minor', 'b.paid_before', 'c.current_account_id'])
    .where('b.customer_id', '=', customerId)
    .forNoKeyUpdate('b')
    .executeTakeFirst()
}

/** Pays a customer the unpaid past months, one after the other. */
async function payMonths(deps: Deps, customerId: string, until: string): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const row = await lockCashback(trx, customerId)
    if (!row) return
    let uncoveredRefundsMinor = row.refunds_left_minor
    let earnedTotalMinor = row.earned_minor
    for (let month = row.paid_before; month < until; month = firstDayOfMonth(month, 1)) {
      const paidMinor = await readShopTurnover(trx, customerId, monthPeriod(month))
      const { earnedMinor, refundsLeftMinor } = cashbackOf(paidMinor, uncoveredRefundsMinor)
      uncoveredRefundsMinor = refundsLeftMinor
      if (earnedMinor === 0) continue
      await pay(deps, trx, { customerId, accountId: row.current_account_id, month, amountMinor: earnedMinor })
      earnedTotalMinor += earnedMinor
    }
    await trx
      .updateTable('bank.cashback')
      .set({ paid_before: until, refunds_left_minor: uncoveredRefundsMinor, earned_minor: earnedTotalMinor })
      .where('customer_id', '=', customerId)
      .execute()
    // Refunds of the new month may have been booked before the past months' cashback was paid.
    if (
      earnedTotalMinor > 0 &&
      (await refundedBeyond(trx, { customerId, since: timeOn(until), leftMinor: uncoveredRefundsMinor })) > 0
    )
      await runAll(trx, [
        enqueueCashbackTakeBack({ customerId, causeId: derivedIdentity('cards', customerId, `cashback ${until}`).id }),
      ])
  })
}

/**
 * Returns the amount by which refunds exceed payments since the last counted month, in US cents. It includes the refunds left
 * from that month, and is below zero if the payments exceed the refunds.
 */
async function refundedBeyond(
  trx: Transaction<Database>,
  { customerId, since, leftMinor }: { customerId: string; since: Date; leftMinor: number },
): Promise<number> {
  return leftMinor - (await readShopTurnover(trx, customerId, { from: since, to: new Date('9999-01-01') }))
}

const cashbackTaken = z.object({ customerId: z.uuid(), causeId: z.uuid() })

/**
 * Returns the statement that enqueues a job. The job takes back the cashback of a refund soon after the SQL transaction
 * commits. `causeId` is the refund's operation, or a derived id if the refunds were booked before the cashback was paid.
 */
export const enqueueCashbackTakeBack = (takeBack: z.infer<typeof cashbackTaken>): SqlStatement =>
  enqueued(takeCashbackBackJob, takeBack)

/**
 * Takes back the cashback of the amount by which refunds exceed later payments, but never more than the cashback paid out. If
 * the customer has spent the cashback, the amount becomes a debt. The refund then counts as settled, so later payments of the
 * month earn cashback in full.
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
      // The id includes the remaining refunds. A second run then takes back only refunds made since the first one.
      const identity = derivedIdentity('cards', causeId, `cashback ${leftMinor}`)
      const kind = 'card.cashback_back'
      await takeOrOwe(deps, trx, {
        operation: { ...identity, kind, fingerprint: fingerprintOf(kind, causeId), bookedAt: deps.clock.businessNow() },
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
    ...derivedIdentity('cards', customerId, `cashback ${paidMonth}`),
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
 * Ends the cashback of a customer who closes the account. Throws Refusal `owes_bank` while a job still has to take back the
 * cashback of a refund, which takes a moment.
 */
export async function endCashback(trx: Transaction<Database>, customerId: string): Promise<void> {
  const row = await lockCashback(trx, customerId)
  if (!row) return
  const about = { customerId, since: timeOn(row.paid_before), leftMinor: row.refunds_left_minor }
  const dueMinor = Math.floor(((await refundedBeyond(trx, about)) * CASHBACK_PERCENT) / 100)
  if (Math.min(dueMinor, row.earned_minor) > 0) throw new Refusal('owes_bank')
  await trx.deleteFrom('bank.cashback').where('customer_id', '=', customerId).execute()
}
