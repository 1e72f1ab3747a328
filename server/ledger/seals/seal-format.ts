import { createHash } from 'node:crypto'

/**
 * The number of the byte format of sealed rows. PostgreSQL makes the digests from the texts below, so that no row has to leave
 * the database: JSON in `jsonb` format, with times as microseconds since 1970. A changed text needs a new number here. The old
 * text must be kept for the seals that were made with it.
 */
export const SEAL_FORMAT = 1

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const micros = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint`

const OPERATION = `jsonb_build_array(id, kind, fingerprint, ${micros('booked_at')}, reverses, requested_by)::text`

const TRANSFER = `jsonb_build_array(leg, kind, asset, debit_account, credit_account, amount_minor, held_minor, hold_id,
  ${micros('expires_at')}, debit_version, credit_version, debit_balance_minor, credit_balance_minor, ${micros('booked_at')},
  debit_name, credit_name, label, category, method, params, note, ${micros('settles_at')}, limit_account,
  limit_direction)::text`

/** The columns of an account that never change. */
const ACCOUNT = `jsonb_build_array(id, holder_id, code, asset)::text`

export const SEALED_KINDS = ['account', 'operation'] as const
export type SealedKind = (typeof SEALED_KINDS)[number]

/** A place in the order of sealed rows, for example the end of a block: a transaction number and the id of a row. */
export type SealPosition = { upto: number; uptoId: string }

type Source = {
  table: string
  /** The column with the number of the SQL transaction that inserted a row. */
  column: string
  /** The SQL condition for rows whose SQL transaction is unknown. All such rows are from before there were periods. */
  isPast: string
  id: 'bigint' | 'uuid'
  /** The highest possible id. */
  last: string
  /** The number of bytes of an id in `names`, and the SQL that makes them. */
  idBytes: number
  idSent: string
}

export const SOURCES: Readonly<Record<SealedKind, Source>> = {
  account: {
    table: 'ledger.account',
    column: 'opened_in',
    isPast: 'opened_in = 0',
    id: 'bigint',
    last: '9223372036854775807',
    idBytes: 8,
    idSent: 'int8send(id)',
  },
  operation: {
    table: 'ledger.operation',
    column: 'posted_in',
    isPast: 'posted_in = 0 AND period = 1',
    id: 'uuid',
    last: 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    idBytes: 16,
    idSent: 'uuid_send(id)',
  },
}

/**
 * The number of bytes that are kept next to an id from each of two digests: the digest of the row and the digest of its
 * transfers.
 */
const TAG_BYTES = 2

export type RowSelection = { where: string; values: unknown[] }

/** The place before all rows with an unknown transaction. */
const BEGINNING = ''

/** Returns the start of the first block after a seal: after all rows of the transactions that the seal covers. */
export const firstBlockStart = (kind: SealedKind, { upto }: { upto: number }): SealPosition =>
  upto === 0 ? { upto, uptoId: BEGINNING } : { upto: upto - 1, uptoId: SOURCES[kind].last }

/**
 * Returns the SQL condition for rows after a place. Rows with an unknown transaction come first, in id order. $1 and $2 are the
 * place.
 */
const pastCondition = ({ isPast, id }: Source, { uptoId }: SealPosition): string =>
  uptoId === BEGINNING ? `${isPast} AND $1::text IS NOT NULL` : `${isPast} AND id > $1::${id}`

const since = ({ column, id }: Source, { upto }: SealPosition): string =>
  upto === 0
    ? `${column} > 0 AND ($1::bigint, $2::text) IS NOT NULL`
    : `${column} > 0 AND ${column} >= $1::bigint AND (${column}, id) > ($1::bigint, $2::${id})`

/** Selects the next rows with an unknown transaction. */
export const rowsOfUnknownTransactions = (kind: SealedKind, after: SealPosition): RowSelection => ({
  where: pastCondition(SOURCES[kind], after),
  values: [after.uptoId],
})

/** Selects the next rows of transactions below `end`. */
export const rowsAfter = (kind: SealedKind, after: SealPosition, end: number): RowSelection => ({
  where: `${since(SOURCES[kind], after)} AND ${SOURCES[kind].column} < $3::bigint`,
  values: [after.upto, after.uptoId, end],
})

/** Selects the rows of a block: those after the end of the previous block, up to its own end. */
export function rowsBetween(kind: SealedKind, after: SealPosition, end: SealPosition): RowSelection {
  const source = SOURCES[kind]
  const { column, id } = source
  if (end.upto === 0)
    return { where: `${pastCondition(source, after)} AND id <= $2::${id}`, values: [after.uptoId, end.uptoId] }
  return {
    where: `${since(source, after)} AND ${column} <= $3::bigint AND (${column}, id) <= ($3::bigint, $4::${id})`,
    values: [after.upto, after.uptoId, end.upto, end.uptoId],
  }
}

/**
 * Returns an SQL condition that limits a selection to its first rows in transaction order, together with all other rows of the
 * last of their transactions. The index of each period has the rows in transaction order only. The last transaction is
 * therefore found first, and no more rows than needed are sorted.
 */
const upToLimit = ({ table, column }: Source, where: string, limit: number): string => `
  ${column} <= coalesce((SELECT ${column} FROM ${table} WHERE ${where} ORDER BY ${column} LIMIT 1 OFFSET ${limit - 1}),
                        9223372036854775807)`

/**
 * Returns the SQL for the rows of a selection in byte format. `own` is the row's text, and `legs` is the texts of its transfers
 * in order. Each operation's transfers are looked up separately, so the time does not depend on the number of rows that the
 * planner expects.
 */
function formed(kind: SealedKind, where: string, limit: number | null): string {
  const source = SOURCES[kind]
  const { table, column } = source
  const page = (form: string) => `
    page AS MATERIALIZED (
      SELECT ${column} AS txid, id, ${form} FROM ${table}
       WHERE ${where} ${limit === null ? '' : `AND ${upToLimit(source, where, limit)}`}
       ORDER BY ${column}, id ${limit === null ? '' : `LIMIT ${limit}`}
    )`
  if (kind === 'account')
    return `${page(`${ACCOUNT} AS form`)},
    formed AS MATERIALIZED (
      SELECT txid, id, convert_to(form, 'UTF8') AS own, ''::bytea AS legs, 0 AS transfers, NULL::text[] AS assets,
             NULL::bigint[] AS minors
        FROM page
    )`
  return `${page(`period, ${OPERATION} AS form`)},
    formed AS MATERIALIZED (
      SELECT txid, page.id, convert_to(page.form, 'UTF8') AS own, convert_to(coalesce(t.forms, ''), 'UTF8') AS legs,
             t.transfers, t.assets, t.minors
        FROM page CROSS JOIN LATERAL (
          SELECT count(*) AS transfers, array_agg(asset) AS assets, array_agg(amount_minor) AS minors,
                 string_agg(${TRANSFER}, ',' ORDER BY leg) AS forms
            FROM ledger.transfer WHERE operation_id = page.id AND period = page.period) t
    )`
}

/**
 * Returns the statement that makes one block of a selection: the columns of ledger.seal_block, and the place of the last row.
 */
export function blockStatement(kind: SealedKind, { where, values }: RowSelection, limit: number | null = null) {
  const { idSent } = SOURCES[kind]
  const text = `WITH ${formed(kind, where, limit)}
    SELECT count(*)::int AS rows, coalesce(sum(transfers), 0)::int AS transfers,
           coalesce((SELECT jsonb_object_agg(asset, minor)::text
                       FROM (SELECT asset, sum(minor)::text AS minor
                               FROM formed, unnest(assets, minors) AS moved (asset, minor) GROUP BY asset) sums), '{}') AS moved,
           sha256(coalesce(string_agg(own || '['::bytea || legs || E']\\n'::bytea, ''::bytea ORDER BY txid, id), '')) AS digest,
           coalesce(string_agg(${idSent} || ${tagOf('own')} || ${tagOf('legs')}, ''::bytea ORDER BY txid, id), '') AS names,
           coalesce(max(txid), 0) AS upto, coalesce((array_agg(id::text ORDER BY txid DESC, id DESC))[1], '') AS "uptoId"
      FROM formed`
  return { text, values }
}

const tagOf = (bytes: string): string => `substr(sha256(${bytes}), 1, ${TAG_BYTES})`

/**
 * A row as stored in `names`: its id, TAG_BYTES bytes of the row's own digest, and TAG_BYTES bytes of its transfers' digest.
 */
export type SealedName = { id: string; own: string; legs: string }

export function sealedNamesIn(kind: SealedKind, bytes: Buffer): SealedName[] {
  const { idBytes } = SOURCES[kind]
  const size = idBytes + 2 * TAG_BYTES
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, place) => {
    const start = place * size
    const hex = (from: number, to: number): string => bytes.subarray(start + from, start + to).toString('hex')
    return {
      id: kind === 'account' ? String(bytes.readBigInt64BE(start)) : uuidOf(hex(0, idBytes)),
      own: hex(idBytes, idBytes + TAG_BYTES),
      legs: hex(idBytes + TAG_BYTES, size),
    }
  })
}

const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export type SealBlock = SealPosition & {
  seal: number
  block: number
  kind: SealedKind
  rows: number
  transfers: number
  moved: string
  digest: string
}

export type Seal = {
  number: number
  form: number
  sealedAt: Date
  day: string | null
  upto: number
  blocks: number
  accounts: number
  operations: number
  transfers: number
  moved: string
  root: string
  previous: string
  head: string
}

/** Returns the digest over the fields of a seal's blocks, in order. The number of the seal is not included. */
export const rootOf = (blocks: readonly SealBlock[]): string =>
  sha256(
    blocks
      .map(({ block, kind, upto, uptoId, rows, transfers, moved, digest }) =>
        JSON.stringify([block, kind, upto, uptoId, rows, transfers, moved, digest]),
      )
      .join('\n'),
  )

/** Returns the digest over all fields of a seal, including the digest of the previous seal. */
export const headOf = (seal: Omit<Seal, 'head'>): string =>
  sha256(
    JSON.stringify([
      'Alder seal',
      seal.form,
      seal.number,
      seal.sealedAt.toISOString(),
      seal.day,
      seal.upto,
      seal.blocks,
      seal.accounts,
      seal.operations,
      seal.transfers,
      seal.moved,
      seal.root,
      seal.previous,
    ]),
  )

/** Returns the totals of a seal's blocks. */
export function totalsOf(
  blocks: readonly SealBlock[],
): Pick<Seal, 'blocks' | 'accounts' | 'operations' | 'transfers' | 'moved'> {
  const movedByAsset = new Map<string, bigint>()
  for (const block of blocks)
    for (const [asset, minor] of Object.entries(JSON.parse(block.moved) as Record<string, string>))
      movedByAsset.set(asset, (movedByAsset.get(asset) ?? 0n) + BigInt(minor))
  const rowsOf = (kind: SealedKind): number =>
    blocks.reduce((sum, block) => sum + (block.kind === kind ? block.rows : 0), 0)
  return {
    blocks: blocks.length,
    accounts: rowsOf('account'),
    operations: rowsOf('operation'),
    transfers: blocks.reduce((sum, { transfers }) => sum + transfers, 0),
    moved: JSON.stringify(
      Object.fromEntries([...movedByAsset.keys()].toSorted().map((asset) => [asset, String(movedByAsset.get(asset))])),
    ),
  }
}
