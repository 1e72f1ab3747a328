import { dayAfter } from '#server/calendar/days.ts'
import { timeOn } from '#server/calendar/zone.ts'
import type { TransactionFilters } from '#contract/accounts.ts'
import type { Category } from '#contract/categories.ts'
import type { TransactionStatus } from '#contract/transaction-status.ts'
import { amountsIn } from '#contract/amounts.ts'
import { fold } from '#contract/folding.ts'
import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { Asset } from '#contract/money.ts'
import { Refusal } from '#contract/errors.ts'
import {
  codesFor,
  type Label,
  LABELS,
  type LineMethod,
  type LineName,
  lineNamed,
  type Method,
  METHODS,
  type Params,
} from '#contract/wording.ts'
import type { Run } from '#server/platform/db/run.ts'
import { newestFirst, type Part, PARTS, RECENT } from '#server/ledger/recent.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { isUuid } from '#server/platform/uuid.ts'

/**
 * A line of an account's statement: an entry, or a hold that has not become one. A hold and the entry it becomes
 * have the same id and originId, so a line keeps its names when it settles.
 */
export type Line = {
  id: string
  /** The operation it began with: the hold's where there was one. */
  originId: string
  /** The operation that booked it last. */
  operationId: string
  side: 'debit' | 'credit'
  /** Signed: what it does to the balance, or would have done. */
  amountMinor: number
  asset: Asset
  /** Whom or what the account's holder reads there; null where nothing was said. */
  name: LineName | null
  category: Category | null
  method: LineMethod | null
  note: string | null
  status: TransactionStatus
  bookedAt: Date
  /** null where nothing was booked. */
  balanceAfterMinor: number | null
  /** Its place among the account's entries, counted from 1; null where nothing was booked. */
  version: number | null
  counterAccount: AccountId
  settlesAt: Date | null
  expiresAt: Date | null
  /** The hold it is or came from. */
  holdId: string | null
}

/** What `q` is looked for in beside names and notes: the words of codes in some language, and amounts that it may be. */
export type SearchReading = {
  labels: Readonly<Record<Label, string>>
  methods: Readonly<Record<Method, string>>
  /** Minor units of USD. */
  amountsMinor: readonly number[]
}

export type LineFilters = TransactionFilters & {
  /** In English unless told. */
  reading?: SearchReading | undefined
  /** Lines of these origins match `q` whatever their text: the caller knows identifiers the ledger does not. */
  originIds?: string[]
}

/** Where a page ended, in each of the two sources: the last entry's version, and the last hold's date and id. */
type Position = { version: number | null; hold: [string, string] | null }

/** What was booked on account $1. */
export const ENTRIES = `SELECT account_id, version, side, amount_minor, balance_minor, counter_account, operation_id, leg, asset,
    hold_id, coalesce(hold_id, operation_id) AS origin_id, 'completed' AS status, NULL::timestamptz AS expires_at,
    booked_at, name, label, category, method, params, note, settles_at
  FROM ledger.entry WHERE account_id = $1`

/** Where a hold that was not posted is among those of account $1. `at` is exact, and a Date is not. */
type HoldKey = { hold_id: string; side: Line['side']; open: boolean; at: string }

/** The holds on account $1 that were not posted, open or given back; `side` is the account's. */
const keysOn = (side: Line['side'], open: boolean, where: string): string => `
  SELECT hold_id, '${side}' AS side, open, booked_at, booked_at::text AS at FROM ledger.unposted_hold u
   WHERE u.${side}_account = $1 AND u.open = ${open} AND ${where}`

/**
 * The holds of $1, which are on the sides $2 of an account and open or not ($3), as lines. Each is looked up by itself (the
 * LIMIT sees to it): a plan that was made in a new bank would join all holds of the bank instead.
 */
const holdsIn = (part: Part): string => `
  SELECT key.side, CASE key.side WHEN 'debit' THEN -t.held_minor ELSE t.held_minor END AS amount_minor,
         NULL::numeric AS balance_minor, NULL::bigint AS version,
         CASE key.side WHEN 'debit' THEN t.credit_account ELSE t.debit_account END AS counter_account, t.operation_id, t.leg,
         t.asset, t.hold_id, t.hold_id AS origin_id, CASE WHEN key.open THEN 'pending' ELSE 'returned' END AS status,
         t.expires_at, t.booked_at, CASE key.side WHEN 'debit' THEN t.debit_name ELSE t.credit_name END AS name,
         t.label, t.category, t.method, t.params, t.note, t.settles_at
    FROM unnest($1::uuid[], $2::text[], $3::boolean[]) AS key (hold_id, side, open)
         CROSS JOIN LATERAL (SELECT * FROM ledger.transfer WHERE hold_id = key.hold_id AND kind = 'hold' AND ${part} LIMIT 1) t`

/**
 * A page of an account's statement, newest first: what was booked in the ledger's own order, and among it, by date,
 * the holds that did not become entries. Throws Refusal('cursor_invalid').
 */
export async function listLines(run: Run, query: LineQuery): Promise<{ lines: Line[]; nextCursor: string | null }> {
  const position: Position = query.cursor === undefined ? { version: null, hold: null } : readCursor(query.cursor)
  const entries = await readEntries(run, query, position.version)
  const holds = await readHolds(run, query, { before: position.hold, since: oldestOf(entries, query.limit) })
  const lines: Line[] = []
  while (lines.length < query.limit) {
    const [entry] = entries
    const [hold] = holds
    if (hold && (!entry || hold.bookedAt >= entry.bookedAt)) {
      lines.push(hold)
      holds.shift()
      position.hold = [hold.bookedAt.toISOString(), hold.id]
    } else if (entry) {
      lines.push(entry)
      entries.shift()
      position.version = entry.version
    } else break
  }
  return { lines, nextCursor: entries.length + holds.length > 0 ? writeCursor(position) : null }
}

/** The date of the oldest entry on a page that entries fill; null where they do not. No hold from before it is on that page. */
function oldestOf(entries: readonly Line[], limit: number): Date | null {
  if (entries.length <= limit) return null
  return new Date(Math.min(...entries.slice(0, limit).map(({ bookedAt }) => bookedAt.getTime())))
}

export type LineQuery = { accountId: AccountId; filters: LineFilters; cursor?: string | undefined; limit: number }

/** The entries of one search block: migrations/0042_flat_reads.sql. */
const BLOCK = 64
/** How many blocks are looked into at first, and at most at once. */
const BLOCKS_FIRST = 2
const BLOCKS_MOST = 128

/** Up to one more than a page of entries before that version, newest first. */
async function readEntries(run: Run, query: LineQuery, before: Position['version']): Promise<Line[]> {
  if (query.filters.status && query.filters.status !== 'completed') return []
  if (before === null && !isFiltered(query.filters)) {
    const page = await readLatest(run, query)
    if (page) return page
  }
  const { rows } = await run('SELECT version FROM ledger.account WHERE id = $1', [query.accountId])
  const latest = (rows[0]?.['version'] as number | undefined) ?? 0
  const last = Math.min(latest, (before ?? latest + 1) - 1)
  const { q, originIds = [] } = query.filters
  if (q && originIds.length === 0) return searchEntries(run, query, last, latest - (latest % BLOCK))
  // An account's versions have no gaps, so a page of all its entries is a stretch of them. Asked for as one it takes as
  // long at either end of a long history; else PostgreSQL may well read and sort all of it for each page.
  const since = isFiltered(query.filters) ? 0 : Math.max(0, last - query.limit - 1)
  return readStretch(run, query, since, last)
}

const isFiltered = (filters: LineFilters): boolean =>
  Object.entries(filters).some(([name, value]) => name !== 'originIds' && name !== 'reading' && value !== undefined)

/** Up to one more than a page of the latest entries, newest first; null where not all of them are recent, or there are none. */
async function readLatest(run: Run, { accountId, limit }: LineQuery): Promise<Line[] | null> {
  const { rows } = await run(
    `SELECT * FROM (${ENTRIES} AND ${RECENT}) line WHERE version >= (SELECT version FROM ledger.account WHERE id = $1) - $2
      ORDER BY version DESC`,
    [accountId, limit],
  )
  const lines = rows.map(toLine)
  return lines.length > limit || lines.at(-1)?.version === 1 ? lines : null
}

/** The entries that the filters let through, of those after version `since` up to `last`, newest first. */
async function readStretch(run: Run, query: LineQuery, since: number, last: number): Promise<Line[]> {
  const { accountId, filters, limit } = query
  const wanted = { accountId, first: since + 1, last, most: limit + 1, isWhole: !isFiltered(filters) }
  return newestFirst(run, wanted, async (part, upTo) => {
    const values: unknown[] = [accountId, since, upTo, limit + 1]
    const filtered = conditions(filters, values)
    const { rows } = await run(
      `SELECT * FROM (${ENTRIES} AND ${part}) line WHERE version > $2 AND version <= $3${filtered} ORDER BY version DESC LIMIT $4`,
      values,
    )
    return rows.map(toLine)
  })
}

/**
 * The entries in which a text is found: first those that are not in a block yet, then those of the blocks in which it is
 * found, ever more of them at once, until there are enough for a page.
 */
async function searchEntries(run: Run, query: LineQuery, last: number, blocked: number): Promise<Line[]> {
  const entries = last > blocked ? await readStretch(run, query, blocked, last) : []
  let below = Math.ceil(Math.min(last, blocked) / BLOCK)
  for (let most = BLOCKS_FIRST; below > 0 && entries.length <= query.limit; most = Math.min(most * 4, BLOCKS_MOST)) {
    const blocks = await findBlocks(run, query, below, most)
    if (blocks.length > 0) entries.push(...(await readBlocks(run, query, blocks, last)))
    below = blocks.length < most ? 0 : Math.min(...blocks)
  }
  return entries.slice(0, query.limit + 1)
}

/** The last `most` blocks before block `below` in which the text is found somewhere. */
async function findBlocks(run: Run, { accountId, filters }: LineQuery, below: number, most: number): Promise<number[]> {
  const values: unknown[] = [accountId, below, most]
  const { rows } = await run(
    `SELECT block FROM ledger.search_block WHERE account_id = $1 AND block < $2 AND (${found(filters, values)})
      ORDER BY block DESC LIMIT $3`,
    values,
  )
  return rows.map((row) => row['block'] as number)
}

/** OFFSET 0: see 0042_flat_reads.sql. */
async function readBlocks(run: Run, query: LineQuery, blocks: number[], last: number): Promise<Line[]> {
  const { accountId, filters, limit } = query
  const wanted = { accountId, first: Math.min(...blocks) * BLOCK + 1, last, most: limit + 1, isWhole: false }
  return newestFirst(run, wanted, async (part, upTo) => {
    const values: unknown[] = [accountId, blocks, upTo, limit + 1]
    const filtered = conditions(filters, values)
    const { rows } = await run(
      `SELECT line.* FROM unnest($2::bigint[]) block, LATERAL (
         ${ENTRIES} AND ${part} AND version > block * ${BLOCK} AND version <= least(block * ${BLOCK} + ${BLOCK}, $3) OFFSET 0
       ) line WHERE true${filtered} ORDER BY version DESC LIMIT $4`,
      values,
    )
    return rows.map(toLine)
  })
}

/** How many holds are looked into at most at once. */
const HOLDS_MOST = 512

/** Up to one more than a page of the holds before that one, which are not from before `since`; newest first. */
async function readHolds(
  run: Run,
  query: LineQuery,
  { before, since }: { before: Position['hold']; since: Date | null },
): Promise<Line[]> {
  if (query.filters.status === 'completed') return []
  const lines: Line[] = []
  let place = before
  for (let most = query.limit + 1; ; most = Math.max(most, Math.min(most * 4, HOLDS_MOST))) {
    const keys = await findHolds(run, query, { before: place, since, most })
    lines.push(...(await readHeld(run, keys, query.filters)))
    const last = keys.at(-1)
    if (!last || keys.length < most || lines.length > query.limit) return lines.slice(0, query.limit + 1)
    place = [last.at, last.hold_id]
  }
}

const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Each side and state has its holds in an index by date, so that a page reads no more of them than it shows. */
async function findHolds(
  run: Run,
  { accountId, filters: { status } }: LineQuery,
  { before, since, most }: { before: Position['hold']; since: Date | null; most: number },
): Promise<HoldKey[]> {
  const [at, id] = before ?? ['infinity', LAST_UUID]
  const parts = (['debit', 'credit'] as const).flatMap((side) =>
    [true, false]
      .filter((open) => status === undefined || status === (open ? 'pending' : 'returned'))
      .map((open) => {
        const keys = keysOn(
          side,
          open,
          '(u.booked_at, u.hold_id) < ($2::timestamptz, $3::uuid) AND u.booked_at >= $4::timestamptz',
        )
        return `(${keys} ORDER BY u.booked_at DESC, u.hold_id DESC LIMIT $5)`
      }),
  )
  const { rows } = await run(`${parts.join(' UNION ALL ')} ORDER BY booked_at DESC, hold_id DESC LIMIT $5`, [
    accountId,
    at,
    id,
    since ?? '-infinity',
    most,
  ])
  return rows as HoldKey[]
}

/** The lines of those holds that the filters let through, in the same order. */
async function readHeld(run: Run, keys: readonly HoldKey[], filters: LineFilters): Promise<Line[]> {
  const held = new Map<string, Line | null>()
  for (const part of PARTS) {
    const missing = keys.filter((key) => !held.has(key.hold_id))
    if (missing.length === 0) break
    for (const row of await readHeldIn(run, part, { keys: missing, filters }))
      held.set(row['hold_id'] as string, row['fits'] === true ? toLine(row) : null)
  }
  return keys.flatMap((key) => held.get(key.hold_id) ?? [])
}

/** What a part of the periods has of those holds, and whether the filters let it through. */
async function readHeldIn(
  run: Run,
  part: Part,
  { keys, filters }: { keys: readonly HoldKey[]; filters: LineFilters },
): Promise<Record<string, unknown>[]> {
  const values: unknown[] = [keys.map((key) => key.hold_id), keys.map(({ side }) => side), keys.map(({ open }) => open)]
  const fits = `true${conditions(filters, values)}`
  const { rows } = await run(`SELECT *, ${fits} AS fits FROM (${holdsIn(part)}) line`, values)
  return rows
}

/** The line of that id on the account, or null: also while its hold is open, and after. */
export async function findLine(run: Run, accountId: AccountId, id: string): Promise<Line | null> {
  const [originId, leg] = id.split('.')
  if (!originId || !isUuid(originId) || (leg !== undefined && !/^[1-9]\d?$/.test(leg))) return null
  // Those of one operation are in one period: the entry comes first, as where there is only one.
  let keys: HoldKey[] | undefined
  for (const part of PARTS) {
    const entries = `${ENTRIES} AND ${part}`
    const { rows } = await run(
      `SELECT * FROM (${entries} AND operation_id = $2 UNION ALL ${entries} AND hold_id = $2 AND kind = 'post') line ORDER BY leg`,
      [accountId, originId],
    )
    const line = rows.map(toLine).find((one) => one.id === id)
    if (line) return line
    keys ??= await keysOf(run, accountId, originId)
    const held = keys.length > 0 ? await readHeldIn(run, part, { keys, filters: {} }) : []
    const hold = held.map(toLine).find((one) => one.id === id)
    if (hold) return hold
  }
  return null
}

/** The hold with that id, as it is on the account. */
async function keysOf(run: Run, accountId: AccountId, holdId: string): Promise<HoldKey[]> {
  const keys = (['debit', 'credit'] as const).flatMap((side) =>
    [true, false].map((open) => keysOn(side, open, 'u.hold_id = $2')),
  )
  const { rows } = await run(keys.join(' UNION ALL '), [accountId, holdId])
  return rows as HoldKey[]
}

/** The filters as SQL, in terms of a `line`; their values are added to `values`. */
function conditions(filters: LineFilters, values: unknown[]): string {
  const use = (value: unknown): string => `$${values.push(value)}`
  const parts: string[] = []
  if (filters.minMinor !== undefined) parts.push(`abs(amount_minor) >= ${use(filters.minMinor)}`)
  if (filters.maxMinor !== undefined) parts.push(`abs(amount_minor) <= ${use(filters.maxMinor)}`)
  if (filters.from) parts.push(`booked_at >= ${use(timeOn(filters.from))}::timestamptz`)
  if (filters.to) parts.push(`booked_at < ${use(timeOn(dayAfter(filters.to)))}::timestamptz`)
  if (filters.category) parts.push(`category = ${use(filters.category)}`)
  if (filters.q) {
    const text = `(SELECT ledger.search_words(name, params, note) AS words,
      ledger.search_tokens(name, label, method, params, amount_minor) AS tokens) found`
    const matches = [`EXISTS (SELECT 1 FROM ${text} WHERE ${found(filters, values)})`]
    if (filters.originIds?.length) matches.push(`origin_id = ANY(${use(filters.originIds)}::uuid[])`)
    parts.push(`(${matches.join(' OR ')})`)
  }
  return parts.map((part) => ` AND ${part}`).join('')
}

/** Whether a text is found, as SQL in terms of `words` and `tokens`; its values are added to `values`. */
function found({ q = '', reading = inEnglish(q) }: LineFilters, values: unknown[]): string {
  const use = (value: unknown): string => `$${values.push(value)}`
  const { labels, methods, amountsMinor } = reading
  const tokens = [
    ...codesFor(labels, q).map(({ code }) => `\u0001${code}\u0001`),
    ...codesFor(methods, q).map(({ code, parameter }) => `\u0001${code}\u0002${parameter}`),
    // A card's last four digits are found by all four of them.
    ...(/^\d{4}$/.test(q.trim()) ? [`\u0004${q.trim()}\u0004`] : []),
    ...amountsMinor.map((amountMinor) => `\u0003${amountMinor}\u0003`),
  ]
  const inWords = `words LIKE ${use(like(fold(q)))}`
  return tokens.length === 0 ? inWords : `${inWords} OR tokens LIKE ANY(${use(tokens.map(like))}::text[])`
}

const inEnglish = (q: string): SearchReading => ({
  labels: LABELS,
  methods: METHODS,
  amountsMinor: amountsIn(q, SOURCE_LANGUAGE),
})

/** A pattern for text that has this somewhere in it. */
const like = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

function writeCursor({ version, hold }: Position): string {
  return Buffer.from(JSON.stringify([version, ...(hold ?? [])])).toString('base64url')
}

function readCursor(cursor: string): Position {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (!Array.isArray(parts)) throw new TypeError('not a list')
    const [version, bookedAt, id] = parts as unknown[]
    if (version !== null && !Number.isSafeInteger(version)) throw new TypeError('no version')
    if (parts.length === 1) return { version: version as number | null, hold: null }
    if (typeof bookedAt !== 'string' || typeof id !== 'string' || !isUuid(id)) throw new TypeError('no hold')
    return { version: version as number | null, hold: [new Date(bookedAt).toISOString(), id] }
  } catch (error) {
    throw new Refusal('cursor_invalid', 'cursor', { cause: error })
  }
}

type LineWords = { name: string | null; label: Label | null; method: Method | null; params: Params | null }

function lineName({ name, label, params }: LineWords): LineName | null {
  if (name !== null) return lineNamed(name)
  return label && { code: label, params: params ?? {} }
}

function lineMethod({ method, params }: LineWords): LineMethod | null {
  return method && { code: method, params: params ?? {} }
}

export function toLine(row: Record<string, unknown>): Line {
  const side = row['side'] as Line['side']
  const originId = row['origin_id'] as string
  const holdId = row['hold_id'] as string | null
  const leg = row['leg'] as number
  return {
    id: holdId === null && leg > 0 ? `${originId}.${leg}` : originId,
    originId,
    operationId: row['operation_id'] as string,
    side,
    amountMinor: row['amount_minor'] as number,
    asset: row['asset'] as Asset,
    name: lineName(row as LineWords),
    category: row['category'] as Category | null,
    method: lineMethod(row as LineWords),
    note: row['note'] as string | null,
    status: row['status'] as TransactionStatus,
    bookedAt: row['booked_at'] as Date,
    balanceAfterMinor: row['balance_minor'] as number | null,
    version: row['version'] as number | null,
    counterAccount: row['counter_account'] as AccountId,
    settlesAt: row['settles_at'] as Date | null,
    expiresAt: row['expires_at'] as Date | null,
    holdId,
  }
}
