import type { Category, TransactionFilters, TransactionStatus } from '#contract/accounts.ts'
import { parseAmount, type Asset } from '#contract/money.ts'
import { Refusal } from '#contract/errors.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

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
  operationKind: string
  side: 'debit' | 'credit'
  /** Signed: what it does to the balance, or would have done. */
  amountMinor: number
  asset: Asset
  /** Whom the account's holder reads there. */
  name: string
  category: Category | null
  method: string | null
  note: string | null
  status: TransactionStatus
  bookedAt: Date
  /** null where nothing was booked. */
  balanceAfterMinor: number | null
  counterAccount: AccountId
  settlesAt: Date | null
  expiresAt: Date | null
  /** The hold it is or came from. */
  holdId: string | null
}

export type LineFilters = TransactionFilters & {
  /** Lines of these origins match `q` whatever their text: the caller knows identifiers the ledger does not. */
  originIds?: string[]
}

/** Where a page ended, in each of the two sources: the last entry's version, and the last hold's date and id. */
type Position = { version: number | null; hold: [string, string] | null }

const COLUMNS = `line.*, o.kind AS operation_kind, o.booked_at, o.debit_name, o.credit_name, o.category, o.method,
  o.note, o.settles_at`

/** What was booked on account $1. */
const ENTRIES = `FROM (
    SELECT e.*, coalesce(e.hold_id, e.operation_id) AS origin_id, 'completed' AS status, NULL::timestamptz AS expires_at
      FROM ledger.entry e WHERE e.account_id = $1
  ) line JOIN ledger.operation o ON o.id = line.operation_id`

/** Holds on account $1 that were not posted: still open, or given back. */
const HOLDS = `FROM (
    SELECT CASE WHEN h.debit_account = $1 THEN 'debit' ELSE 'credit' END AS side,
           CASE WHEN h.debit_account = $1 THEN -h.held_minor ELSE h.held_minor END AS amount_minor,
           CASE WHEN h.debit_account = $1 THEN h.credit_account ELSE h.debit_account END AS counter_account,
           NULL::bigint AS version, NULL::bigint AS balance_minor,
           h.operation_id, h.leg, h.asset, h.hold_id, h.hold_id AS origin_id, h.expires_at,
           CASE WHEN r.kind IS NULL THEN 'pending' ELSE 'returned' END AS status
      FROM ledger.transfer h
      LEFT JOIN ledger.transfer r ON r.hold_id = h.hold_id AND r.kind IN ('post', 'void')
     WHERE h.kind = 'hold' AND (h.debit_account = $1 OR h.credit_account = $1) AND r.kind IS DISTINCT FROM 'post'
  ) line JOIN ledger.operation o ON o.id = line.operation_id`

/**
 * A page of an account's statement, newest first: what was booked in the ledger's own order, and among it, by date,
 * the holds that did not become entries. Throws Refusal('cursor_invalid').
 */
export async function listLines(run: Run, query: LineQuery): Promise<{ lines: Line[]; nextCursor: string | null }> {
  const position: Position = query.cursor === undefined ? { version: null, hold: null } : readCursor(query.cursor)
  const entries = await readEntries(run, query, position.version)
  const holds = await readHolds(run, query, position.hold)
  const lines: Line[] = []
  while (lines.length < query.limit) {
    const [entry] = entries
    const [hold] = holds
    if (hold && (!entry || hold.bookedAt >= entry.line.bookedAt)) {
      lines.push(hold)
      holds.shift()
      position.hold = [hold.bookedAt.toISOString(), hold.id]
    } else if (entry) {
      lines.push(entry.line)
      entries.shift()
      position.version = entry.version
    } else break
  }
  return { lines, nextCursor: entries.length + holds.length > 0 ? writeCursor(position) : null }
}

export type LineQuery = { accountId: AccountId; filters: LineFilters; cursor?: string | undefined; limit: number }

/** The version that the entries of a page come before: $2 or, on the first page, the one that account $1 comes to next. */
const NEXT_VERSION = 'coalesce($2::bigint, (SELECT version + 1 FROM ledger.account WHERE id = $1))'

async function readEntries(
  run: Run,
  query: LineQuery,
  before: Position['version'],
): Promise<{ line: Line; version: number }[]> {
  if (query.filters.status && query.filters.status !== 'completed') return []
  const values: unknown[] = [query.accountId, before, query.limit + 1]
  const filtered = conditions(query.filters, values)
  // An account's versions have no gaps, so a page of all its entries is a stretch of them. Asked for as one it takes as
  // long at either end of a long history; else PostgreSQL may well read and sort all of it for each page.
  const since = filtered === '' ? ` AND version >= ${NEXT_VERSION} - $3` : ''
  const { rows } = await run(
    `SELECT ${COLUMNS} ${ENTRIES} WHERE version < ${NEXT_VERSION}${since}${filtered} ORDER BY version DESC LIMIT $3`,
    values,
  )
  return rows.map((row) => ({ line: toLine(row), version: row['version'] as number }))
}

async function readHolds(run: Run, query: LineQuery, before: Position['hold']): Promise<Line[]> {
  const { status } = query.filters
  if (status === 'completed') return []
  const values: unknown[] = [query.accountId, before?.[0] ?? null, before?.[1] ?? null, query.limit + 1, status ?? null]
  const { rows } = await run(
    `SELECT ${COLUMNS} ${HOLDS}
      WHERE ($2::timestamptz IS NULL OR (o.booked_at, line.origin_id) < ($2, $3::uuid))
        AND ($5::text IS NULL OR line.status = $5)${conditions(query.filters, values)}
      ORDER BY o.booked_at DESC, line.origin_id DESC LIMIT $4`,
    values,
  )
  return rows.map(toLine)
}

/** The line of that id on the account, or null: also while its hold is open, and after. */
export async function findLine(run: Run, accountId: AccountId, id: string): Promise<Line | null> {
  const [originId, leg] = id.split('.')
  if (!originId || !UUID.test(originId) || (leg !== undefined && !/^[1-9]\d?$/.test(leg))) return null
  const values = [accountId, originId]
  const { rows } = await run(
    `SELECT ${COLUMNS} ${ENTRIES} WHERE (line.operation_id = $2 OR line.hold_id = $2) ORDER BY line.leg`,
    values,
  )
  const lines = rows.map(toLine)
  if (lines.length === 0)
    lines.push(...(await run(`SELECT ${COLUMNS} ${HOLDS} WHERE line.origin_id = $2`, values)).rows.map(toLine))
  return lines.find((line) => line.id === id) ?? null
}

/** Minor units on their way in by open holds, not yet in the balance. */
export async function incomingMinor(run: Run, accountId: AccountId): Promise<number> {
  const { rows } = await run(
    `SELECT coalesce(sum(h.held_minor), 0) AS minor FROM ledger.transfer h
      WHERE h.kind = 'hold' AND h.credit_account = $1 AND NOT EXISTS (
        SELECT 1 FROM ledger.transfer r WHERE r.hold_id = h.hold_id AND r.kind IN ('post', 'void'))`,
    [accountId],
  )
  return rows[0]?.['minor'] as number
}

/** The filters as SQL, in terms of a line and its operation `o`; their values are added to `values`. */
function conditions(filters: LineFilters, values: unknown[]): string {
  const use = (value: unknown): string => `$${values.push(value)}`
  const parts: string[] = []
  if (filters.minMinor !== undefined) parts.push(`abs(amount_minor) >= ${use(filters.minMinor)}`)
  if (filters.maxMinor !== undefined) parts.push(`abs(amount_minor) <= ${use(filters.maxMinor)}`)
  if (filters.from) parts.push(`o.booked_at >= ${use(`${filters.from}T00:00:00Z`)}::timestamptz`)
  if (filters.to) parts.push(`o.booked_at < ${use(`${filters.to}T00:00:00Z`)}::timestamptz + interval '1 day'`)
  if (filters.category) parts.push(`o.category = ${use(filters.category)}`)
  if (filters.q) {
    const pattern = use(`%${filters.q.replace(/[\\%_]/g, '\\$&')}%`)
    const amount = parseAmount(filters.q.replace(/^[+−-]?\$?/, ''), 'USD')
    const matches = [
      `CASE side WHEN 'debit' THEN o.debit_name ELSE o.credit_name END ILIKE ${pattern}`,
      `o.note ILIKE ${pattern}`,
      `o.method ILIKE ${pattern}`,
      `line.origin_id = ANY(${use(filters.originIds ?? [])}::uuid[])`,
    ]
    if (amount !== null) matches.push(`abs(amount_minor) = ${use(amount)}`)
    parts.push(`(${matches.join(' OR ')})`)
  }
  return parts.map((part) => ` AND ${part}`).join('')
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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
    if (typeof bookedAt !== 'string' || typeof id !== 'string' || !UUID.test(id)) throw new TypeError('no hold')
    return { version: version as number | null, hold: [new Date(bookedAt).toISOString(), id] }
  } catch (error) {
    throw new Refusal('cursor_invalid', 'cursor', { cause: error })
  }
}

function toLine(row: Record<string, unknown>): Line {
  const side = row['side'] as Line['side']
  const originId = row['origin_id'] as string
  const holdId = row['hold_id'] as string | null
  const leg = row['leg'] as number
  return {
    id: holdId === null && leg > 0 ? `${originId}.${leg}` : originId,
    originId,
    operationId: row['operation_id'] as string,
    operationKind: row['operation_kind'] as string,
    side,
    amountMinor: row['amount_minor'] as number,
    asset: row['asset'] as Asset,
    name: (row[side === 'debit' ? 'debit_name' : 'credit_name'] as string | null) ?? '',
    category: row['category'] as Category | null,
    method: row['method'] as string | null,
    note: row['note'] as string | null,
    status: row['status'] as TransactionStatus,
    bookedAt: row['booked_at'] as Date,
    balanceAfterMinor: row['balance_minor'] as number | null,
    counterAccount: row['counter_account'] as AccountId,
    settlesAt: row['settles_at'] as Date | null,
    expiresAt: row['expires_at'] as Date | null,
    holdId,
  }
}
