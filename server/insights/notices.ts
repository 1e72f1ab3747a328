import { addDays } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import { notifyBudgets } from '#server/insights/budgets.ts'
import { hasClosed } from '#server/identity/customers/lock.ts'
import { lettersOf } from '#contract/payee-letters.ts'
import { findRecurring } from '#server/insights/recurring/recurring.ts'
import { spendingAccountsAfter } from '#server/ledger/payees.ts'
import { notify } from '#server/notifications/service.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'

type WatchDeps = Pick<Deps, 'db' | 'clock' | 'events' | 'log'>

/** The number of accounts read at a time. */
const PAGE = 1_000
/** The number of days for which a price rise is news. */
const NEWS_DAYS = 14
/** The smallest share by which a price must rise to cause a notice. */
const MIN_RISE = 0.01

/**
 * Sends customers notices of nearly or fully used budgets and of recurring payments whose price has risen. It checks only
 * accounts with entries after their `watched_version`, and updates that version after writing the notices. If a run breaks off,
 * the next run checks the account again.
 */
async function sendInsightNotices(deps: WatchDeps): Promise<void> {
  for await (const { customerIds, changed } of unwatched(deps)) {
    for (const customerId of customerIds) {
      try {
        await notifyCustomer(
          deps,
          customerId,
          changed.filter(({ holderId }) => holderId === customerId),
        )
      } catch (error) {
        // The run goes on with other customers. The next run checks this customer's accounts again.
        deps.log.error({ err: error, customerId }, "a customer's accounts could not be checked for notices")
      }
    }
  }
}

type ChangedAccount = { id: number; holderId: string; version: number; watched: number }

/** Returns customers whose accounts have unchecked entries, with those accounts, a page at a time. */
async function* unwatched({
  db,
}: Pick<WatchDeps, 'db'>): AsyncGenerator<{ customerIds: string[]; changed: ChangedAccount[] }> {
  for (let after = 0; ;) {
    const accounts = await spendingAccountsAfter(runIn(db), after, PAGE)
    const last = accounts.at(-1)
    if (!last) return
    const rows = await db
      .selectFrom('bank.insight_account')
      .select(['account_id', 'watched_version'])
      .where('account_id', '>', after)
      .where('account_id', '<=', last.id)
      .execute()
    const watched = new Map(rows.map((row) => [row.account_id, row.watched_version]))
    const changedAccounts = accounts
      .map((account) => ({ ...account, watched: watched.get(account.id) ?? 0 }))
      .filter((account) => account.version > account.watched)
    const customerIds = await openAmong(db, new Set(changedAccounts.map(({ holderId }) => holderId)))
    if (customerIds.length > 0) yield { customerIds, changed: changedAccounts }
    after = last.id
  }
}

/** Returns the customers who have not closed their accounts. For closed customers nothing may be stored. */
async function openAmong(db: WatchDeps['db'], customerIds: ReadonlySet<string>): Promise<string[]> {
  if (customerIds.size === 0) return []
  const rows = await db
    .selectFrom('bank.customer')
    .select('id')
    .where('id', 'in', [...customerIds])
    .where('closed_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Sends a customer's notices and stores the version up to which each account was checked. */
async function notifyCustomer(deps: WatchDeps, customerId: string, accounts: readonly ChangedAccount[]): Promise<void> {
  await tellOfPrices(deps, customerId)
  await notifyBudgets(deps, customerId)
  for (const { id, version, watched } of accounts) {
    await deps.db
      .updateTable('bank.insight_account')
      .set({ watched_version: version })
      .where('account_id', '=', id)
      // A budget or category that was changed meanwhile has set another version, so the next run checks the account.
      .where('watched_version', '=', watched)
      .execute()
  }
}

/** Notifies a customer of recurring payments whose price has risen recently, once each. */
async function tellOfPrices(deps: WatchDeps, customerId: string): Promise<void> {
  const firstNewsDay = addDays(dayOf(deps.clock.businessNow()), -NEWS_DAYS)
  for (const { payee, amountMinor, previousAmountMinor, changedOn } of await findRecurring(deps, customerId)) {
    if (previousAmountMinor === undefined || changedOn === undefined || changedOn < firstNewsDay) continue
    if (amountMinor < previousAmountMinor * (1 + MIN_RISE)) continue
    await inTransaction(deps.db, async (trx) => {
      // The customer may have closed their account since the accounts were read.
      if (await hasClosed(trx, customerId)) return
      const inserted = await trx
        .insertInto('bank.price_notice')
        // The letters of a payee's name identify the payee, because the spelling of the name may vary.
        .values({
          customer_id: customerId,
          payee: lettersOf(payee.toLowerCase()),
          amount_minor: amountMinor,
          paid_on: changedOn,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('payee')
        .execute()
      if (inserted.length === 0) return
      const params = { name: payee, amountMinor, beforeMinor: previousAmountMinor, asset: 'USD' as const }
      await notify(deps, trx, { customerId, kind: 'price_raised', params })
    })
  }
}

export const insightNoticesJob = defineRecurringJob({
  name: 'insights.watch',
  everyMinutes: 5,
  byDate: true,
  isDue: async (deps) => (await unwatched(deps).next()).done !== true,
  work: sendInsightNotices,
})
