import type { Run } from '#server/platform/db/run.ts'
import {
  type SealBlock,
  blockStatement,
  SEAL_FORMAT,
  headOf,
  type SealedKind,
  SEALED_KINDS,
  rowsOfUnknownTransactions,
  type SealPosition,
  rootOf,
  rowsAfter,
  type Seal,
  type RowSelection,
  firstBlockStart,
  totalsOf,
} from '#server/ledger/seals/seal-format.ts'

/** The number of rows in a block. A search for an altered row must read this many rows. */
const BLOCK_ROWS = 1_024
/**
 * The number of blocks made in one SQL transaction. Each block takes about 20 ms. The transaction holds only the sealing lock.
 */
const STEP_BLOCKS = 16
/** The number of the advisory lock for sealing. The value is arbitrary, but all sealers must use the same one. */
const SEAL_LOCK = 4_117_203_312

export type StepSizes = { blockRows?: number; stepBlocks?: number }
type StepOptions = StepSizes & Pick<Seal, 'day' | 'sealedAt'>

/**
 * Continues the next seal within the caller's SQL transaction, which should end soon. Returns the seal when it is complete;
 * null if more steps are needed. The step reads committed rows and locks nothing in the ledger, so posting is not delayed.
 *
 * A seal ends before the oldest SQL transaction that was running when the seal was closed. All rows of transactions with lower
 * numbers are visible, and no more can appear. Rows are in transaction order, so a row that commits late cannot fall between
 * two seals.
 */
export async function sealStep(run: Run, options: StepOptions): Promise<Seal | null> {
  const { day, sealedAt, blockRows = BLOCK_ROWS, stepBlocks = STEP_BLOCKS } = options
  await run('SELECT pg_advisory_xact_lock($1)', [SEAL_LOCK])
  const last = await lastSeal(run)
  const end = await oldestRunning(run)
  // Transaction numbers only grow within one PostgreSQL cluster. In another cluster they may be lower.
  if (end < last.upto)
    throw new Error(
      `Seal ${last.number} ends at the transaction ${last.upto}, and this PostgreSQL is at ${end}: it was loaded from a dump ` +
        '(docs/operations.md, "Prove the books").',
    )
  let blocksLeft = stepBlocks
  for (const kind of SEALED_KINDS) {
    blocksLeft = await addBlocks(run, { kind, last, end, left: blocksLeft, blockRows })
    if (blocksLeft === 0) return null
  }
  for (const kind of SEALED_KINDS) await closeKind(run, kind, last, end)
  return closeSeal(run, { last, day, sealedAt, upto: end })
}

async function oldestRunning(run: Run): Promise<number> {
  const { rows } = await run('SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS upto')
  return rows[0]?.['upto'] as number
}

type Adding = { kind: SealedKind; last: Seal; end: number; left: number; blockRows: number }

/**
 * Adds full blocks of a kind until the remaining rows do not fill a block, or `blocksLeft` blocks have been added. Rows with an
 * unknown transaction also make a last block that is not full. Returns the number of blocks that may still be added.
 */
async function addBlocks(run: Run, { kind, last, end, left: blocksLeft, blockRows }: Adding): Promise<number> {
  let after = await placeOf(run, kind, last)
  while (blocksLeft > 0) {
    const isPast = after.upto === 0
    const past = isPast ? await readBlock(run, kind, rowsOfUnknownTransactions(kind, after), blockRows) : null
    const isOfPast = past !== null && past.rows > 0
    const block = isOfPast ? past : await readBlock(run, kind, rowsAfter(kind, after, end), blockRows)
    if (block.rows === 0 || (!isOfPast && block.rows < blockRows)) return blocksLeft
    await keepBlock(run, last.number + 1, kind, block)
    after = block
    blocksLeft -= 1
  }
  return 0
}

/** Adds the last block of a kind with the remaining rows up to the end of the seal, so that no row lies between two seals. */
async function closeKind(run: Run, kind: SealedKind, last: Seal, end: number): Promise<void> {
  const after = await placeOf(run, kind, last)
  const block = await readBlock(run, kind, rowsAfter(kind, after, end), null)
  await keepBlock(run, last.number + 1, kind, { ...block, ...firstBlockStart(kind, { upto: end }) })
}

async function closeSeal(
  run: Run,
  { last, upto, day, sealedAt }: { last: Seal } & Pick<Seal, 'upto' | 'day' | 'sealedAt'>,
): Promise<Seal> {
  const number = last.number + 1
  const blocks = await blocksOf(run, number)
  const content = {
    number,
    form: SEAL_FORMAT,
    sealedAt,
    day,
    upto,
    ...totalsOf(blocks),
    root: rootOf(blocks),
    previous: last.head,
  }
  const seal = { ...content, head: headOf(content) }
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

/** Returns the last seal. In a bank without seals, returns seal number 0, which seals nothing. */
export async function lastSeal(run: Run): Promise<Seal> {
  const { rows } = await run(`SELECT ${SEAL_COLUMNS} FROM ledger.seal ORDER BY number DESC LIMIT 1`)
  const [seal] = rows as Seal[]
  if (!seal) throw new Error('The beginning of the seals is gone')
  return seal
}

/** Returns the seal with this number; null if none exists. */
export async function sealNumbered(run: Run, number: number): Promise<Seal | null> {
  const { rows } = await run(`SELECT ${SEAL_COLUMNS} FROM ledger.seal WHERE number = $1`, [number])
  return (rows[0] as Seal | undefined) ?? null
}

/** Returns all seals in order. */
export async function allSeals(run: Run): Promise<Seal[]> {
  const { rows } = await run(`SELECT ${SEAL_COLUMNS} FROM ledger.seal ORDER BY number`)
  return rows as Seal[]
}

const BLOCK_COLUMNS = `seal, block, kind, upto, upto_id AS "uptoId", rows, transfers, moved, encode(digest, 'hex') AS digest`

/** Returns the blocks of a seal in order. */
export async function blocksOf(run: Run, seal: number): Promise<SealBlock[]> {
  const { rows } = await run(`SELECT ${BLOCK_COLUMNS} FROM ledger.seal_block WHERE seal = $1 ORDER BY block`, [seal])
  return rows as SealBlock[]
}

/** Returns the place at which the next block of a kind starts. */
async function placeOf(run: Run, kind: SealedKind, last: Seal): Promise<SealPosition> {
  const { rows } = await run(
    'SELECT upto, upto_id AS "uptoId" FROM ledger.seal_block WHERE seal = $1 AND kind = $2 ORDER BY block DESC LIMIT 1',
    [last.number + 1, kind],
  )
  return (rows[0] as SealPosition | undefined) ?? firstBlockStart(kind, last)
}

type SealedRows = SealPosition & { rows: number; transfers: number; moved: string; digest: Buffer; names: Buffer }

async function readBlock(
  run: Run,
  kind: SealedKind,
  selection: RowSelection,
  limit: number | null,
): Promise<SealedRows> {
  const { text, values } = blockStatement(kind, selection, limit)
  const { rows } = await run(text, values)
  return rows[0] as SealedRows
}

async function keepBlock(run: Run, seal: number, kind: SealedKind, block: SealedRows): Promise<void> {
  await run(
    `INSERT INTO ledger.seal_block (seal, block, kind, upto, upto_id, rows, transfers, moved, digest, names)
     SELECT $1, coalesce(max(block) + 1, 0), $2, $3, $4, $5, $6, $7, $8, $9 FROM ledger.seal_block WHERE seal = $1`,
    [seal, kind, block.upto, block.uptoId, block.rows, block.transfers, block.moved, block.digest, block.names],
  )
}
