import type { PoolClient } from 'pg'
import { formatAmount } from '#contract/money.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'
import { type Audit, auditBooks, type TrialLine } from '#server/ledger/books.ts'
import { findBank, runCommand } from '#server/cli/command.ts'

/** `npm run books`: proves the books of a running bank and prints its trial balance. Answers the exit code. */
async function main(): Promise<number> {
  const { appUrl } = await findBank()
  const { trialBalance, entries, problems } = await readBooks(appUrl)
  print(trialBalance)
  for (const problem of problems) console.log(`WRONG  ${problem}`)
  console.log(problems.length === 0 ? `The books balance: ${entries} entries.` : 'The books do not balance.')
  return problems.length === 0 ? 0 : 1
}

/** All figures are of one instant, however busy the bank is; the time that takes is not limited. */
async function readBooks(url: string): Promise<Audit> {
  const pool = openPool(url, { max: 1, name: 'alder books', statementTimeoutMs: null })
  let client: PoolClient | null = null
  try {
    client = await pool.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_seqscan = on')
    return await auditBooks(runOn(client))
  } finally {
    client?.release(true)
    await pool.end()
  }
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
