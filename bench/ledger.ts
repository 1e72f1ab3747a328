import { randomUUIDv7 as randomUUID } from 'node:crypto'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import type { AccountId, Detail, Ledger, Operation } from '#server/ledger/types.ts'
import { percentile } from './measure.ts'

export type LedgerFigure = { inFlight: number; accounts: number; tps: number; p99_ms: number }

const OPENING_MINOR = 1_000_000_00
/**
 * The rounds: many accounts, a few accounts that wait for each other's locks, and very many accounts. The throughput of the
 * last round should equal that of the first with the same number of posts in flight.
 */
const ROUNDS = [
  { accounts: 10_000, inFlight: [20, 256, 1024] },
  { accounts: 10, inFlight: [20, 256, 1024] },
  { accounts: 1_000_000, inFlight: [256] },
]
/** The number of accounts that one batch opens and funds. */
const OPENED_AT_ONCE = 20_000

function transfer(debit: AccountId, credit: AccountId, amountMinor: number): Operation {
  const id = randomUUID()
  const detail: Detail = { debitName: 'Bench', creditName: 'Bench', category: 'transfer' }
  return {
    id,
    kind: 'bench.transfer',
    fingerprint: id,
    bookedAt: new Date(),
    legs: [{ kind: 'transfer', debit, credit, amountMinor, detail }],
  }
}

/** Opens customers' accounts and funds them. */
async function fundedAccounts(url: string, ledger: Ledger, count: number): Promise<AccountId[]> {
  const pool = openPool(url, { max: 1 })
  const clearing = bankAccount('ach_clearing')
  const allAccounts: AccountId[] = []
  while (allAccounts.length < count) {
    const holders = Array.from(
      { length: Math.min(OPENED_AT_ONCE, count - allAccounts.length) },
      () => ({ holderId: randomUUID(), code: 'current', asset: 'USD' }) as const,
    )
    const accounts = await openAccounts(runOn(pool), holders)
    const outcomes = await ledger.postAll(accounts.map((account) => transfer(clearing, account, OPENING_MINOR)))
    if (outcomes.some((outcome) => !outcome.ok)) throw new Error('The accounts could not be funded')
    allAccounts.push(...accounts)
  }
  await pool.end()
  return allAccounts
}

/**
 * Posts transfers between random accounts for `seconds`, with always `inFlight` of them unfinished. Returns the durable posts
 * per second (`tps`) and the 99th percentile of their latency.
 */
async function drive(ledger: Ledger, accounts: AccountId[], inFlight: number, seconds: number): Promise<LedgerFigure> {
  const tookMs: number[] = []
  const end = performance.now() + seconds * 1000
  const pickIndex = (): number => Math.floor(Math.random() * accounts.length)
  async function client(): Promise<void> {
    while (performance.now() < end) {
      const fromIndex = pickIndex()
      const toIndex = (fromIndex + 1 + Math.floor(Math.random() * (accounts.length - 1))) % accounts.length
      const start = performance.now()
      await ledger.post(transfer(accounts[fromIndex] ?? 0, accounts[toIndex] ?? 0, 1))
      tookMs.push(performance.now() - start)
    }
  }
  const start = performance.now()
  await Promise.all(Array.from({ length: inFlight }, client))
  const tps = tookMs.length / ((performance.now() - start) / 1000)
  return { inFlight, accounts: accounts.length, tps, p99_ms: percentile(tookMs, 0.99) }
}

/** Measures `ledger.post` in all rounds. `url` connects to a prepared database in the role of the bank's server. */
export async function benchLedger(url: string, seconds: number): Promise<LedgerFigure[]> {
  const ledger = createLedger({ url })
  try {
    const figures: LedgerFigure[] = []
    for (const { accounts: count, inFlight } of ROUNDS) {
      const accounts = await fundedAccounts(url, ledger, count)
      await drive(ledger, accounts, 64, 1)
      for (const posts of inFlight) figures.push(await drive(ledger, accounts, posts, seconds))
    }
    return figures
  } finally {
    await ledger.close()
  }
}
