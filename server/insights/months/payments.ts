import { monthPeriod } from '#server/calendar/months.ts'
import type { Period } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { CategoryPayment } from '#contract/analytics.ts'
import { SPENDING, type SpendingCategory } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { readCategoryChoices } from '#server/insights/months/category-choices.ts'
import { summedAccounts } from '#server/insights/history/history.ts'
import { type CategoryChoice, linesInCategory, type EntryRange } from '#server/ledger/payees.ts'
import type { Line } from '#server/ledger/statement.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

type PageAsked = { month: string; category: SpendingCategory; cursor?: string | undefined; limit: number }

/** Returns a page of the payments behind a month's spending in a category, newest first. Throws Refusal `cursor_invalid`. */
export async function categoryPayments(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { month, category, cursor, limit }: PageAsked,
): Promise<{ payments: CategoryPayment[]; nextCursor: string | null }> {
  const period = monthPeriod(month)
  const [stretches, choice] = await Promise.all([
    stretchesOf(deps, customerId, period, cursor),
    choiceOf(deps, customerId, category, period),
  ])
  const newestLists = await Promise.all(stretches.map((stretch) => newest(deps, stretch, choice, limit + 1)))
  const payments = newestOfAll(newestLists, limit + 1)
  const page = payments.slice(0, limit)
  const nextStretches = stretches.map(({ accountId, upTo }) => {
    const last = page.findLast((line) => line.accountId === accountId)?.version
    return [accountId, last === undefined || last === null ? upTo : last - 1]
  })
  return {
    payments: page.map(({ id, name, amountMinor, asset, bookedAt }) => ({
      id,
      name: name?.params['name'] ?? '',
      amountMinor,
      asset,
      bookedAt: bookedAt.toISOString(),
    })),
    nextCursor: payments.length > limit ? Buffer.from(JSON.stringify(nextStretches)).toString('base64url') : null,
  }
}

/** The largest number of lines that one query reads for a period. */
const MAX_LINES = 10_000

/** Returns the payments behind a customer's spending in a category on some days: the latest MAX_LINES of each account. */
export async function readCategoryLines(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  category: SpendingCategory,
  period: Period,
): Promise<Line[]> {
  const [stretches, choice] = await Promise.all([
    stretchesOf(deps, customerId, period, undefined),
    choiceOf(deps, customerId, category, period),
  ])
  const lineLists = stretches.map((stretch) => linesInCategory(runIn(deps.db), [stretch], choice, MAX_LINES))
  return (await Promise.all(lineLists)).flat()
}

/** Returns the selection of lines that count in a category: as booked, except where the customer has assigned another one. */
async function choiceOf(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  category: SpendingCategory,
  period: Period,
): Promise<CategoryChoice> {
  const { payees, lines } = await readCategoryChoices(db, customerId, period)
  const called = [...payees]
  return {
    category,
    period,
    among: SPENDING,
    payeesIn: called.filter(([, to]) => to === category).map(([payee]) => payee),
    payeesOut: called.filter(([, to]) => to !== category).map(([payee]) => payee),
    linesIn: lines.filter((line) => line.category === category).map(({ id }) => id),
    linesOut: lines.filter((line) => line.category !== category).map(({ id }) => id),
  }
}

/**
 * Merges the lines of several accounts into one list, newest first, up to `maxPayments` lines. Each account's lines keep their
 * order of booking, even if a line is dated earlier than the one booked before it. A cursor stores one version per account, at
 * which the next page begins, so any other order would skip or repeat lines.
 */
function newestOfAll<One extends { bookedAt: Date }>(lists: readonly (readonly One[])[], maxPayments: number): One[] {
  const remainingLists = lists.map((list) => [...list])
  const page: One[] = []
  while (page.length < maxPayments) {
    const next = remainingLists
      .filter((list) => list.length > 0)
      .reduce<One[] | null>((best, list) => (best && headAt(best) >= headAt(list) ? best : list), null)
      ?.shift()
    if (!next) break
    page.push(next)
  }
  return page
}

/** Returns the booking time of the first of some lines. */
const headAt = ([first]: readonly { bookedAt: Date }[]): number => first?.bookedAt.getTime() ?? 0

/** The number of entries in the first scan, and the factor by which each further scan grows. */
const FIRST_SCAN_ENTRIES = 256
const SCAN_GROWTH = 8

/**
 * Returns the newest matching lines of a stretch, last booked first. It reads backwards from the end until there are enough.
 */
async function newest(
  { db }: Pick<Deps, 'db'>,
  { accountId, after, upTo }: EntryRange,
  choice: CategoryChoice,
  limit: number,
) {
  const lines: Awaited<ReturnType<typeof linesInCategory>> = []
  let size = FIRST_SCAN_ENTRIES
  for (let end = upTo; end > after && lines.length < limit; size *= SCAN_GROWTH) {
    const from = Math.max(after, end - size)
    lines.push(...(await linesInCategory(runIn(db), [{ accountId, after: from, upTo: end }], choice, limit)))
    end = from
  }
  return lines.toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0)).slice(0, limit)
}

/** Returns, for each account, the stretch of its entries for some days that the previous pages have not shown. */
async function stretchesOf(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { from, to }: Period,
  cursor: string | undefined,
): Promise<EntryRange[]> {
  const accounts = await summedAccounts(deps, customerId)
  const ends = cursor === undefined ? null : readCursor(cursor)
  const rows = await deps.db
    .selectFrom('bank.payee_day')
    .select('account_id')
    .select(({ fn }) => [fn.min<string>('first_version').as('first'), fn.max<string>('last_version').as('last')])
    .where(
      'account_id',
      'in',
      accounts.map(({ id }) => id),
    )
    .where('day', '>=', dayOf(from))
    .where('day', '<', dayOf(to))
    .groupBy('account_id')
    .execute()
  return rows.map(({ account_id: accountId, first, last }) => ({
    accountId,
    after: Number(first) - 1,
    upTo: Math.min(Number(last), ends?.get(accountId) ?? Number(last)),
  }))
}

/** Reads a cursor: for each account, the version of the newest entry that the next page may contain. */
function readCursor(cursor: string): Map<number, number> {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isPair = (part: unknown): part is [number, number] =>
      Array.isArray(part) && part.length === 2 && part.every((value) => Number.isSafeInteger(value))
    if (Array.isArray(parts) && parts.every(isPair)) return new Map(parts)
  } catch {
    // The error below covers this case.
  }
  throw new Refusal('cursor_invalid')
}
