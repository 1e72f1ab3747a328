import { sql } from 'kysely'
import type { CategoryPayment } from '#contract/analytics.ts'
import { SPENDING, type SpendingCategory } from '#contract/categories.ts'
import { Refusal } from '#contract/errors.ts'
import { choicesOf } from '#server/insights/months/choices.ts'
import { summedAccounts } from '#server/insights/history/history.ts'
import { monthPeriod } from '#server/insights/months/months.ts'
import { type CategoryChoice, linesInCategory, type Stretch } from '#server/ledger/payees.ts'
import { dayOf } from '#server/platform/days.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'

type Asked = { month: string; category: SpendingCategory; cursor?: string | undefined; limit: number }

/** A page of what a month's spending in a category is made of, newest first. Throws Refusal `cursor_invalid`. */
export async function categoryPayments(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  { month, category, cursor, limit }: Asked,
): Promise<{ payments: CategoryPayment[]; nextCursor: string | null }> {
  const period = monthPeriod(month)
  const [stretches, { payees, lines }] = await Promise.all([
    stretchesOf(deps, customerId, month, cursor),
    choicesOf(deps.db, customerId, period),
  ])
  const called = [...payees]
  const choice: CategoryChoice = {
    category,
    period,
    among: SPENDING,
    payeesIn: called.filter(([, to]) => to === category).map(([payee]) => payee),
    payeesOut: called.filter(([, to]) => to !== category).map(([payee]) => payee),
    linesIn: lines.filter((line) => line.category === category).map(({ id }) => id),
    linesOut: lines.filter((line) => line.category !== category).map(({ id }) => id),
  }
  const each = await Promise.all(stretches.map((stretch) => newest(deps, stretch, choice, limit + 1)))
  const found = merged(each, limit + 1)
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

/**
 * The first lines of several accounts, the newest of them next. Those of one account stay in the order they were booked in, which is
 * what a cursor counts, also where one was booked that had happened before.
 */
function merged<One extends { bookedAt: Date }>(lists: readonly (readonly One[])[], most: number): One[] {
  const left = lists.map((list) => [...list])
  const found: One[] = []
  while (found.length < most) {
    const next = left
      .filter((list) => list.length > 0)
      .reduce<One[] | null>((best, list) => (best && at(best) >= at(list) ? best : list), null)
      ?.shift()
    if (!next) break
    found.push(next)
  }
  return found
}

const at = ([first]: readonly { bookedAt: Date }[]): number => first?.bookedAt.getTime() ?? 0

/** How many entries are looked through at first, and how many times as many each time after. */
const FIRST = 256
const TIMES = 8

/** The newest lines of a stretch that fit, the last booked first: it is looked through from its end on, as far as it takes. */
async function newest(
  { db }: Pick<Deps, 'db'>,
  { accountId, after, upTo }: Stretch,
  choice: CategoryChoice,
  limit: number,
) {
  const found: Awaited<ReturnType<typeof linesInCategory>> = []
  let size = FIRST
  for (let end = upTo; end > after && found.length < limit; size *= TIMES) {
    const from = Math.max(after, end - size)
    found.push(...(await linesInCategory(runIn(db), [{ accountId, after: from, upTo: end }], choice, limit)))
    end = from
  }
  return found.toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0)).slice(0, limit)
}

/** Where among an account's entries those of a month are, up to where a page ended. */
async function stretchesOf(
  deps: Pick<Deps, 'db'>,
  customerId: string,
  month: string,
  cursor: string | undefined,
): Promise<Stretch[]> {
  const { from, to } = monthPeriod(month)
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
    .where('day', '>=', sql<string>`${dayOf(from)}::date`)
    .where('day', '<', sql<string>`${dayOf(to)}::date`)
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
