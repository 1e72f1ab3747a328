import { randomUUIDv7 as randomUUID } from 'node:crypto'
import type pg from 'pg'
import { openAccounts } from '#server/ledger/accounts.ts'
import { auditBooks, auditBooksSince } from '#server/ledger/audit.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import { sealStep } from '#server/ledger/seals/sealing.ts'
import { checkChain, checkRows } from '#server/ledger/seals/verify.ts'
import type { AccountId, Ledger, Operation } from '#server/ledger/types.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { postgresMs } from './processor-time.ts'

/** `processorSeconds`: PostgreSQL's processor time, or null if the system does not count it. */
export type SealFigure = { what: string; seconds?: number; processorSeconds?: number | null; bytes?: number }

const ACCOUNTS = 20_000
/** The number of transfers in one call of `postAll`. */
const AT_ONCE = 5_000
/** The number of unsealed transfers: a busy day. */
const DAY = 50_000

function transfer(debit: AccountId, credit: AccountId, amountMinor: number): Operation {
  const id = randomUUID()
  const detail = { debitName: 'Bench', creditName: 'Bench', category: 'transfer' } as const
  const legs = [{ kind: 'transfer', debit, credit, amountMinor, detail }] as const
  return { id, kind: 'bench.transfer', fingerprint: id, bookedAt: new Date(), legs: [...legs] }
}

async function post(ledger: Ledger, accounts: readonly AccountId[], count: number): Promise<void> {
  const pick = (): number => Math.floor(Math.random() * accounts.length)
  for (let remaining = count; remaining > 0; remaining -= AT_ONCE) {
    const operations = Array.from({ length: Math.min(AT_ONCE, remaining) }, () => {
      const from = pick()
      return transfer(accounts[from] ?? 0, accounts[(from + 1) % accounts.length] ?? 0, 1)
    })
    const outcomes = await ledger.postAll(operations)
    if (outcomes.some((outcome) => !outcome.ok)) throw new Error('The transfers could not be booked')
  }
}

/** Runs `work` in one SQL transaction, as `npm run books` and the sealing job do. */
async function withinTransaction<Result>(
  pool: pg.Pool,
  begin: string,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const result = await work(runOn(client))
    await client.query('COMMIT')
    return result
  } finally {
    client.release(true)
  }
}

const PROVING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL enable_seqscan = on'

type SealBench = {
  /** The serving role's connection. */
  url: string
  /** PostgreSQL's data folder. */
  dataFolder: string
  transfers: number
}

/** Measures the time to seal `transfers` transfers, and to prove the books with seals and without. */
export async function benchSeals({ url, dataFolder, transfers }: SealBench): Promise<SealFigure[]> {
  const ledger = createLedger({ url })
  const pool = openPool(url, { max: 2, statementTimeoutMs: null })
  const figures: SealFigure[] = []
  const time = async <Result>(label: string, work: () => Promise<Result>): Promise<Result> => {
    const [startedAt, startMs] = [performance.now(), postgresMs(dataFolder)]
    const result = await work()
    const endMs = postgresMs(dataFolder)
    figures.push({
      what: label,
      seconds: (performance.now() - startedAt) / 1000,
      processorSeconds: startMs === null || endMs === null ? null : (endMs - startMs) / 1000,
    })
    return result
  }
  const seal = async () => {
    for (;;) {
      const newSeal = await withinTransaction(pool, 'BEGIN', (run) =>
        sealStep(run, { day: null, sealedAt: new Date() }),
      )
      if (newSeal) return newSeal
    }
  }
  const expectNoProblems = (problems: string[]): void => {
    if (problems.length > 0) throw new Error(problems[0])
  }
  try {
    const holders = Array.from(
      { length: ACCOUNTS },
      () => ({ holderId: randomUUID(), code: 'current', asset: 'USD' }) as const,
    )
    const accounts = await openAccounts(runOn(pool), holders)
    await ledger.postAll(accounts.map((id) => transfer(bankAccount('ach_clearing'), id, 1_000_000_00)))
    await post(ledger, accounts, transfers)
    const { upto } = await time(`seal ${transfers} transfers`, seal)
    await post(ledger, accounts, DAY)
    await time(`books, ${DAY} transfers after the seal`, () =>
      withinTransaction(pool, PROVING, async (run) => {
        expectNoProblems(await checkChain(run))
        expectNoProblems((await auditBooksSince(run, upto)).problems)
      }),
    )
    await time('books --all: what is sealed', () =>
      withinTransaction(pool, PROVING, async (run) => expectNoProblems((await checkRows(run)).problems)),
    )
    await time('books --all: from the entries up', () =>
      withinTransaction(pool, PROVING, async (run) => expectNoProblems((await auditBooks(run)).problems)),
    )
    for (const name of ['seal_block', 'operation_posted_in', 'operation', 'transfer']) {
      const { rows } = await pool.query(`SELECT pg_total_relation_size('ledger.${name}') AS bytes`)
      figures.push({ what: `size of ${name}`, bytes: rows[0].bytes })
    }
    return figures
  } finally {
    await ledger.close()
    await pool.end()
  }
}
