import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { isReady, startBank, WITHOUT_LIMITS, until } from '#server/faults/bank-process.ts'
import { openFaultPayers } from '#server/faults/payers.ts'
import { eachInPopulatedFolder } from '#server/faults/populated-folder.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { findRunning } from '#server/platform/db/embedded.ts'
import { runOn } from '#server/platform/db/run.ts'

let dir: string
eachInPopulatedFolder((fresh) => {
  dir = fresh
})

/** Runs work as the database's owner on a connection that may break at any time. */
async function asOwner<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: findRunning(dir) ?? '' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Begins one period after another until stopped; counts the successes. */
function beginPeriods(): { startedCount(): number; stop(): Promise<void> } {
  let isGoing = true
  let startCount = 0
  const work = (async () => {
    for (; isGoing; await sleep(50 + Math.random() * 100)) {
      await asOwner((client) => client.query('SELECT ledger.begin_period()')).then(
        () => (startCount += 1),
        () => undefined,
      )
    }
  })()
  return {
    startedCount: () => startCount,
    stop: async () => {
      isGoing = false
      await work
    },
  }
}

const postmasterPid = (): number => Number(readFileSync(join(dir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

test(
  'kill -9 of the postmaster while periods begin and customers pay: each payment is stored once, and each period is complete',
  { timeout: 300_000 },
  async () => {
    const bank = await startBank({ main: WITHOUT_LIMITS, dir })
    const payers = await openFaultPayers(bank.url)
    const load = payers.load()
    const periods = beginPeriods()
    for (let kill = 0; kill < 5; kill += 1) {
      const [paidCount, startedPeriods] = [load.acknowledged(), periods.startedCount()]
      await until(
        'customers pay and periods begin',
        60_000,
        () => load.acknowledged() > paidCount + 30 && periods.startedCount() > startedPeriods + 1,
      )
      await sleep(Math.random() * 100)
      process.kill(postmasterPid(), 'SIGKILL')
      await until('the bank accepts payments again', 60_000, () => load.acknowledged() > paidCount + 60)
    }
    await periods.stop()
    await load.stop()
    await until('the bank is ready', 20_000, () => isReady(bank.url))
    await payers.verify(bank.url)

    await asOwner(async (client) => {
      expect((await auditBooks(runOn(client))).problems).toEqual([])
      const { rows } = await client.query(
        `SELECT (SELECT count(*)::int FROM ledger.period) AS periods, (SELECT max(number) FROM ledger.period) AS last,
                (SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'ledger.operation'::regclass) AS operations,
                (SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'ledger.transfer'::regclass) AS transfers,
                (SELECT count(DISTINCT period)::int FROM ledger.operation) AS used,
                (SELECT pg_get_expr(adbin, adrelid)::int FROM pg_attrdef
                  WHERE adrelid = 'ledger.operation'::regclass AND adnum = (SELECT attnum FROM pg_attribute
                    WHERE attrelid = 'ledger.operation'::regclass AND attname = 'period')) AS named`,
      )
      const { periods: last } = rows[0] as { periods: number }
      expect(rows).toMatchObject([{ last, operations: last, transfers: last, named: last }])
      expect((rows[0] as { used: number }).used).toBeGreaterThan(5)
    })
    expect(await bank.end('SIGTERM')).toBe(0)
  },
)
