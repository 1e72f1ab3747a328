import type { Run } from '#server/platform/db/run.ts'
import {
  type SealBlock,
  blockStatement,
  headOf,
  type SealedKind,
  SEALED_KINDS,
  type SealedName,
  sealedNamesIn,
  type SealPosition,
  rootOf,
  rowsBetween,
  type Seal,
  SOURCES,
  firstBlockStart,
  totalsOf,
} from '#server/ledger/seals/seal-format.ts'
import { allSeals, blocksOf } from '#server/ledger/seals/sealing.ts'

/** The head of a seal as a source outside the database (`from`) knows it, with the seal's number if the source has it. */
export type KnownHead = { head: string; number?: number; from: string }

/**
 * Checks that no seal was changed: each head must follow from the seal, its blocks and the previous seal. Returns problems as
 * sentences.
 */
export async function checkChain(run: Run, earlierHeads: readonly KnownHead[] = []): Promise<string[]> {
  const seals = await allSeals(run)
  const problems: string[] = []
  for (const [place, seal] of seals.entries()) {
    if (seal.number !== place) {
      problems.push(`seal ${place} is missing`)
      break
    }
    const before = seals[place - 1]
    if (before) problems.push(...(await checkSeal(run, seal, before)))
  }
  return [...problems, ...earlierHeads.flatMap((head) => checkHead(seals, head))]
}

function checkHead(seals: readonly Seal[], { head, number, from }: KnownHead): string[] {
  const match = seals.find((seal) => seal.head === head)
  if (match && (number === undefined || match.number === number)) return []
  const there = number === undefined ? undefined : seals[number]
  if (there) return [`seal ${number} was altered: ${from} has the head ${head}, and it is ${there.head}`]
  return [
    `${number === undefined ? 'a seal' : `seal ${number}`} is missing: ${from} has the head ${head}, and the last seal is ${seals.length - 1}`,
  ]
}

async function checkSeal(run: Run, seal: Seal, before: Seal): Promise<string[]> {
  const named = `seal ${seal.number} was altered`
  if (headOf(seal) !== seal.head) return [`${named}: its head does not follow from its content`]
  if (seal.previous !== before.head) return [`${named}: it does not follow seal ${before.number}`]
  if (seal.upto < before.upto) return [`${named}: it ends before seal ${before.number}`]
  const blocks = await blocksOf(run, seal.number)
  if (rootOf(blocks) !== seal.root) return [`the blocks of seal ${seal.number} were altered`]
  const totals = totalsOf(blocks)
  const wrong = Object.entries(totals).find(([name, value]) => seal[name as keyof Seal] !== value)
  return wrong ? [`${named}: it says ${wrong[0]} ${String(seal[wrong[0] as keyof Seal])}, its blocks ${wrong[1]}`] : []
}

/** The result of a thorough check of the rows. */
type Altered = { problems: string[]; operations: number }

/** The maximum number of listed findings of one kind. More of them would add no information. */
const FINDINGS = 20

/**
 * Makes the digest of every block again from the current rows, and names the first changed row of each block. `run` must be
 * inside a transaction, in which this function forbids scans of whole tables.
 */
export async function checkRows(run: Run): Promise<Altered> {
  await run('SET LOCAL enable_seqscan = off')
  const problems: string[] = []
  let operations = 0
  const places = new Map<SealedKind, SealPosition>(
    SEALED_KINDS.map((kind) => [kind, firstBlockStart(kind, { upto: 0 })]),
  )
  for (const seal of await allSeals(run)) {
    if (seal.number === 0) for (const kind of SEALED_KINDS) places.set(kind, firstBlockStart(kind, seal))
    else {
      for (const block of await blocksOf(run, seal.number)) {
        const after = places.get(block.kind) ?? firstBlockStart(block.kind, { upto: 0 })
        if (problems.length < FINDINGS) problems.push(...(await checkBlock(run, block, after)))
        places.set(block.kind, block)
      }
      operations += seal.operations
    }
  }
  await run('SET LOCAL enable_seqscan = on')
  for (const kind of SEALED_KINDS) problems.push(...(await strays(run, kind)))
  problems.push(...(await strayTransfers(run)))
  return { problems, operations }
}

async function checkBlock(run: Run, block: SealBlock, after: SealPosition): Promise<string[]> {
  const { text, values } = blockStatement(block.kind, rowsBetween(block.kind, after, block))
  const { rows } = await run(text, values)
  const row = rows[0] as { digest: Buffer; names: Buffer }
  if (row.digest.toString('hex') === block.digest) return []
  const stored = await run('SELECT names FROM ledger.seal_block WHERE seal = $1 AND block = $2', [
    block.seal,
    block.block,
  ])
  const sealed = sealedNamesIn(block.kind, stored.rows[0]?.['names'] as Buffer)
  return [
    `${firstAltered(block.kind, sealed, sealedNamesIn(block.kind, row.names))} (seal ${block.seal}, block ${block.block})`,
  ]
}

/** Names the first row that differs from its sealed state. */
function firstAltered(kind: SealedKind, sealed: readonly SealedName[], current: readonly SealedName[]): string {
  const { table } = SOURCES[kind]
  const row = (name: SealedName): string => `${kind} ${name.id}`
  const place = Array.from({ length: Math.max(sealed.length, current.length) }).findIndex((_, at) => {
    const [before, now] = [sealed[at], current[at]]
    return before?.id !== now?.id || before?.own !== now?.own || before?.legs !== now?.legs
  })
  const [before, now] = [sealed[place], current[place]]
  if (before && now && before.id === now.id) {
    if (before.own !== now.own) return `${row(now)} was altered since it was sealed, in ${table}`
    return `${row(now)}: its transfers were altered since they were sealed, in ledger.transfer`
  }
  if (before && !current.some(({ id }) => id === before.id)) return `${row(before)} was removed from ${table}`
  if (now && !sealed.some(({ id }) => id === now.id)) return `${row(now)} was added to the sealed rows, in ${table}`
  if (now) return `${row(now)} was moved, in ${table}`
  return `one of ${sealed.length} rows from ${kind} ${sealed[0]?.id} to ${sealed.at(-1)?.id} was altered, in ${table} or ledger.transfer`
}

/**
 * Finds rows that appear to be older than the first seal but that no block covers. Their transaction number is zero, as in rows
 * from before there were periods, or below zero.
 */
async function strays(run: Run, kind: SealedKind): Promise<string[]> {
  const { table, column, isPast, id } = SOURCES[kind]
  const { rows } = await run(
    `SELECT id::text AS id FROM ${table}
      WHERE ${column} < 0 OR ${column} = 0 AND NOT (${isPast})
         OR ${column} = 0 AND (SELECT upto FROM ledger.seal ORDER BY number DESC LIMIT 1) > 0
        AND id > ALL (SELECT upto_id::${id} FROM ledger.seal_block WHERE kind = $1 AND upto = 0 AND rows > 0)
      ORDER BY id LIMIT ${FINDINGS}`,
    [kind],
  )
  return rows.map((row) => `${kind} ${String(row['id'])} was added to the sealed rows, in ${table}`)
}

/** Finds transfers that no block covers. Blocks only cover the transfers in the same period as their operation. */
async function strayTransfers(run: Run): Promise<string[]> {
  const { rows } = await run(
    `SELECT DISTINCT operation_id::text AS id FROM ledger.transfer t
      WHERE NOT EXISTS (SELECT FROM ledger.operation WHERE id = t.operation_id AND period = t.period)
      ORDER BY 1 LIMIT ${FINDINGS}`,
  )
  return rows.map((row) => `operation ${String(row['id'])} is not in the period of its transfers, in ledger.transfer`)
}

/**
 * Finds rows with a transaction number that PostgreSQL has not reached yet. No seal covers such rows until it reaches that
 * number. Either the database was restored into a PostgreSQL cluster with lower numbers, or the number is forged. Returns
 * problems as sentences.
 */
export async function checkFuture(run: Run): Promise<string[]> {
  const blocks = await Promise.all(
    SEALED_KINDS.map(async (kind) => {
      const { table, column } = SOURCES[kind]
      const { rows } = await run(
        `SELECT id::text AS id, ${column} AS txid, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next
           FROM ${table} WHERE ${column} > 0 AND ${column} >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
          ORDER BY ${column}, id LIMIT ${FINDINGS}`,
      )
      return rows.map(
        ({ id, txid, next }) =>
          `${kind} ${String(id)} belongs to a transaction that does not exist, ${String(txid)}, and PostgreSQL is at ${String(next)}, ` +
          `so no seal covers it, in ${table} (docs/operations.md, "Prove the books")`,
      )
    }),
  )
  return blocks.flat()
}
