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
} from '#contract/line-texts.ts'
import type { Run } from '#server/platform/db/run.ts'
import { readNewestFirst, type PeriodPart, PERIOD_PARTS, RECENT } from '#server/ledger/recent-periods.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { isUuid } from '#server/platform/uuid.ts'

/**
 * A line of an account's statement: an entry, or a hold that was not posted. A hold and the entry that it becomes have the same
 * id and originId, so a line keeps its identity when it settles.
 */
export type Line = {
  id: string
  /** The first operation of the line: the operation that made the hold, or the booking operation if there was no hold. */
  originId: string
  /** The last operation that booked the line. */
  operationId: string
  side: 'debit' | 'credit'
  /** The signed effect on the balance. For a hold that was not posted, it is the effect that posting would have. */
  amountMinor: number
  asset: Asset
  /** The name of the other side that the account's holder sees; null if none exists. */
  name: LineName | null
  category: Category | null
  method: LineMethod | null
  note: string | null
  status: TransactionStatus
  bookedAt: Date
  /** The balance after the entry; null for a hold that was not posted. */
  balanceAfterMinor: number | null
  /** The number of the entry within the account, counted from 1; null for a hold that was not posted. */
  version: number | null
  counterAccount: AccountId
  settlesAt: Date | null
  expiresAt: Date | null
  /** The hold that the line shows or that the entry posted; null if there was no hold. */
  holdId: string | null
}

/**
 * The other texts in which `q` is searched besides names and notes: the words of codes in one language, and the amounts that
 * `q` may mean.
 */
export type SearchReading = {
  labels: Readonly<Record<Label, string>>
  methods: Readonly<Record<Method, string>>
  /** Amounts in US cents. */
  amountsMinor: readonly number[]
}

export type LineFilters = TransactionFilters & {
  /** The texts and amounts in which `q` is also searched. The default is the English texts. */
  reading?: SearchReading | undefined
  /**
   * Operations whose lines match `q` whatever the lines' text is. The caller passes them for identifiers that are not stored in
   * the ledger.
   */
  originIds?: string[]
}

/** The end of a page in each of the two sources: the last entry's version, and the last hold's date and id. */
type Position = { version: number | null; hold: [string, string] | null }

/** The SQL that selects the entries of account $1. */
export const ENTRIES = `SELECT account_id, version, side, amount_minor, balance_minor, counter_account, operation_id, leg, asset,
    hold_id, coalesce(hold_id, operation_id) AS origin_id, 'completed' AS status, NULL::timestamptz AS expires_at,
    booked_at, name, label, category, method, params, note, settles_at
  FROM ledger.entry WHERE account_id = $1`

/**
 * The place of an unposted hold among the unposted holds of account $1. `at` is a text because a Date is less exact than
 * PostgreSQL's time.
 */
type HoldKey = { hold_id: string; side: Line['side']; open: boolean; at: string }

/** The SQL that selects the unposted holds of account $1, open or voided. `side` is the account's side. */
const keysOn = (side: Line['side'], open: boolean, where: string): string => `
  SELECT hold_id, '${side}' AS side, open, booked_at, booked_at::text AS at FROM ledger.unposted_hold u
   WHERE u.${side}_account = $1 AND u.open = ${open} AND ${where}`

/**
 * Returns the SQL that selects the holds with the ids in $1 as lines. $2 has the account's side of each hold, and $3 has
 * whether it is open. The LIMIT makes PostgreSQL look up each hold separately. Without it, a plan made in a new bank would join
 * all holds of the bank.
 */
const holdsIn = (part: PeriodPart): string => `
  SELECT key.side, CASE key.side WHEN 'debit' THEN -t.held_minor ELSE t.held_minor END AS amount_minor,
         NULL::numeric AS balance_minor, NULL::bigint AS version,
         CASE key.side WHEN 'debit' THEN t.credit_account ELSE t.debit_account END AS counter_account, t.operation_id, t.leg,
         t.asset, t.hold_id, t.hold_id AS origin_id, CASE WHEN key.open THEN 'pending' ELSE 'returned' END AS status,
         t.expires_at, t.booked_at, CASE key.side WHEN 'debit' THEN t.debit_name ELSE t.credit_name END AS name,
         t.label, t.category, t.method, t.params, t.note, t.settles_at
    FROM unnest($1::uuid[], $2::text[], $3::boolean[]) AS key (hold_id, side, open)
         CROSS JOIN LATERAL (SELECT * FROM ledger.transfer WHERE hold_id = key.hold_id AND kind = 'hold' AND ${part} LIMIT 1) t`

/**
 * Returns a page of an account's statement, newest first. Entries are in the ledger's own order, and unposted holds are placed
 * among them by date. Throws Refusal('cursor_invalid').
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

/**
 * Returns the date of the oldest entry on the page if entries alone fill the page. No earlier hold can be on that page. Returns
 * null if entries do not fill the page.
 */
function oldestOf(entries: readonly Line[], limit: number): Date | null {
  if (entries.length <= limit) return null
  return new Date(Math.min(...entries.slice(0, limit).map(({ bookedAt }) => bookedAt.getTime())))
}

export type LineQuery = { accountId: AccountId; filters: LineFilters; cursor?: string | undefined; limit: number }

/** The number of entries in a search block: migrations/0042_flat_reads.sql. */
const BLOCK = 64
/** The number of blocks in the first read, and the maximum number of blocks in one read. */
const BLOCKS_FIRST = 2
const MAX_BLOCKS = 128

/** Returns the next entries before a version, newest first. The maximum is one entry more than a page. */
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
  // An account's versions have no gaps, so a page of unfiltered entries is a range of versions. Reading a range takes the same
  // time at both ends of a long history. Without the range, PostgreSQL might read and sort the whole history for each page.
  const since = isFiltered(query.filters) ? 0 : Math.max(0, last - query.limit - 1)
  return readStretch(run, query, since, last)
}

const isFiltered = (filters: LineFilters): boolean =>
  Object.entries(filters).some(([name, value]) => name !== 'originIds' && name !== 'reading' && value !== undefined)

/**
 * Returns the latest entries, newest first. The maximum is one entry more than a page. Returns null if some of these entries
 * are not recent, or if the account has no entries.
 */
async function readLatest(run: Run, { accountId, limit }: LineQuery): Promise<Line[] | null> {
  const { rows } = await run(
    `SELECT * FROM (${ENTRIES} AND ${RECENT}) line WHERE version >= (SELECT version FROM ledger.account WHERE id = $1) - $2
      ORDER BY version DESC`,
    [accountId, limit],
  )
  const lines = rows.map(toLine)
  return lines.length > limit || lines.at(-1)?.version === 1 ? lines : null
}

/** Returns the entries after version `since` up to `last` that match the filters, newest first. */
async function readStretch(run: Run, query: LineQuery, since: number, last: number): Promise<Line[]> {
  const { accountId, filters, limit } = query
  const selection = { accountId, first: since + 1, last, most: limit + 1, isWhole: !isFiltered(filters) }
  return readNewestFirst(run, selection, async (part, upTo) => {
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
 * Returns the entries that contain a text. Entries that are in no search block yet are searched first. After them, the blocks
 * that contain the text are read, more blocks each time, until a page is full.
 */
async function searchEntries(run: Run, query: LineQuery, last: number, lastBlocked: number): Promise<Line[]> {
  const entries = last > lastBlocked ? await readStretch(run, query, lastBlocked, last) : []
  let blockLimit = Math.ceil(Math.min(last, lastBlocked) / BLOCK)
  for (
    let maxBlocks = BLOCKS_FIRST;
    blockLimit > 0 && entries.length <= query.limit;
    maxBlocks = Math.min(maxBlocks * 4, MAX_BLOCKS)
  ) {
    const blocks = await findBlocks(run, query, blockLimit, maxBlocks)
    if (blocks.length > 0) entries.push(...(await readBlocks(run, query, blocks, last)))
    blockLimit = blocks.length < maxBlocks ? 0 : Math.min(...blocks)
  }
  return entries.slice(0, query.limit + 1)
}

/** Returns the last `maxBlocks` blocks before block `blockLimit` that contain the text. */
async function findBlocks(
  run: Run,
  { accountId, filters }: LineQuery,
  blockLimit: number,
  maxBlocks: number,
): Promise<number[]> {
  const values: unknown[] = [accountId, blockLimit, maxBlocks]
  const { rows } = await run(
    `SELECT block FROM ledger.search_block WHERE account_id = $1 AND block < $2 AND (${matchSql(filters, values)})
      ORDER BY block DESC LIMIT $3`,
    values,
  )
  return rows.map((row) => row['block'] as number)
}

/**
 * Returns the matching entries of these blocks. `OFFSET 0` keeps PostgreSQL from merging the subquery (0042_flat_reads.sql).
 */
async function readBlocks(run: Run, query: LineQuery, blocks: number[], last: number): Promise<Line[]> {
  const { accountId, filters, limit } = query
  const selection = { accountId, first: Math.min(...blocks) * BLOCK + 1, last, most: limit + 1, isWhole: false }
  return readNewestFirst(run, selection, async (part, upTo) => {
    const values: unknown[] = [accountId, blocks, upTo, limit + 1]
    const filterSql = conditions(filters, values)
    const { rows } = await run(
      `SELECT line.* FROM unnest($2::bigint[]) block, LATERAL (
         ${ENTRIES} AND ${part} AND version > block * ${BLOCK} AND version <= least(block * ${BLOCK} + ${BLOCK}, $3) OFFSET 0
       ) line WHERE true${filterSql} ORDER BY version DESC LIMIT $4`,
      values,
    )
    return rows.map(toLine)
  })
}

/** The maximum number of holds read at once. */
const MAX_HOLDS = 512

/**
 * Returns the next unposted holds before the hold `before`, newest first, and none from before `since`. The maximum is one hold
 * more than a page.
 */
async function readHolds(
  run: Run,
  query: LineQuery,
  { before, since }: { before: Position['hold']; since: Date | null },
): Promise<Line[]> {
  if (query.filters.status === 'completed') return []
  const lines: Line[] = []
  let place = before
  for (let maxHolds = query.limit + 1; ; maxHolds = Math.max(maxHolds, Math.min(maxHolds * 4, MAX_HOLDS))) {
    const keys = await findHolds(run, query, { before: place, since, most: maxHolds })
    lines.push(...(await readHeld(run, keys, query.filters)))
    const last = keys.at(-1)
    if (!last || keys.length < maxHolds || lines.length > query.limit) return lines.slice(0, query.limit + 1)
    place = [last.at, last.hold_id]
  }
}

const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * Finds the next holds by side and state. Each combination has an index by date, so at most `most` holds of each are read.
 */
async function findHolds(
  run: Run,
  { accountId, filters: { status } }: LineQuery,
  { before, since, most: maxHolds }: { before: Position['hold']; since: Date | null; most: number },
): Promise<HoldKey[]> {
  const [heldAt, holdId] = before ?? ['infinity', LAST_UUID]
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
    heldAt,
    holdId,
    since ?? '-infinity',
    maxHolds,
  ])
  return rows as HoldKey[]
}

/** Returns the lines of the given holds that match the filters, in the same order. */
async function readHeld(run: Run, keys: readonly HoldKey[], filters: LineFilters): Promise<Line[]> {
  const lineByHold = new Map<string, Line | null>()
  for (const part of PERIOD_PARTS) {
    const missing = keys.filter((key) => !lineByHold.has(key.hold_id))
    if (missing.length === 0) break
    for (const row of await readHeldIn(run, part, { keys: missing, filters }))
      lineByHold.set(row['hold_id'] as string, row['fits'] === true ? toLine(row) : null)
  }
  return keys.flatMap((key) => lineByHold.get(key.hold_id) ?? [])
}

/** Reads the lines of the given holds from one part of the periods, and whether each line matches the filters. */
async function readHeldIn(
  run: Run,
  part: PeriodPart,
  { keys, filters }: { keys: readonly HoldKey[]; filters: LineFilters },
): Promise<Record<string, unknown>[]> {
  const values: unknown[] = [keys.map((key) => key.hold_id), keys.map(({ side }) => side), keys.map(({ open }) => open)]
  const fits = `true${conditions(filters, values)}`
  const { rows } = await run(`SELECT *, ${fits} AS fits FROM (${holdsIn(part)}) line`, values)
  return rows
}

/** Returns the account's line with that id; null if none exists. A line keeps its id when its hold is posted or voided. */
export async function findLine(run: Run, accountId: AccountId, id: string): Promise<Line | null> {
  const [originId, leg] = id.split('.')
  if (!originId || !isUuid(originId) || (leg !== undefined && !/^[1-9]\d?$/.test(leg))) return null
  // All transfers of one operation are in one period. The entry has priority over the hold, as in a bank with a single period.
  let keys: HoldKey[] | undefined
  for (const part of PERIOD_PARTS) {
    const entries = `${ENTRIES} AND ${part}`
    const { rows } = await run(
      `SELECT * FROM (${entries} AND operation_id = $2 UNION ALL ${entries} AND hold_id = $2 AND kind = 'post') line ORDER BY leg`,
      [accountId, originId],
    )
    const line = rows.map(toLine).find((candidate) => candidate.id === id)
    if (line) return line
    keys ??= await keysOf(run, accountId, originId)
    const heldRows = keys.length > 0 ? await readHeldIn(run, part, { keys, filters: {} }) : []
    const hold = heldRows.map(toLine).find((candidate) => candidate.id === id)
    if (hold) return hold
  }
  return null
}

/** Returns the account's unposted hold with that id. It may be on either side, and open or voided. */
async function keysOf(run: Run, accountId: AccountId, holdId: string): Promise<HoldKey[]> {
  const keys = (['debit', 'credit'] as const).flatMap((side) =>
    [true, false].map((open) => keysOn(side, open, 'u.hold_id = $2')),
  )
  const { rows } = await run(keys.join(' UNION ALL '), [accountId, holdId])
  return rows as HoldKey[]
}

/** Returns the filters as an SQL condition on a `line`. Adds their values to `values`. */
function conditions(filters: LineFilters, values: unknown[]): string {
  const placeholder = (value: unknown): string => `$${values.push(value)}`
  const parts: string[] = []
  if (filters.minMinor !== undefined) parts.push(`abs(amount_minor) >= ${placeholder(filters.minMinor)}`)
  if (filters.maxMinor !== undefined) parts.push(`abs(amount_minor) <= ${placeholder(filters.maxMinor)}`)
  if (filters.from) parts.push(`booked_at >= ${placeholder(timeOn(filters.from))}::timestamptz`)
  if (filters.to) parts.push(`booked_at < ${placeholder(timeOn(dayAfter(filters.to)))}::timestamptz`)
  if (filters.category) parts.push(`category = ${placeholder(filters.category)}`)
  if (filters.q) {
    const text = `(SELECT ledger.search_words(name, params, note) AS words,
      ledger.search_tokens(name, label, method, params, amount_minor) AS tokens) found`
    const matches = [`EXISTS (SELECT 1 FROM ${text} WHERE ${matchSql(filters, values)})`]
    if (filters.originIds?.length) matches.push(`origin_id = ANY(${placeholder(filters.originIds)}::uuid[])`)
    parts.push(`(${matches.join(' OR ')})`)
  }
  return parts.map((part) => ` AND ${part}`).join('')
}

/** Returns the text search as an SQL condition on `words` and `tokens`. Adds its values to `values`. */
function matchSql({ q = '', reading = inEnglish(q) }: LineFilters, values: unknown[]): string {
  const placeholder = (value: unknown): string => `$${values.push(value)}`
  const { labels, methods, amountsMinor } = reading
  const tokens = [
    ...codesFor(labels, q).map(({ code }) => `\u0001${code}\u0001`),
    ...codesFor(methods, q).map(({ code, parameter }) => `\u0001${code}\u0002${parameter}`),
    // A card's last four digits match only as a whole.
    ...(/^\d{4}$/.test(q.trim()) ? [`\u0004${q.trim()}\u0004`] : []),
    ...amountsMinor.map((amountMinor) => `\u0003${amountMinor}\u0003`),
  ]
  const inWords = `words LIKE ${placeholder(like(fold(q)))}`
  return tokens.length === 0 ? inWords : `${inWords} OR tokens LIKE ANY(${placeholder(tokens.map(like))}::text[])`
}

const inEnglish = (q: string): SearchReading => ({
  labels: LABELS,
  methods: METHODS,
  amountsMinor: amountsIn(q, SOURCE_LANGUAGE),
})

/** Returns a LIKE pattern for texts that contain this text. */
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
