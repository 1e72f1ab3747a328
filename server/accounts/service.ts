import type { RawBuilder } from 'kysely'
import { jsonObjectFrom } from 'kysely/helpers/postgres'
import { addDays, dayAfter } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { sameDaysLastMonth, startOfMonth } from '#server/calendar/months.ts'
import {
  MAX_COUNTED,
  type Dashboard,
  SUMMARY_DAYS,
  type Transaction,
  type TransactionCount,
  type TransactionDetail,
  type TransactionFilters,
} from '#contract/accounts.ts'
import { isSpendingCategory } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import type { Asset } from '#contract/money.ts'
import { initialsOf } from '#contract/initials.ts'
import { digestOfIdentifier } from '#server/accounts/identifiers.ts'
import { transactionOfLine } from '#server/accounts/transaction.ts'
import type { Deps } from '#server/platform/deps.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { selectAccountsOf, toAccount } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { flowOf, monthInCategory, spendingFlows } from '#server/ledger/flows.ts'
import { findAccountsOfOperation, findOperationsByDigest } from '#server/ledger/find-by-reference.ts'
import { findLine, type Line, listLines } from '#server/ledger/statement.ts'
import { isUuid } from '#server/platform/uuid.ts'
import { unansweredOf } from '#server/bank/unanswered.ts'
import { debtsOf } from '#server/owed/debts.ts'
import { selectUnread } from '#server/notifications/service.ts'
import { readSearch } from '#server/accounts/search.ts'
import { readAnnotations } from '#server/accounts/annotations/annotations.ts'
import { findOperationsByNote } from '#server/accounts/annotations/notes.ts'
import { countedCategory } from '#server/insights/months/category-choices.ts'
import { claimUrl } from '#server/accounts/claim-link.ts'
import { upcomingFor, prepareUpcoming } from '#server/accounts/upcoming.ts'
import { selectFirstGoal } from '#server/savings/service.ts'

/** The number of transactions that the dashboard shows. */
const RECENT = 5

type ListDeps = Pick<Deps, 'pool' | 'db' | 'translations'>
type Lister = Pick<Customer, 'id' | 'currentAccountId' | 'language'>
type Page = { cursor?: string | undefined; limit: number }

/** Returns a page of the current account's transactions, newest first. Throws Refusal `cursor_invalid`. */
export async function listTransactions(
  deps: ListDeps,
  customer: Lister,
  filters: TransactionFilters,
  page: Page,
): Promise<{ transactions: Transaction[]; nextCursor: string | null }> {
  const run = runOn(deps.pool)
  const accountId = customer.currentAccountId
  const digest = filters.q ? digestOfIdentifier(filters.q) : null
  const originIds = [
    ...(digest ? await findOperationsByDigest(run, accountId, digest.purpose, digest.bits) : []),
    ...(filters.q ? await findOperationsByNote(deps, customer.id, filters.q) : []),
  ]
  const reading = filters.q ? readSearch(deps.translations.in(customer.language), filters.q) : undefined
  const { lines, nextCursor } = await listLines(run, {
    accountId,
    filters: { ...filters, originIds, reading },
    ...page,
  })
  return { transactions: lines.map(transactionOfLine), nextCursor }
}

type Holder = Pick<Customer, 'currentAccountId'>
type Reader = Pick<Customer, 'id' | 'currentAccountId'>

/**
 * Returns a line of the current account or of a virtual card's account. A customer can thus open and report every payment that
 * a notice names. Throws Refusal `transaction_not_found`, also for another customer's transaction.
 */
async function lineOf(
  deps: Pick<Deps, 'pool'>,
  customer: Reader,
  id: string,
): Promise<{ line: Line; accountId: AccountId }> {
  const run = runOn(deps.pool)
  const currentLine = await findLine(run, customer.currentAccountId, id)
  if (currentLine) return { line: currentLine, accountId: customer.currentAccountId }
  const accountId = await cardAccountOf(run, customer, id)
  const line = accountId === null ? null : await findLine(run, accountId, id)
  if (accountId === null || !line) throw new Refusal('transaction_not_found')
  return { line, accountId }
}

/**
 * Returns the account of the customer's virtual card whose money an operation moved. The card may have been removed. Returns
 * null if the operation moved no virtual card's money.
 */
async function cardAccountOf(run: Run, { id: customerId }: Reader, id: string): Promise<AccountId | null> {
  const [originId = ''] = id.split('.')
  if (!isUuid(originId)) return null
  const { rows } = await run(
    'SELECT own_account_id FROM bank.card WHERE customer_id = $1 AND own_account_id = ANY($2) LIMIT 1',
    [customerId, await findAccountsOfOperation(run, originId)],
  )
  return (rows[0]?.['own_account_id'] as AccountId | undefined) ?? null
}

/**
 * Returns one of the customer's transactions as in a list. Throws Refusal `transaction_not_found`, also for another customer's
 * transaction.
 */
export async function readTransaction(deps: Pick<Deps, 'pool'>, customer: Reader, id: string): Promise<Transaction> {
  return transactionOfLine((await lineOf(deps, customer, id)).line)
}

/**
 * Returns one of the customer's transactions with the additions of its own screen: the claim link while the money waits for a
 * person who is not a customer, and the month's total in the transaction's category. Throws Refusal `transaction_not_found`.
 */
export async function readTransactionDetail(
  deps: Pick<Deps, 'pool' | 'db' | 'config'>,
  customer: Reader,
  id: string,
): Promise<TransactionDetail> {
  const { line, accountId } = await lineOf(deps, customer, id)
  const isOpen = line.status === 'pending' && line.side === 'debit'
  // An authorized card payment also has an end date for its hold, but no person can claim it.
  const expiresAt = isOpen && (await isForSomebody(deps, line.originId)) ? line.expiresAt : null
  const claim = expiresAt && { url: claimUrl(deps.config, line.originId), expiresAt: expiresAt.toISOString() }
  const settlesAt = line.status === 'pending' ? line.settlesAt : null
  const [annotations, countsAs, soFar] = await Promise.all([
    readAnnotations(deps, customer.id, line.id),
    countedCategory(deps, customer.id, line),
    spentSoFar(deps, accountId, line),
  ])
  return {
    ...transactionOfLine(line),
    ...annotations,
    claim,
    settlesAt: settlesAt?.toISOString() ?? null,
    heldUntil: isOpen ? (line.expiresAt?.toISOString() ?? null) : null,
    countsAs,
    monthInCategory: soFar,
  }
}

/** Whether the operation holds money for a person who is not a customer. */
async function isForSomebody({ pool }: Pick<Deps, 'pool'>, originId: string): Promise<boolean> {
  const { rows } = await runOn(pool)('SELECT FROM bank.claim WHERE operation_id = $1', [originId])
  return rows.length > 0
}

async function spentSoFar(
  deps: Pick<Deps, 'pool'>,
  accountId: AccountId,
  { side, category, version, bookedAt }: Line,
): Promise<TransactionDetail['monthInCategory']> {
  if (side === 'credit' || version === null || category === null || !isSpendingCategory(category)) return null
  return monthInCategory(runOn(deps.pool), accountId, category, { version, at: bookedAt })
}

/**
 * Returns the number of matching transactions of the current account, and their sums. If there are more than MAX_COUNTED, the
 * number is MAX_COUNTED, `more` is true and the sums are null.
 */
export async function countTransactions(
  deps: ListDeps,
  customer: Lister,
  filters: TransactionFilters,
): Promise<TransactionCount> {
  const { transactions, nextCursor } = await listTransactions(deps, customer, filters, { limit: MAX_COUNTED })
  const hasMore = nextCursor !== null
  return { count: transactions.length, more: hasMore, sums: hasMore ? null : sumsOf(transactions) }
}

/** Returns the sums of incoming and outgoing amounts in US cents. Returned payments do not count. */
function sumsOf(transactions: readonly Transaction[]): TransactionCount['sums'] {
  const postedTransactions = transactions.filter(({ status }) => status !== 'returned')
  const sum = (sign: 1 | -1) =>
    postedTransactions.reduce((total, { amountMinor }) => total + Math.max(0, sign * amountMinor), 0)
  return { inMinor: sum(1), outMinor: sum(-1), asset: 'USD' }
}

/**
 * Returns the income and expenses of the last SUMMARY_DAYS calendar days including today, in US cents. Both are usually zero or
 * more. Moves of the customer's own money are left out.
 */
export async function summarizeSpending(deps: Pick<Deps, 'pool' | 'clock'>, customer: Holder) {
  const today = dayOf(deps.clock.businessNow())
  const period = { from: timeOn(addDays(today, 1 - SUMMARY_DAYS)), to: timeOn(dayAfter(today)) }
  const { incomeMinor, expensesMinor } = await flowOf(runOn(deps.pool), [customer.currentAccountId], period)
  const asset: Asset = 'USD'
  return { days: SUMMARY_DAYS, asset, incomeMinor, expensesMinor, netMinor: incomeMinor - expensesMinor }
}

/** Reads the parts of the dashboard that need few rows each, in one statement. */
async function readAtOnce(
  { db }: Pick<Deps, 'db'>,
  { id: customerId }: Pick<Customer, 'id'>,
  slices: Record<'upcoming' | 'unanswered', RawBuilder<unknown[]>>,
) {
  const { accounts, unread, ...rest } = await db
    .selectNoFrom([
      selectAccountsOf(customerId).as('accounts'),
      jsonObjectFrom(selectFirstGoal(db, customerId)).as('goal'),
      selectUnread(db, customerId).as('unread'),
      slices.upcoming.as('upcoming'),
      slices.unanswered.as('unanswered'),
    ])
    .executeTakeFirstOrThrow()
  return { ...rest, accounts: accounts.map(toAccount), unreadNotifications: unread ?? 0 }
}

/** Returns all data of the dashboard as of now. */
export async function readDashboard(
  deps: Pick<Deps, 'pool' | 'db' | 'clock' | 'policy' | 'translations' | 'slices'>,
  customer: Customer,
): Promise<Dashboard> {
  const now = deps.clock.businessNow()
  const months = [{ from: startOfMonth(now), to: timeOn(dayAfter(dayOf(now))) }, sameDaysLastMonth(now)]
  const upcoming = prepareUpcoming(deps, customer.id)
  const unanswered = unansweredOf(deps, customer.id)
  const [dashboardRows, [month, lastMonth], recent] = await Promise.all([
    readAtOnce(deps, customer, { upcoming: upcoming.selected, unanswered: unanswered.selected }),
    spendingFlows(runOn(deps.pool), customer.id, months),
    listTransactions(deps, customer, {}, { limit: RECENT }),
  ])
  const { accounts, goal, unreadNotifications } = dashboardRows
  const current = accounts.find(({ id }) => id === customer.currentAccountId)
  if (!current || !month || !lastMonth) throw new Error(`Customer ${customer.id} has no current account`)
  const [payments, owedNow] = await Promise.all([
    upcoming.payments(dashboardRows.upcoming),
    current.owedMinor > 0 ? debtsOf(deps.db, customer.id) : [],
  ])
  return {
    customer: { fullName: customer.fullName, initials: initialsOf(customer.fullName) },
    now: now.toISOString(),
    account: {
      asset: current.asset,
      availableMinor: current.availableMinor,
      heldMinor: current.heldMinor,
      incomingMinor: current.incomingMinor,
      monthChangeMinor: month.incomeMinor - month.expensesMinor,
      spentMinor: month.spentMinor,
      spentLastMonthMinor: lastMonth.spentMinor,
    },
    goal: goal
      ? {
          name: goal.name,
          icon: goal.icon,
          savedMinor: accounts.find(({ id }) => id === goal.accountId)?.balanceMinor ?? 0,
          targetMinor: goal.targetMinor,
          asset: goal.asset,
        }
      : null,
    recent: recent.transactions,
    upcoming: upcomingFor(payments, current, now),
    owed: owedNow,
    unanswered: unanswered.of(dashboardRows.unanswered, accounts),
    unreadNotifications,
  }
}
