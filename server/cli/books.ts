import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { PoolClient } from 'pg'
import { formatAmount } from '#contract/money.ts'
import type { Config } from '#server/bank/config.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { type Audit, auditBooks, auditBooksSince, type TrialLine } from '#server/ledger/audit.ts'
import type { Seal } from '#server/ledger/seals/seal-format.ts'
import { lastSeal } from '#server/ledger/seals/sealing.ts'
import { checkChain, checkFuture, checkRows, type KnownHead } from '#server/ledger/seals/verify.ts'
import { headsIn } from '#server/seals/publish-heads.ts'
import { findBank, runCommand } from '#server/cli/command.ts'

const USAGE = 'npm run books [-- --all] [--head HASH]'

type Proof = Audit & { seal: Seal; sealedOperations: number | null }

/**
 * `npm run books`: proves the books of a running bank and prints the trial balance. Without `--all`, the bookings after the
 * last seal are checked. With `--all`, all bookings and the seals are checked. Returns the exit code.
 */
async function main(): Promise<number> {
  const { all: checksAll, head } = readArguments()
  const { config, appUrl } = await findBank()
  const storedHeads = readKeptHeads(config)
  if (head !== undefined) storedHeads.heads.push({ head, from: '--head' })
  const { trialBalance, problems, entries, seal, sealedOperations } = await readBooks(
    appUrl,
    checksAll,
    storedHeads.heads,
  )
  print(trialBalance)
  // A bank without seals has no heads to compare, so problems with the file of heads do not matter.
  const problemsFound = [...(seal.number > 0 ? storedHeads.problems : []), ...problems]
  for (const problem of problemsFound) console.log(`WRONG  ${problem}`)
  for (const note of storedHeads.notes) console.log(note)
  const isProved = problemsFound.length === 0
  console.log(isProved ? `The books balance: ${entries} entries.` : 'The books do not balance.')
  if (seal.number > 0) console.log(scopeOf(seal, sealedOperations))
  return isProved ? 0 : 1
}

/** Returns a sentence about the bookings that were checked and the seals that cover them. */
function scopeOf({ number, sealedAt, head }: Seal, sealedOperations: number | null): string {
  const sealText = `seal ${number} of ${sealedAt.toISOString()}, ${head}`
  return sealedOperations === null
    ? `They came after ${sealText}. Older bookings were not checked: --all checks them too.`
    : `Of the operations, ${sealedOperations} were compared with their seals, up to ${sealText}.`
}

function readArguments(): { all: boolean; head?: string | undefined } {
  try {
    const { values } = parseArgs({ options: { all: { type: 'boolean', default: false }, head: { type: 'string' } } })
    if (values.head !== undefined && !/^[0-9a-f]{64}$/.test(values.head)) throw new RangeError('A head is 64 digits')
    return values
  } catch {
    throw new StartError(USAGE)
  }
}

type ReadHeads = { heads: KnownHead[]; problems: string[]; notes: string[] }

/** Reads the heads of seals from SEAL_FILE. These heads reveal seals that were replaced by newly made ones. */
function readKeptHeads({ sealHeads: { file } }: Config): ReadHeads {
  if (file === null) return { heads: [], problems: [], notes: [] }
  if (!existsSync(file)) return { heads: [], problems: [goneText(file)], notes: [] }
  const { heads, unread, isCutOff } = headsIn(readSealFile(file))
  return {
    heads,
    problems: unread === 0 ? [] : [`SEAL_FILE has ${unread} lines without a head`],
    notes: isCutOff ? ['SEAL_FILE ends within a line, as after a crash; that line was left out.'] : [],
  }
}

const goneText = (file: string): string =>
  `SEAL_FILE is not there, so its heads were not compared: ${file}. Bring it back. If it is lost, compare a head from a mail or the log ` +
  'with --head. npm run seal creates the file again, and also for the first time. If another server keeps the file, unset SEAL_FILE here'

function readSealFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartError(`SEAL_FILE cannot be read: ${(error as Error).message}.`)
  }
}

/** Reads the books as of one instant, even while the bank writes. There is no time limit. */
async function readBooks(url: string, checksAll: boolean, earlierHeads: KnownHead[]): Promise<Proof> {
  const pool = openPool(url, { max: 1, name: 'alder books', statementTimeoutMs: null })
  let client: PoolClient | null = null
  try {
    client = await pool.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_seqscan = on')
    return await prove(runOn(client), checksAll, earlierHeads)
  } finally {
    client?.release(true)
    await pool.end()
  }
}

async function prove(run: Run, checksAll: boolean, earlierHeads: KnownHead[]): Promise<Proof> {
  const chain = await checkChain(run, earlierHeads)
  const seal = await lastSeal(run)
  const rows = checksAll ? await checkRows(run) : null
  const audit = checksAll || seal.number === 0 ? await auditBooks(run) : await auditBooksSince(run, seal.upto)
  const problems = [...chain, ...(rows?.problems ?? []), ...(await checkFuture(run)), ...audit.problems]
  return { ...audit, problems, seal, sealedOperations: rows && rows.operations }
}

function print(lines: TrialLine[]): void {
  for (const [asset, group] of Map.groupBy(lines, (line) => line.asset)) {
    const amount = (minor: bigint): string => formatAmount(minor, asset, { symbol: false })
    const total = (side: 'debitMinor' | 'creditMinor'): bigint => group.reduce((sum, line) => sum + line[side], 0n)
    row(asset, 'accounts', 'debit', 'credit', 'held')
    for (const { owner, code, accounts, debitMinor, creditMinor, heldMinor } of group) {
      row(`${owner} ${code}`, String(accounts), amount(debitMinor), amount(creditMinor), amount(heldMinor))
    }
    row('total', '', amount(total('debitMinor')), amount(total('creditMinor')), '')
    console.log()
  }
}

function row(name: string, ...figures: string[]): void {
  console.log(name.padEnd(28) + figures.map((figure) => figure.padStart(20)).join(''))
}

await runCommand(main)
