import type { Run } from '#server/platform/db/run.ts'
import {
  type Block,
  blockStatement,
  headOf,
  type Kind,
  KINDS,
  type Name,
  namesIn,
  type Place,
  rootOf,
  rowsBetween,
  type Seal,
  SOURCES,
  startOf,
  totalsOf,
} from '#server/ledger/seals/form.ts'
import { allSeals, blocksOf } from '#server/ledger/seals/sealing.ts'

/** A head that is known from outside: under which number it was told, where that is known. */
export type KnownHead = { head: string; number?: number; from: string }

/** Whether the seals are those that were made: each head follows from what the seal says, its blocks and the seal before. Sentences. */
export async function checkChain(run: Run, known: readonly KnownHead[] = []): Promise<string[]> {
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
  return [...problems, ...known.flatMap((one) => checkHead(seals, one))]
}

function checkHead(seals: readonly Seal[], { head, number, from }: KnownHead): string[] {
  const found = seals.find((seal) => seal.head === head)
  if (found && (number === undefined || found.number === number)) return []
  const there = number === undefined ? undefined : seals[number]
  if (there) return [`seal ${number} was altered: ${from} has the head ${head}, and it is ${there.head}`]
  return [
    `${number === undefined ? 'a seal' : `seal ${number}`} is missing: ${from} has the head ${head}, and the last seal is ${seals.length - 1}`,
  ]
}

async function checkSeal(run: Run, seal: Seal, before: Seal): Promise<string[]> {
  const named = `seal ${seal.number} was altered`
  if (headOf(seal) !== seal.head) return [`${named}: its head does not follow from what it says`]
  if (seal.previous !== before.head) return [`${named}: it does not follow seal ${before.number}`]
  if (seal.upto < before.upto) return [`${named}: it ends before seal ${before.number}`]
  const blocks = await blocksOf(run, seal.number)
  if (rootOf(blocks) !== seal.root) return [`the blocks of seal ${seal.number} were altered`]
  const totals = totalsOf(blocks)
  const wrong = Object.entries(totals).find(([name, value]) => seal[name as keyof Seal] !== value)
  return wrong ? [`${named}: it says ${wrong[0]} ${String(seal[wrong[0] as keyof Seal])}, its blocks ${wrong[1]}`] : []
}

/** What a thorough check of the rows found. */
type Altered = { problems: string[]; operations: number }

/** At most this many findings are listed; more would say no more. */
const FINDINGS = 20

/**
 * Makes the digest of every block again from the rows as they are, and names the first row of each block that is not as it was
 * sealed. `run` must be inside a transaction; it forbids scans of whole tables there.
 */
export async function checkRows(run: Run): Promise<Altered> {
  await run('SET LOCAL enable_seqscan = off')
  const problems: string[] = []
  let operations = 0
  const places = new Map<Kind, Place>(KINDS.map((kind) => [kind, startOf(kind, { upto: 0 })]))
  for (const seal of await allSeals(run)) {
    if (seal.number === 0) for (const kind of KINDS) places.set(kind, startOf(kind, seal))
    else {
      for (const block of await blocksOf(run, seal.number)) {
        const after = places.get(block.kind) ?? startOf(block.kind, { upto: 0 })
        if (problems.length < FINDINGS) problems.push(...(await checkBlock(run, block, after)))
        places.set(block.kind, block)
      }
      operations += seal.operations
    }
  }
  await run('SET LOCAL enable_seqscan = on')
  for (const kind of KINDS) problems.push(...(await strays(run, kind)))
  problems.push(...(await strayTransfers(run)))
  return { problems, operations }
}

async function checkBlock(run: Run, block: Block, after: Place): Promise<string[]> {
  const { text, values } = blockStatement(block.kind, rowsBetween(block.kind, after, block))
  const { rows } = await run(text, values)
  const found = rows[0] as { digest: Buffer; names: Buffer }
  if (found.digest.toString('hex') === block.digest) return []
  const kept = await run('SELECT names FROM ledger.seal_block WHERE seal = $1 AND block = $2', [
    block.seal,
    block.block,
  ])
  const sealed = namesIn(block.kind, kept.rows[0]?.['names'] as Buffer)
  return [
    `${firstAltered(block.kind, sealed, namesIn(block.kind, found.names))} (seal ${block.seal}, block ${block.block})`,
  ]
}

/** Which row is the first that is not as it was sealed. */
function firstAltered(kind: Kind, sealed: readonly Name[], found: readonly Name[]): string {
  const { table } = SOURCES[kind]
  const row = (name: Name): string => `${kind} ${name.id}`
  const place = Array.from({ length: Math.max(sealed.length, found.length) }).findIndex((_, at) => {
    const [before, now] = [sealed[at], found[at]]
    return before?.id !== now?.id || before?.own !== now?.own || before?.legs !== now?.legs
  })
  const [before, now] = [sealed[place], found[place]]
  if (before && now && before.id === now.id) {
    if (before.own !== now.own) return `${row(now)} was altered since it was sealed, in ${table}`
    return `${row(now)}: its transfers were altered since they were sealed, in ledger.transfer`
  }
  if (before && !found.some(({ id }) => id === before.id)) return `${row(before)} was removed from ${table}`
  if (now && !sealed.some(({ id }) => id === now.id)) return `${row(now)} was added to what is sealed, in ${table}`
  if (now) return `${row(now)} was moved, in ${table}`
  return `one of ${sealed.length} rows from ${kind} ${sealed[0]?.id} to ${sealed.at(-1)?.id} was altered, in ${table} or ledger.transfer`
}

/** Rows that claim to be older than all seals, and are in none: no place of a block has them. */
async function strays(run: Run, kind: Kind): Promise<string[]> {
  const { table, column, isPast, id } = SOURCES[kind]
  const { rows } = await run(
    `SELECT id::text AS id FROM ${table}
      WHERE ${column} < 0 OR ${column} = 0 AND NOT (${isPast})
         OR ${column} = 0 AND (SELECT upto FROM ledger.seal ORDER BY number DESC LIMIT 1) > 0
        AND id > ALL (SELECT upto_id::${id} FROM ledger.seal_block WHERE kind = $1 AND upto = 0 AND rows > 0)
      ORDER BY id LIMIT ${FINDINGS}`,
    [kind],
  )
  return rows.map((row) => `${kind} ${String(row['id'])} was added to what is sealed, in ${table}`)
}

/** Transfers that no block looks at: those of an operation are in its period. */
async function strayTransfers(run: Run): Promise<string[]> {
  const { rows } = await run(
    `SELECT DISTINCT operation_id::text AS id FROM ledger.transfer t
      WHERE NOT EXISTS (SELECT FROM ledger.operation WHERE id = t.operation_id AND period = t.period)
      ORDER BY 1 LIMIT ${FINDINGS}`,
  )
  return rows.map((row) => `operation ${String(row['id'])} is not in the period of its transfers, in ledger.transfer`)
}

/**
 * Rows that claim to be of a transaction that has not been: no seal covers them until there has been. Either their database was
 * loaded into a PostgreSQL whose numbers are lower, or somebody wrote them so. Sentences.
 */
export async function checkFuture(run: Run): Promise<string[]> {
  const found = await Promise.all(
    KINDS.map(async (kind) => {
      const { table, column } = SOURCES[kind]
      const { rows } = await run(
        `SELECT id::text AS id, ${column} AS txid, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS next
           FROM ${table} WHERE ${column} > 0 AND ${column} >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
          ORDER BY ${column}, id LIMIT ${FINDINGS}`,
      )
      return rows.map(
        ({ id, txid, next }) =>
          `${kind} ${String(id)} is of a transaction that has not been, ${String(txid)}, and PostgreSQL is at ${String(next)}, ` +
          `so no seal covers it, in ${table} (docs/operations.md, "Prove the books")`,
      )
    }),
  )
  return found.flat()
}
