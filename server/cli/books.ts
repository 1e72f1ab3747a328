import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { PoolClient } from 'pg'
import { formatAmount } from '#contract/money.ts'
import type { Config } from '#server/bank/config.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { type Audit, auditBooks, auditBooksSince, type TrialLine } from '#server/ledger/books.ts'
import type { Seal } from '#server/ledger/seals/form.ts'
import { lastSeal } from '#server/ledger/seals/sealing.ts'
import { checkChain, checkFuture, checkRows, type KnownHead } from '#server/ledger/seals/verify.ts'
import { headsIn } from '#server/seals/telling.ts'
import { findBank, runCommand } from '#server/cli/command.ts'

const USAGE = 'npm run books [-- --all] [--head HASH]'

type Proof = Audit & { seal: Seal; sealedOperations: number | null }

/**
 * `npm run books`: proves the books of a running bank and prints its trial balance: what came after the last seal, or with `--all`
 * everything, and that what is sealed is as it was. Answers the exit code.
 */
async function main(): Promise<number> {
  const { all, head } = readArguments()
  const { config, appUrl } = await findBank()
  const known = keptHeads(config)
  if (head !== undefined) known.heads.push({ head, from: '--head' })
  const { trialBalance, problems, entries, seal, sealedOperations } = await readBooks(appUrl, all, known.heads)
  print(trialBalance)
  // A bank that has no seals yet has none of their heads.
  const found = [...(seal.number > 0 ? known.problems : []), ...problems]
  for (const problem of found) console.log(`WRONG  ${problem}`)
  for (const note of known.notes) console.log(note)
  const isProved = found.length === 0
  console.log(isProved ? `The books balance: ${entries} entries.` : 'The books do not balance.')
  if (seal.number > 0) console.log(scopeOf(seal, sealedOperations))
  return isProved ? 0 : 1
}

/** What was gone through, and what was left to the seals. */
function scopeOf({ number, sealedAt, head }: Seal, sealedOperations: number | null): string {
  const of = `seal ${number} of ${sealedAt.toISOString()}, ${head}`
  return sealedOperations === null
    ? `They came after ${of}. What it covers was not gone through: --all does.`
    : `Of the operations, ${sealedOperations} were compared with what was sealed, up to ${of}.`
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

type Kept = { heads: KnownHead[]; problems: string[]; notes: string[] }

/** The heads in SEAL_FILE. Where it is gone, nobody would notice that seals were made anew. */
function keptHeads({ sealHeads: { file } }: Config): Kept {
  if (file === null) return { heads: [], problems: [], notes: [] }
  if (!existsSync(file)) return { heads: [], problems: [goneText(file)], notes: [] }
  const { heads, unread, isCutOff } = headsIn(read(file))
  return {
    heads,
    problems: unread === 0 ? [] : [`SEAL_FILE has ${unread} lines that say no head`],
    notes: isCutOff ? ['SEAL_FILE ends within a line, as after a crash; that line was left out.'] : [],
  }
}

const goneText = (file: string): string =>
  `SEAL_FILE is not there, so no head was compared: ${file}. Bring it back. If it is lost, compare a head from a mail or the log ` +
  'with --head; npm run seal begins it anew, also where SEAL_FILE was only just set. Where another server keeps it, unset SEAL_FILE here'

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartError(`SEAL_FILE cannot be read: ${(error as Error).message}.`)
  }
}

/** All figures are of one instant, however busy the bank is; the time that takes is not limited. */
async function readBooks(url: string, all: boolean, known: KnownHead[]): Promise<Proof> {
  const pool = openPool(url, { max: 1, name: 'alder books', statementTimeoutMs: null })
  let client: PoolClient | null = null
  try {
    client = await pool.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_seqscan = on')
    return await prove(runOn(client), all, known)
  } finally {
    client?.release(true)
    await pool.end()
  }
}

async function prove(run: Run, all: boolean, known: KnownHead[]): Promise<Proof> {
  const chain = await checkChain(run, known)
  const seal = await lastSeal(run)
  const rows = all ? await checkRows(run) : null
  const audit = all || seal.number === 0 ? await auditBooks(run) : await auditBooksSince(run, seal.upto)
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
