import { randomUUIDv7 as randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { auditBooksSince } from '#server/ledger/audit.ts'
import { lastSeal, sealStep } from '#server/ledger/seals/sealing.ts'
import type { AccountId, Operation } from '#server/ledger/types.ts'
import { openPool } from '#server/platform/db/pool.ts'
import type { Deps } from '#server/platform/deps.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { errorCode, runOn } from '#server/platform/db/run.ts'
import { openSenders } from './http.ts'
import { ownMs, postgresMs } from './processor-time.ts'
import { serve } from './serve.ts'

/**
 * One line of the result. `send`, `list`, `search` and `dashboard` are the processor time of one request in milliseconds, as
 * "Node + PostgreSQL". Node's time includes the client, which runs in the same process.
 */
export type GrowthFigure = {
  transfers: number
  periods: number
  /** PostgreSQL's processor time for one of the transfers added in this period, in milliseconds. */
  add_ms: number
  send: string
  list: string
  search: string
  dashboard: string
  seal_s: number
  /**
   * The time to prove the entries of the last period, in seconds, before these entries are sealed. Null in all other periods.
   */
  books_s: number | null
  gigabytes: number
}

type Options = {
  deps: Deps
  ownerUrl: string
  /** PostgreSQL's data folder. */
  dataFolder: string
  transfers: number
  /** The number of transfers in a period. All figures are measured at the end of each period. */
  every: number
}

const CUSTOMERS = 1_000
const AT_ONCE = 5_000
/**
 * The bank's date moves forward by this much between two periods. If all entries were in the same month, sums over this month
 * would take longer in each period.
 */
const MONTH_MS = 31 * DAY_MS
/** The number of requests over which each processor time is averaged. */
const TIMES = 200

type HttpRequest = { method: 'GET' | 'POST'; path: string; cookie: string; body?: unknown }

function sendRequest(url: string, agent: Agent, { method, path, cookie, body }: HttpRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, origin: url, 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
    const outgoing = request(url + path, { method, agent, headers }, (response) => {
      response.resume()
      response.on('end', () => {
        if (response.statusCode === 200) resolve()
        else reject(new Error(`${path} was answered with ${response.statusCode}`))
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

function transfer(debit: AccountId, credit: AccountId, bookedAt: Date): Operation {
  const id = randomUUID()
  const detail = {
    debitName: `Payee ${credit % 97}`,
    creditName: `Payer ${debit % 97}`,
    category: 'transfer',
    method: 'alder_transfer',
  } as const
  const legs = [{ kind: 'transfer', debit, credit, amountMinor: 1, detail }] as const
  return { id, kind: 'bench.transfer', fingerprint: id, bookedAt, legs: [...legs] }
}

/** Books transfers between accounts chosen at random. */
async function addTransfers(
  { ledger, clock }: Pick<Deps, 'ledger' | 'clock'>,
  accounts: readonly AccountId[],
  count: number,
): Promise<void> {
  for (let added = 0; added < count; added += AT_ONCE) {
    const outcomes = await ledger.postAll(
      Array.from({ length: Math.min(AT_ONCE, count - added) }, () => {
        const from = Math.floor(Math.random() * accounts.length)
        return transfer(accounts[from] ?? 0, accounts[(from + 1) % accounts.length] ?? 0, clock.businessNow())
      }),
    )
    if (outcomes.some(({ ok }) => !ok)) throw new Error('The transfers could not be booked')
  }
}

/**
 * Adds transfers to the ledger and measures the cost of customers' requests as the database grows. A period ends after each
 * `every` transfers, and the bank's date moves by a month. `report` receives each line as soon as it is measured, because
 * millions of transfers take hours.
 */
export async function benchGrowth(options: Options, report: (figure: GrowthFigure) => void): Promise<GrowthFigure[]> {
  const { deps, ownerUrl, dataFolder, transfers, every } = options
  const { url, close } = await serve(deps)
  const agent = new Agent({ keepAlive: true })
  const pool = openPool(ownerUrl, { max: 1, statementTimeoutMs: null })
  const owner = await pool.connect()
  const figures: GrowthFigure[] = []
  const pick = <One>(items: readonly One[]): One => items[Math.floor(Math.random() * items.length)] as One
  try {
    const senders = await openSenders(deps, CUSTOMERS)
    const customers = await owner.query<{ id: AccountId }>('SELECT current_account_id AS id FROM bank.customer')
    const accounts = customers.rows.map(({ id }) => id)
    const measureCost = async (makeRequest: () => HttpRequest): Promise<string> => {
      for (let turn = 0; turn < 30; turn += 1) await sendRequest(url, agent, makeRequest())
      const [processMs, postgres] = [ownMs(), postgresMs(dataFolder) ?? 0]
      for (let turn = 0; turn < TIMES; turn += 1) await sendRequest(url, agent, makeRequest())
      const costs = [ownMs() - processMs, (postgresMs(dataFolder) ?? 0) - postgres].map((ms) => (ms / TIMES).toFixed(2))
      return costs.join(' + ')
    }
    const getRequest = (path: string) => (): HttpRequest => ({
      method: 'GET',
      path: `/api/v1${path}`,
      cookie: pick(senders).cookie,
    })
    const transferRequest = (): HttpRequest => {
      const from = Math.floor(Math.random() * senders.length)
      const [payer, payee] = [senders[from], senders[(from + 1) % senders.length]]
      const body = { recipient: payee?.email, amountMinor: 1_00, asset: 'USD' }
      return { method: 'POST', path: '/api/v1/transfers', cookie: payer?.cookie ?? '', body }
    }
    for (let addedCount = 0; addedCount < transfers; addedCount += every) {
      const before = postgresMs(dataFolder) ?? 0
      await addTransfers(deps, accounts, every)
      const addMs = ((postgresMs(dataFolder) ?? 0) - before) / every
      await whenFree(owner, 'SELECT ledger.refresh_statistics()')
      await settled(owner)
      const isLast = addedCount + every >= transfers
      const books_s = isLast ? await prove(owner) : null
      const seal_s = await sealAll(owner)
      const [size] = (
        await owner.query<{ periods: number; bytes: string }>(
          `SELECT (SELECT count(*)::int FROM ledger.period) AS periods, pg_database_size(current_database()) AS bytes`,
        )
      ).rows
      const figure: GrowthFigure = {
        transfers: addedCount + every,
        periods: size?.periods ?? 0,
        add_ms: Number(addMs.toFixed(3)),
        send: await measureCost(transferRequest),
        list: await measureCost(getRequest('/transactions')),
        search: await measureCost(getRequest('/transactions?q=payee%2042')),
        dashboard: await measureCost(getRequest('/dashboard')),
        seal_s,
        books_s,
        gigabytes: Number((Number(size?.bytes) / 1e9).toFixed(2)),
      }
      figures.push(figure)
      report(figure)
      if (isLast) break
      await whenFree(owner, 'SELECT ledger.begin_period()')
      await deps.clock.advance(MONTH_MS)
    }
    return figures
  } finally {
    owner.release()
    await pool.end()
    agent.destroy()
    close()
  }
}

/**
 * Waits until PostgreSQL's background cleanup has ended, so that its processor time is not counted in the measurement. Stops
 * waiting after two minutes.
 */
async function settled(owner: pg.PoolClient): Promise<void> {
  await owner.query('CHECKPOINT').catch(() => undefined)
  for (const until = performance.now() + 120_000; performance.now() < until; await sleep(500)) {
    const { rowCount } = await owner.query(`SELECT FROM pg_stat_activity WHERE backend_type = 'autovacuum worker'`)
    if (rowCount === 0) return
  }
}

/**
 * Runs a statement that fails if it cannot get its locks immediately. Retries it every second until it succeeds, because a job
 * of the bank or of PostgreSQL may hold the locks.
 */
async function whenFree(owner: pg.PoolClient, text: string): Promise<void> {
  for (;;) {
    try {
      await owner.query(text)
      return
    } catch (error) {
      if (errorCode(error) !== '55P03') throw error
      await sleep(1_000)
    }
  }
}

const seconds = (startedAt: number): number => Number(((performance.now() - startedAt) / 1000).toFixed(1))

/** Proves the entries booked since the last seal, as an operator does every hour. */
async function prove(owner: pg.PoolClient): Promise<number> {
  const run = runOn(owner)
  const { upto } = await lastSeal(run)
  const startedAt = performance.now()
  await run('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { problems } = await auditBooksSince(run, upto)
  await run('ROLLBACK')
  if (problems.length > 0) throw new Error(problems[0])
  return seconds(startedAt)
}

/** Seals the entries booked since the last seal, as the bank does once a day. */
async function sealAll(owner: pg.PoolClient): Promise<number> {
  const run = runOn(owner)
  const startedAt = performance.now()
  for (let seal = null; seal === null;) {
    await run('BEGIN')
    seal = await sealStep(run, { day: null, sealedAt: new Date() })
    await run('COMMIT')
  }
  return seconds(startedAt)
}
