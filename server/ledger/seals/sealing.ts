import type { Run } from '#server/platform/db/run.ts'
import {
  type Block,
  blockStatement,
  FORM,
  headOf,
  type Kind,
  KINDS,
  pastAfter,
  type Place,
  rootOf,
  rowsAfter,
  type Seal,
  type Selection,
  startOf,
  totalsOf,
} from '#server/ledger/seals/form.ts'

/** How many rows a block has: as few as are looked through to name one that was altered. */
const BLOCK_ROWS = 1_024
/** How many blocks are made in one SQL transaction: some 20 ms each, for which no lock is held but this one. */
const STEP_BLOCKS = 16
/** Any number will do, as long as all who seal take the same lock. */
const SEAL_LOCK = 4_117_203_312

export type StepSizes = { blockRows?: number; stepBlocks?: number }
type StepOptions = StepSizes & Pick<Seal, 'day' | 'sealedAt'>

/**
 * Goes on with the next seal, within the caller's SQL transaction, which should soon end. Answers the seal once it is whole; null
 * where there is more to do. It reads what is committed and locks nothing of the ledger, so whoever posts does not notice.
 *
 * A seal ends before the oldest SQL transaction that was running when it was closed: of those below it, every row can be seen
 * and none can come. Rows are in the order of their transactions, so no row that commits late falls between two seals.
 */
export async function sealStep(run: Run, options: StepOptions): Promise<Seal | null> {
  const { day, sealedAt, blockRows = BLOCK_ROWS, stepBlocks = STEP_BLOCKS } = options
  await run('SELECT pg_advisory_xact_lock($1)', [SEAL_LOCK])
  const last = await lastSeal(run)
  const end = await oldestRunning(run)
  // A cluster's numbers only grow; those of another one may be lower.
  if (end < last.upto)
    throw new Error(
      `Seal ${last.number} ends at the transaction ${last.upto}, and this PostgreSQL is at ${end}: it was loaded from a dump ` +
        '(docs/operations.md, "Prove the books").',
    )
  let left = stepBlocks
  for (const kind of KINDS) {
    left = await addBlocks(run, { kind, last, end, left, blockRows })
    if (left === 0) return null
  }
  for (const kind of KINDS) await closeKind(run, kind, last, end)
  return closeSeal(run, { last, day, sealedAt, upto: end })
}

async function oldestRunning(run: Run): Promise<number> {
  const { rows } = await run('SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS upto')
  return rows[0]?.['upto'] as number
}

type Adding = { kind: Kind; last: Seal; end: number; left: number; blockRows: number }

/** Adds full blocks of a kind until there are no more, or `left` have been added. Answers how many may still be. */
async function addBlocks(run: Run, { kind, last, end, left, blockRows }: Adding): Promise<number> {
  let after = await placeOf(run, kind, last)
  while (left > 0) {
    const isPast = after.upto === 0
    const past = isPast ? await readBlock(run, kind, pastAfter(kind, after), blockRows) : null
    const isOfPast = past !== null && past.rows > 0
    const found = isOfPast ? past : await readBlock(run, kind, rowsAfter(kind, after, end), blockRows)
    if (found.rows === 0 || (!isOfPast && found.rows < blockRows)) return left
    await keepBlock(run, last.number + 1, kind, found)
    after = found
    left -= 1
  }
  return 0
}

/** The last block of a kind: what is left, up to the end of the seal, so that nothing is between it and the next one. */
async function closeKind(run: Run, kind: Kind, last: Seal, end: number): Promise<void> {
  const after = await placeOf(run, kind, last)
  const found = await readBlock(run, kind, rowsAfter(kind, after, end), null)
  await keepBlock(run, last.number + 1, kind, { ...found, ...startOf(kind, { upto: end }) })
}

async function closeSeal(
  run: Run,
  { last, upto, day, sealedAt }: { last: Seal } & Pick<Seal, 'upto' | 'day' | 'sealedAt'>,
): Promise<Seal> {
  const number = last.number + 1
  const blocks = await blocksOf(run, number)
  const said = {
    number,
    form: FORM,
    sealedAt,
    day,
    upto,
    ...totalsOf(blocks),
    root: rootOf(blocks),
    previous: last.head,
  }
  const seal = { ...said, head: headOf(said) }
  await run(
    `INSERT INTO ledger.seal (number, form, sealed_at, day, upto, blocks, accounts, operations, transfers, moved, root, previous, head)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      seal.number,
      seal.form,
      seal.sealedAt,
      seal.day,
      seal.upto,
      seal.blocks,
      seal.accounts,
      seal.operations,
      seal.transfers,
      seal.moved,
      seal.root,
      seal.previous,
      seal.head,
    ],
  )
  return seal
}

const SEAL_COLUMNS =
  'number, form, sealed_at AS "sealedAt", day, upto, blocks, accounts, operations, transfers, moved, root, previous, head'

/** The last seal; the one numbered 0, which seals nothing, in a bank that has none yet. */
export async function lastSeal(run: Run): Promise<Seal> {
  const { rows } = await run(`SELECT ${SEAL_COLUMNS} FROM ledger.seal ORDER BY number DESC LIMIT 1`)
  const [seal] = rows as Seal[]
  if (!seal) throw new Error('The beginning of the seals is gone')
  return seal
}

/** The seal of a number; null where there is none. */
export async function sealNumbered(run: Run, number: number): Promise<Seal | null> {
  const { rows } = await run(`SELECT ${SEAL_COLUMNS} FROM ledger.seal WHERE number = $1`, [number])
  return (rows[0] as Seal | undefined) ?? null
}

/** All seals, in their order. */
export async function allSeals(run: Run): Promise<Seal[]> {
  const { rows } = await run(`SELECT ${SEAL_COLUMNS} FROM ledger.seal ORDER BY number`)
  return rows as Seal[]
}

const BLOCK_COLUMNS = `seal, block, kind, upto, upto_id AS "uptoId", rows, transfers, moved, encode(digest, 'hex') AS digest`

/** The blocks of a seal, in their order. */
export async function blocksOf(run: Run, seal: number): Promise<Block[]> {
  const { rows } = await run(`SELECT ${BLOCK_COLUMNS} FROM ledger.seal_block WHERE seal = $1 ORDER BY block`, [seal])
  return rows as Block[]
}

/** Where the next block of a kind begins. */
async function placeOf(run: Run, kind: Kind, last: Seal): Promise<Place> {
  const { rows } = await run(
    'SELECT upto, upto_id AS "uptoId" FROM ledger.seal_block WHERE seal = $1 AND kind = $2 ORDER BY block DESC LIMIT 1',
    [last.number + 1, kind],
  )
  return (rows[0] as Place | undefined) ?? startOf(kind, last)
}

type Found = Place & { rows: number; transfers: number; moved: string; digest: Buffer; names: Buffer }

async function readBlock(run: Run, kind: Kind, selection: Selection, limit: number | null): Promise<Found> {
  const { text, values } = blockStatement(kind, selection, limit)
  const { rows } = await run(text, values)
  return rows[0] as Found
}

async function keepBlock(run: Run, seal: number, kind: Kind, found: Found): Promise<void> {
  await run(
    `INSERT INTO ledger.seal_block (seal, block, kind, upto, upto_id, rows, transfers, moved, digest, names)
     SELECT $1, coalesce(max(block) + 1, 0), $2, $3, $4, $5, $6, $7, $8, $9 FROM ledger.seal_block WHERE seal = $1`,
    [seal, kind, found.upto, found.uptoId, found.rows, found.transfers, found.moved, found.digest, found.names],
  )
}
