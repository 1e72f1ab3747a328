import { monthPeriod } from '#server/calendar/months.ts'
import type { Period } from '#server/calendar/months.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { CategoryPayment } from '#contract/analytics.ts'
import { SPENDING, type SpendingCategory } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { choicesOf } from '#server/insights/months/choices.ts'
import { summedAccounts } from '#server/insights/history/history.ts'
import { type CategoryChoice, linesInCategory, type Stretch } from '#server/ledger/payees.ts'
import type { Line } from '#server/ledger/statement.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

type PageAsked = { month: string; category: SpendingCategory; cursor?: string | undefined; limit: number }

/** A page of what a month's spending in a category is made of, newest first. Throws Refusal `cursor_invalid`. */
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
  const each = await Promise.all(stretches.map((stretch) => newest(deps, stretch, choice, limit + 1)))
  const found = newestOfAll(each, limit + 1)
  const shown = found.slice(0, limit)
  const left = stretches.map(({ accountId, upTo }) => {
    const last = shown.findLast((line) => line.accountId === accountId)?.version
    return [accountId, last === undefined || last === null ? upTo : last - 1]
  })
  return {
    payments: shown.map(({ id, name, amountMinor, asset, bookedAt }) => ({
      id,
      name: name?.params['name'] ?? '',
      amountMinor,
      asset,
      bookedAt: bookedAt.toISOString(),
    })),
    nextCursor: found.length > limit ? Buffer.from(JSON.stringify(left)).toString('base64url') : null,
  }
}

/** The most lines of a stretch of days that are read at once. */
const LINES_MOST = 10_000

/** What a customer's spending in a category on some days is made of, the latest LINES_MOST payments of each account. */
export async function linesCounted(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  category: SpendingCategory,
  period: Period,
): Promise<Line[]> {
  const [stretches, choice] = await Promise.all([
    stretchesOf(deps, customerId, period, undefined),
    choiceOf(deps, customerId, category, period),
  ])
  const each = stretches.map((stretch) => linesInCategory(runIn(deps.db), [stretch], choice, LINES_MOST))
  return (await Promise.all(each)).flat()
}

/** Which lines count in a category: as the bank booked them, but for what the customer calls otherwise. */
async function choiceOf(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  category: SpendingCategory,
  period: Period,
): Promise<CategoryChoice> {
  const { payees, lines } = await choicesOf(db, customerId, period)
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
 * Merges the lines of several accounts into one list, the newest first, up to `most`. Each account's lines keep their order
 * of booking, even where one happened earlier than the line booked before it: a cursor remembers the last version that was
 * shown of each account, and would skip or repeat lines in any other order.
 */
function newestOfAll<One extends { bookedAt: Date }>(lists: readonly (readonly One[])[], most: number): One[] {
  const left = lists.map((list) => [...list])
  const found: One[] = []
  while (found.length < most) {
    const next = left
      .filter((list) => list.length > 0)
      .reduce<One[] | null>((best, list) => (best && headAt(best) >= headAt(list) ? best : list), null)
      ?.shift()
    if (!next) break
    found.push(next)
  }
  return found
}

/** When the first of some lines was booked. */
const headAt = ([first]: readonly { bookedAt: Date }[]): number => first?.bookedAt.getTime() ?? 0

/** How many entries are looked through at first, and by what they are multiplied each time that is too few. */
const FIRST_SCAN_ENTRIES = 256
const SCAN_GROWTH = 8

/** The newest lines of a stretch that fit, the last booked first: read from its end backwards until there are enough. */
async function newest(
  { db }: Pick<Deps, 'db'>,
  { accountId, after, upTo }: Stretch,
  choice: CategoryChoice,
  limit: number,
) {
  const found: Awaited<ReturnType<typeof linesInCategory>> = []
  let size = FIRST_SCAN_ENTRIES
  for (let end = upTo; end > after && found.length < limit; size *= SCAN_GROWTH) {
    const from = Math.max(after, end - size)
    found.push(...(await linesInCategory(runIn(db), [{ accountId, after: from, upTo: end }], choice, limit)))
    end = from
  }
  return found.toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0)).slice(0, limit)
}

/** Where among an account's entries those of some days are, up to where a page ended. */
async function stretchesOf(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { from, to }: Period,
  cursor: string | undefined,
): Promise<Stretch[]> {
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

/** How far each account was shown. */
function readCursor(cursor: string): Map<number, number> {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isPair = (part: unknown): part is [number, number] =>
      Array.isArray(part) && part.length === 2 && part.every((value) => Number.isSafeInteger(value))
    if (Array.isArray(parts) && parts.every(isPair)) return new Map(parts)
  } catch {
    // Refused below.
  }
  throw new Refusal('cursor_invalid')
}
