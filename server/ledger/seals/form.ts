import { createHash } from 'node:crypto'

/**
 * What is sealed, and as which bytes. PostgreSQL makes the digests, so that no row has to leave it, from the texts below: JSON as
 * `jsonb` writes it, times as microseconds since 1970. Whoever changes a text gives it a new number and keeps the old one for
 * the seals that were made with it.
 */
export const FORM = 1

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

const micros = (column: string): string => `(extract(epoch FROM ${column}) * 1000000)::bigint`

const OPERATION = `jsonb_build_array(id, kind, fingerprint, ${micros('booked_at')}, reverses, requested_by)::text`

const TRANSFER = `jsonb_build_array(leg, kind, asset, debit_account, credit_account, amount_minor, held_minor, hold_id,
  ${micros('expires_at')}, debit_version, credit_version, debit_balance_minor, credit_balance_minor, ${micros('booked_at')},
  debit_name, credit_name, label, category, method, params, note, ${micros('settles_at')}, limit_account,
  limit_direction)::text`

/** What an account never changes: whose it is, and what it holds. */
const ACCOUNT = `jsonb_build_array(id, holder_id, code, asset)::text`

export const KINDS = ['account', 'operation'] as const
export type Kind = (typeof KINDS)[number]

/** Where a block ends: a transaction, and the id of a row. */
export type Place = { upto: number; uptoId: string }

type Source = {
  table: string
  /** The column that says which SQL transaction made a row. */
  column: string
  /** Whether a row is of no known transaction. Those came before there were periods. */
  isPast: string
  id: 'bigint' | 'uuid'
  /** The last of all ids. */
  last: string
  /** The bytes of an id in `names`, and how to make them. */
  idBytes: number
  idSent: string
}

export const SOURCES: Readonly<Record<Kind, Source>> = {
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

/** How many bytes of a row's digest are kept beside its id, and as many of that of its transfers. */
const TAG_BYTES = 2

export type Selection = { where: string; values: unknown[] }

/** Before all rows of no known transaction. */
const BEGINNING = ''

/** Where the blocks of a kind begin that come after a seal: behind all rows of the transactions that it covers. */
export const startOf = (kind: Kind, { upto }: { upto: number }): Place =>
  upto === 0 ? { upto, uptoId: BEGINNING } : { upto: upto - 1, uptoId: SOURCES[kind].last }

/** Which rows come after a place: first those of no known transaction, by id alone. $1 and $2 are the place. */
const past = ({ isPast, id }: Source, { uptoId }: Place): string =>
  uptoId === BEGINNING ? `${isPast} AND $1::text IS NOT NULL` : `${isPast} AND id > $1::${id}`

const since = ({ column, id }: Source, { upto }: Place): string =>
  upto === 0
    ? `${column} > 0 AND ($1::bigint, $2::text) IS NOT NULL`
    : `${column} > 0 AND ${column} >= $1::bigint AND (${column}, id) > ($1::bigint, $2::${id})`

/** The next rows of no known transaction. */
export const pastAfter = (kind: Kind, after: Place): Selection => ({
  where: past(SOURCES[kind], after),
  values: [after.uptoId],
})

/** The next rows of transactions below `end`. */
export const rowsAfter = (kind: Kind, after: Place, end: number): Selection => ({
  where: `${since(SOURCES[kind], after)} AND ${SOURCES[kind].column} < $3::bigint`,
  values: [after.upto, after.uptoId, end],
})

/** The rows of a block: those after the end of the one before, up to its own. */
export function rowsBetween(kind: Kind, after: Place, end: Place): Selection {
  const source = SOURCES[kind]
  const { column, id } = source
  if (end.upto === 0) return { where: `${past(source, after)} AND id <= $2::${id}`, values: [after.uptoId, end.uptoId] }
  return {
    where: `${since(source, after)} AND ${column} <= $3::bigint AND (${column}, id) <= ($3::bigint, $4::${id})`,
    values: [after.upto, after.uptoId, end.upto, end.uptoId],
  }
}

/**
 * The first rows of a selection in the order of their transactions, and of all those of the last of these. Periods each have
 * their index, which has them in this order by transaction alone: so its end is found first, and no more is sorted than needed.
 */
const upToLimit = ({ table, column }: Source, where: string, limit: number): string => `
  ${column} <= coalesce((SELECT ${column} FROM ${table} WHERE ${where} ORDER BY ${column} LIMIT 1 OFFSET ${limit - 1}),
                        9223372036854775807)`

/**
 * The rows of a selection, formed: `own` is the row's text, `legs` those of its transfers in their order. Each operation's transfers
 * are looked up by themselves: how long that takes does not hang on how many rows the planner expects.
 */
function formed(kind: Kind, where: string, limit: number | null): string {
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

/** One block of a selection: what ledger.seal_block keeps of it, and where its last row is. */
export function blockStatement(kind: Kind, { where, values }: Selection, limit: number | null = null) {
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

/** A row as `names` keeps it: its id, a few bytes of its own digest, and as many of its transfers'. */
export type Name = { id: string; own: string; legs: string }

export function namesIn(kind: Kind, bytes: Buffer): Name[] {
  const { idBytes } = SOURCES[kind]
  const size = idBytes + 2 * TAG_BYTES
  return Array.from({ length: Math.floor(bytes.length / size) }, (_, place) => {
    const at = place * size
    const hex = (from: number, to: number): string => bytes.subarray(at + from, at + to).toString('hex')
    return {
      id: kind === 'account' ? String(bytes.readBigInt64BE(at)) : uuidOf(hex(0, idBytes)),
      own: hex(idBytes, idBytes + TAG_BYTES),
      legs: hex(idBytes + TAG_BYTES, size),
    }
  })
}

const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export type Block = Place & {
  seal: number
  block: number
  kind: Kind
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

/** The digest over all that the blocks of a seal say, in their order. */
export const rootOf = (blocks: readonly Block[]): string =>
  sha256(
    blocks
      .map(({ block, kind, upto, uptoId, rows, transfers, moved, digest }) =>
        JSON.stringify([block, kind, upto, uptoId, rows, transfers, moved, digest]),
      )
      .join('\n'),
  )

/** The digest over all that a seal says, that of the one before included. */
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

/** What the blocks of a seal come to. */
export function totalsOf(
  blocks: readonly Block[],
): Pick<Seal, 'blocks' | 'accounts' | 'operations' | 'transfers' | 'moved'> {
  const moved = new Map<string, bigint>()
  for (const block of blocks)
    for (const [asset, minor] of Object.entries(JSON.parse(block.moved) as Record<string, string>))
      moved.set(asset, (moved.get(asset) ?? 0n) + BigInt(minor))
  const rowsOf = (kind: Kind): number => blocks.reduce((sum, one) => sum + (one.kind === kind ? one.rows : 0), 0)
  return {
    blocks: blocks.length,
    accounts: rowsOf('account'),
    operations: rowsOf('operation'),
    transfers: blocks.reduce((sum, { transfers }) => sum + transfers, 0),
    moved: JSON.stringify(
      Object.fromEntries([...moved.keys()].toSorted().map((asset) => [asset, String(moved.get(asset))])),
    ),
  }
}
