import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { auditBooks, auditBooksSince } from '#server/ledger/audit.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import {
  areStatisticsOld,
  beginDuePeriod,
  isPeriodDue,
  refreshStatistics,
  sizePeriods,
} from '#server/ledger/periods.ts'
import { lastSeal, sealStep } from '#server/ledger/seals/sealing.ts'
import { checkChain, checkRows } from '#server/ledger/seals/verify.ts'
import { listLines } from '#server/ledger/statement.ts'
import type { AccountId, Ledger, Leg, Operation } from '#server/ledger/types.ts'
import { errorCode, isTransient, type Run, runOn } from '#server/platform/db/run.ts'
import { type TestLedger, testLedger } from '#server/test/ledger.ts'
import { tries } from '../../scripts/test-effort.ts'

/**
 * The property: an action that may happen once happens once, in whichever periods it is tried, while periods end. An id is
 * booked once, a hold ends once and an operation is reversed once. Each answer matches the books. A past period never changes.
 * The audit of the books and the seals succeeds.
 */

const CLEARING = bankAccount('ach_clearing')
/** The start of this month and an instant in the last month, as SQL. */
const MONTH = `date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`
const MONTH_AGO = `${MONTH} - interval '1 day'`
/** The advisory lock held during a change of secrets (server/boot/rotate.ts). */
const ROTATION_LOCK = 4_117_203_313

let bank: TestLedger
let owner: pg.Client
let accounts: AccountId[]

beforeAll(async () => {
  bank = await testLedger()
  owner = new pg.Client({ connectionString: bank.database.ownerUrl })
  await owner.connect()
  await owner.query(`SET lock_timeout = '10s'`)
})
afterAll(async () => {
  await owner.end()
  await bank.closeProved()
})
beforeEach(async () => {
  accounts = await openAccounts(
    bank.run,
    Array.from({ length: 8 }, () => ({ holderId: randomUUID(), code: 'current', asset: 'USD' }) as const),
  )
  await bank.ledger.postAll(accounts.map((id) => operation([transfer(CLEARING, id, 1_000_00)])))
})

function operation(legs: Leg[], more: Partial<Operation> = {}): Operation {
  return { id: randomUUID(), kind: 'test', fingerprint: 'test', bookedAt: new Date(), legs, ...more }
}
const transfer = (debit: AccountId, credit: AccountId, amountMinor: number): Leg => ({
  kind: 'transfer',
  debit,
  credit,
  amountMinor,
})
const accountAt = (at: number): AccountId => accounts[at % accounts.length] ?? 0

/** Begins a period as soon as the locks are free. */
async function beginNextPeriod(): Promise<number> {
  for (;;) {
    try {
      const { rows } = await owner.query<{ number: number }>('SELECT ledger.begin_period() AS number')
      return rows[0]?.number ?? 0
    } catch (error) {
      if (errorCode(error) !== '55P03') throw error
      await sleep(50 + Math.random() * 150)
    }
  }
}

/** Inserts the row of an operation without reading anything first, as in a race with the ledger. */
const insert = (run: Run, id: string, more: { reverses?: string; period?: number } = {}): Promise<unknown> => {
  const { reverses = null, period } = more
  return run(
    `INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, reverses ${period === undefined ? '' : ', period'})
     VALUES ($1, 'request', 'test', now(), $2 ${period === undefined ? '' : `, ${period}`})`,
    [id, reverses],
  )
}

/** Inserts the end of a hold by hand, with its own operation. */
async function end(hold: Operation, kind: 'post' | 'void'): Promise<void> {
  const [leg] = hold.legs
  if (leg?.kind !== 'hold') throw new TypeError('Not a hold')
  const id = randomUUID()
  const versions =
    kind === 'void'
      ? 'NULL, NULL, NULL, NULL'
      : 'd.version + 1, c.version + 1, d.balance_minor - 5, c.balance_minor + 5'
  await bank.run(
    `WITH made AS (INSERT INTO ledger.operation (id, kind, fingerprint, booked_at) VALUES ($1, 'test', 'test', now()))
     INSERT INTO ledger.transfer (operation_id, leg, kind, asset, debit_account, credit_account, amount_minor, held_minor, hold_id,
       debit_version, credit_version, debit_balance_minor, credit_balance_minor, booked_at)
     SELECT $1, 0, '${kind}', 'USD', d.id, c.id, ${kind === 'void' ? 0 : 5}, -5, $2::uuid, ${versions}, now()
       FROM ledger.account d, ledger.account c WHERE d.id = $3 AND c.id = $4`,
    [id, hold.id, leg.debit, leg.credit],
  )
}

describe('the ids of earlier periods', () => {
  test('are refused like a duplicate in the index of one table, so that the ledger looks again', async () => {
    const payment = operation([transfer(accountAt(0), accountAt(1), 1)])
    await bank.ledger.post(payment)
    await beginNextPeriod()
    const twin = await insert(bank.run, payment.id).catch((error: unknown) => error)
    expect(twin).toMatchObject({ code: '23505', constraint: 'operation_pkey', table: 'operation' })
    expect(isTransient(twin)).toBe(true)
    const [again, other] = await bank.ledger.postAll([payment, { ...payment, fingerprint: 'other' }])
    expect(again).toMatchObject({ ok: true, booked: { id: payment.id, replayed: true, legs: [{ amountMinor: 1 }] } })
    expect(other).toMatchObject({ ok: false, refusal: 'idempotency_key_reused' })
    // Within the new period, the period's own unique index raises an error with the same constraint name.
    const id = randomUUID()
    await insert(bank.run, id)
    await expect(insert(bank.run, id)).rejects.toMatchObject({ code: '23505', constraint: 'operation_pkey' })
  })

  test('allow a hold to end once, and a reversal to happen once', async () => {
    const holds = [accountAt(0), accountAt(1), accountAt(2)].map((debit) =>
      operation([{ kind: 'hold', debit, credit: accountAt(3), amountMinor: 5 }]),
    )
    const [posted, voided, open] = holds as [Operation, Operation, Operation]
    const payment = operation([transfer(accountAt(0), accountAt(1), 1)])
    await bank.ledger.postAll([...holds, payment])
    await beginNextPeriod()
    const ends: Leg[] = [
      { kind: 'post', holdId: posted.id },
      { kind: 'void', holdId: voided.id },
    ]
    await bank.ledger.postAll([...ends.map((leg) => operation([leg])), operation([], { reverses: payment.id })])
    await beginNextPeriod()
    const again = await bank.ledger.postAll([
      ...ends.map((leg) => operation([leg])),
      operation([], { reverses: payment.id }),
    ])
    expect(again.map((result) => (result.ok ? 'booked' : result.refusal))).toEqual([
      'hold_not_open',
      'hold_not_open',
      'already_reversed',
    ])
    for (const hold of [posted, voided])
      for (const kind of ['post', 'void'] as const)
        await expect(end(hold, kind)).rejects.toMatchObject({ code: '23505', constraint: 'transfer_resolution' })
    await expect(insert(bank.run, randomUUID(), { reverses: payment.id })).rejects.toMatchObject({
      code: '23505',
      constraint: 'operation_reverses',
    })
    await end(open, 'post')
    await expect(end(operation(open.legs), 'void')).rejects.toMatchObject({ code: '23000' })
  })

  test('do not let rows be added to a period that is over', async () => {
    const payment = operation([transfer(accountAt(0), accountAt(1), 1)])
    await bank.ledger.post(payment)
    const period = (await beginNextPeriod()) - 1
    for (const other of [period, 1])
      await expect(insert(bank.run, randomUUID(), { period: other })).rejects.toMatchObject({ code: '23000' })
    await expect(insert(bank.run, randomUUID(), { period: period + 2 })).rejects.toMatchObject({ code: '23514' })
    for (const named of [period, period + 1])
      await expect(
        bank.run(
          `INSERT INTO ledger.transfer (operation_id, leg, kind, asset, debit_account, credit_account, amount_minor, held_minor, hold_id,
             booked_at, period) VALUES ($1, 7, 'hold', 'USD', $2, $3, 0, 5, $1, now(), ${named})`,
          [payment.id, accountAt(0), accountAt(1)],
        ),
      ).rejects.toMatchObject({ code: '23000' })
  })

  test('do not let a transaction with an earlier snapshot add rows', async () => {
    await beginNextPeriod()
    const client = await bank.pool.connect()
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
      await expect(insert(runOn(client), randomUUID())).rejects.toMatchObject({ code: '25000' })
    } finally {
      await client.query('ROLLBACK')
      client.release()
    }
  })

  test('let a transaction that was open when a period ended book into the next one, and see earlier bookings', async () => {
    const client = await bank.pool.connect()
    const id = randomUUID()
    try {
      await client.query('BEGIN')
      await client.query('SELECT pg_current_xact_id()')
      await insert(bank.run, id)
      const period = await beginNextPeriod()
      await client.query('SAVEPOINT before')
      await expect(insert(runOn(client), id)).rejects.toMatchObject({ code: '23505' })
      await client.query('ROLLBACK TO before')
      const operationId = randomUUID()
      await insert(runOn(client), operationId)
      await client.query('COMMIT')
      const { rows } = await bank.run('SELECT period FROM ledger.operation WHERE id = $1', [operationId])
      expect(rows).toEqual([{ period }])
    } finally {
      client.release()
    }
  })
})

test('the serving role reads and writes only through the whole table, and cannot begin a period that is not due', async () => {
  await beginNextPeriod()
  for (const statement of [
    'SELECT FROM ledger.operation_1',
    'SELECT FROM ledger.transfer_2',
    `INSERT INTO ledger.operation_1 (id, kind, fingerprint, booked_at, period) VALUES (gen_random_uuid(), 'x', 'x', now(), 1)`,
    'TRUNCATE ledger.transfer_1',
    'ALTER TABLE ledger.transfer DETACH PARTITION ledger.transfer_1',
    'SELECT ledger.begin_period()',
    `SELECT ledger.add_partition('transfer', 1)`,
    'INSERT INTO ledger.period (number) VALUES (99)',
    'UPDATE ledger.period_rule SET ends_from_bytes = 1',
  ])
    await expect(bank.pool.query(statement), statement).rejects.toMatchObject({ code: '42501' })
  for (const statement of [
    'UPDATE ledger.period SET number = 99',
    'DELETE FROM ledger.operation_1',
    'TRUNCATE ledger.transfer',
  ])
    await expect(owner.query(statement), statement).rejects.toMatchObject({ code: '42501' })
  expect(await isPeriodDue(bank.run)).toBe(false)
  expect(await beginDuePeriod(bank.run)).toBeNull()
})

describe('a period that is due', () => {
  /** Sets the start of the current period to an SQL expression. */
  const begunAt = (instant: string): Promise<unknown> =>
    owner.query(`ALTER TABLE ledger.period DISABLE TRIGGER USER;
      UPDATE ledger.period SET began_at = ${instant} WHERE number = (SELECT max(number) FROM ledger.period);
      ALTER TABLE ledger.period ENABLE TRIGGER USER`)

  test('has seen the end of a month and is large enough, and one of several servers begins the next', async () => {
    const ownerRun = runOn(owner)
    await beginNextPeriod()
    await bank.ledger.postAll(
      Array.from({ length: 50 }, (_, at) => operation([transfer(accountAt(at), accountAt(at + 1), 1)])),
    )
    await begunAt(MONTH_AGO)
    expect(await isPeriodDue(bank.run)).toBe(false)
    await sizePeriods(ownerRun, 8_192)
    expect(await isPeriodDue(bank.run)).toBe(true)
    const numbers = await Promise.all([1, 2, 3].map(() => beginDuePeriod(bank.run)))
    expect(numbers.filter((number) => number !== null)).toHaveLength(1)
    expect(await isPeriodDue(bank.run)).toBe(false)
    await bank.ledger.post(operation([transfer(accountAt(0), accountAt(1), 1)]))
    expect(await isPeriodDue(bank.run)).toBe(false)
    await sizePeriods(ownerRun, 12_884_901_888)
  })

  /** Makes the current period count as large enough to end while `work` runs. */
  async function whileLarge(work: () => Promise<void>): Promise<void> {
    await sizePeriods(runOn(owner), 8_192)
    await bank.ledger.post(operation([transfer(accountAt(0), accountAt(1), 1)]))
    try {
      await work()
    } finally {
      await sizePeriods(runOn(owner), 12_884_901_888)
    }
  }

  test('is begun once, even if a second server gets the lock right after the first', async () => {
    await whileLarge(async () => {
      await begunAt(MONTH_AGO)
      // The function that begins a due period, with a gate before it takes the lock.
      const { rows } = await owner.query<{ text: string }>(
        `SELECT pg_get_functiondef('ledger.begin_due_period()'::regprocedure) AS text`,
      )
      const gate = 40_471
      const slow = rows[0]?.text
        .replace('FUNCTION ledger.begin_due_period()', 'FUNCTION ledger.begin_slowly()')
        .replace(/pg_try_advisory_xact_lock\((\d+)\)/, 'ledger.slow_lock($1)')
      expect(slow).toContain('slow_lock')
      await owner.query(`CREATE FUNCTION ledger.slow_lock(number bigint) RETURNS boolean LANGUAGE sql SET lock_timeout = '60s' AS
        'SELECT pg_advisory_xact_lock_shared(${gate}); SELECT pg_try_advisory_xact_lock(number)'; ${slow};
        GRANT EXECUTE ON FUNCTION ledger.begin_slowly() TO PUBLIC`)
      await owner.query('SELECT pg_advisory_lock($1)', [gate])
      const second = bank.run('SELECT ledger.begin_slowly() AS number')
      const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${gate} AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      await expect.poll(async () => (await owner.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1)
      expect(await beginDuePeriod(bank.run)).toBeGreaterThan(1)
      await owner.query('SELECT pg_advisory_unlock($1)', [gate])
      expect((await second).rows).toEqual([{ number: null }])
      await owner.query('DROP FUNCTION ledger.begin_slowly(), ledger.slow_lock(bigint)')
    })
  })

  test('is recognized with any date format of the database, and begins during a rotation of secrets', async () => {
    await whileLarge(async () => {
      const isDue = (): Promise<boolean> => isPeriodDue(runOn(owner))
      for (const style of ['German', 'SQL, DMY', 'Postgres', 'ISO']) {
        await owner.query(`SET DateStyle = '${style}'`)
        await begunAt(MONTH)
        expect(await isDue(), style).toBe(false)
        await begunAt(MONTH_AGO)
        expect(await isDue(), style).toBe(true)
      }
      await owner.query('SELECT pg_advisory_lock($1)', [ROTATION_LOCK])
      expect(await beginDuePeriod(bank.run)).toBeGreaterThan(1)
      await owner.query('SELECT pg_advisory_unlock($1)', [ROTATION_LOCK])
    })
  })

  test('waits for long reads of the ledger, and no payment is refused meanwhile', async () => {
    await sizePeriods(runOn(owner), 8_192)
    await bank.ledger.post(operation([transfer(accountAt(0), accountAt(1), 1)]))
    await begunAt(MONTH_AGO)
    const reader = await bank.pool.connect()
    await reader.query('BEGIN; SELECT count(*) FROM ledger.transfer')
    let tried = false
    const waits: number[] = []
    const paying = (async () => {
      for (let index = 0; !tried; index += 1) {
        const startedAt = performance.now()
        await bank.ledger.post(operation([transfer(accountAt(index), accountAt(index + 1), 1)]))
        waits.push(performance.now() - startedAt)
      }
    })()
    // A refusal arrives a moment before PostgreSQL releases the locks of that call. Until then, the next call does nothing.
    const refusal = (): Promise<unknown> =>
      beginDuePeriod(bank.run).then(
        () => null,
        (error: unknown) => error,
      )
    for (let turn = 0; turn < 2; turn += 1) await expect.poll(refusal).toMatchObject({ code: '55P03' })
    tried = true
    await paying
    expect(waits.length).toBeGreaterThan(1)
    await reader.query('COMMIT')
    reader.release()
    await expect.poll(() => beginDuePeriod(bank.run)).toBeGreaterThan(1)
    await sizePeriods(runOn(owner), 12_884_901_888)
  })
})

test('old statistics of all periods together are detected and refreshed', async () => {
  await bank.ledger.postAll(
    Array.from({ length: 2_000 }, (_, at) => operation([transfer(accountAt(at), accountAt(at + 1), 1)])),
  )
  await owner.query('SELECT ledger.refresh_statistics()')
  const { rows } = await owner.query(
    `SELECT format('ANALYZE ledger.transfer_%s', max(number)) AS text FROM ledger.period`,
  )
  await owner.query((rows[0] as { text: string }).text)
  expect(await areStatisticsOld(bank.run)).toBe(true)
  await refreshStatistics(bank.run)
  expect(await areStatisticsOld(bank.run)).toBe(false)
})

/**
 * Posts an operation until the ledger answers. A post that waits too long for a lock is refused as unavailable and tried again.
 */
async function answerOf(ledger: Ledger, sentOperation: Operation): Promise<string> {
  for (;;) {
    try {
      const [outcome] = await ledger.postAll([sentOperation])
      if (!outcome) throw new Error('No answer')
      return outcome.ok ? (outcome.booked.replayed ? 'again' : 'booked') : outcome.refusal
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error
    }
  }
}

/**
 * All ledgers try the same operation at once. Each uses accounts of its own, so that no account lock puts the tries in order.
 */
async function tryTogether(ledgers: Ledger[], round: number): Promise<void> {
  const hold = operation([{ kind: 'hold', debit: accountAt(round), credit: accountAt(round + 1), amountMinor: 5 }])
  const payment = operation([transfer(accountAt(round), accountAt(round + 1), 2)])
  const shared = randomUUID()
  for (const plannedOperation of [hold, payment]) await answerOf(bank.ledger, plannedOperation)
  const tried = await Promise.all(
    ledgers.map((ledger, at) =>
      Promise.all([
        answerOf(ledger, operation([transfer(accountAt(at + 2), accountAt(at + 3), 1)], { id: shared })),
        answerOf(ledger, operation([{ kind: at % 2 ? 'post' : 'void', holdId: hold.id }])),
        answerOf(ledger, operation([], { reverses: payment.id })),
      ]),
    ),
  )
  // This insert takes a key without reading anything first.
  await expect(insert(bank.run, shared)).rejects.toMatchObject({ code: '23505', constraint: 'operation_pkey' })
  const { rows } = await bank.run(
    `SELECT (SELECT count(*) FROM ledger.operation WHERE id = $1)::int AS ids,
            (SELECT count(*) FROM ledger.transfer WHERE hold_id = $2 AND kind IN ('post', 'void'))::int AS ends,
            (SELECT count(*) FROM ledger.operation WHERE reverses = $3)::int AS reversals`,
    [shared, hold.id, payment.id],
  )
  expect(rows).toEqual([{ ids: 1, ends: 1, reversals: 1 }])
  for (const place of [0, 1, 2])
    expect(tried.filter((answers) => answers[place] === 'booked').length).toBeLessThanOrEqual(1)
  expect(tried.map(([id]) => id).filter((id) => id !== 'booked' && id !== 'again')).toEqual([])
}

async function sealAll(): Promise<void> {
  const client = await bank.pool.connect()
  try {
    for (let newPeriod = null; newPeriod === null;) {
      await client.query('BEGIN')
      newPeriod = await sealStep(runOn(client), {
        day: '2026-08-27',
        sealedAt: new Date(),
        blockRows: 50,
        stepBlocks: 3,
      })
      await client.query('COMMIT')
    }
  } finally {
    client.release()
  }
}

test(
  'periods end during duplicate operations: each happens once, and the books and seals prove it',
  { timeout: 240_000 },
  async () => {
    const ledgers = Array.from({ length: 4 }, () => createLedger({ url: bank.database.appUrl, lanes: 3 }))
    let working = true
    let startCount = 0
    const ending = (async () => {
      for (; working && startCount < 60; startCount += 1) {
        await beginNextPeriod()
        await sleep(20 + Math.random() * 60)
      }
    })()
    const sealing = (async () => {
      for (; working; await sleep(50)) await sealAll()
    })()
    const rounds = tries(150)
    const lanes = Array.from({ length: 6 }, async (_, lane) => {
      for (let round = lane; round < rounds || startCount < 6; round += 6) await tryTogether(ledgers, round)
    })
    await Promise.all(lanes)
    working = false
    await Promise.all([ending, sealing])
    await Promise.all(ledgers.map((ledger) => ledger.close()))

    await sealAll()
    const client = await bank.pool.connect()
    try {
      await client.query('BEGIN')
      const run = runOn(client)
      expect((await auditBooks(run)).problems).toEqual([])
      expect((await auditBooksSince(run, 1)).problems).toEqual([])
      expect(await checkChain(run)).toEqual([])
      expect((await checkRows(run)).problems).toEqual([])
      expect((await lastSeal(run)).number).toBeGreaterThan(1)
      await client.query('COMMIT')
    } finally {
      client.release()
    }
    const { rows } = await bank.run('SELECT count(DISTINCT period)::int AS periods FROM ledger.operation')
    expect(rows[0]?.['periods']).toBeGreaterThan(5)
    const page = await listLines(bank.run, { accountId: accountAt(0), filters: {}, limit: 500 })
    const versions = page.lines.flatMap(({ version }) => version ?? [])
    expect(versions).toEqual(versions.toSorted((a, b) => b - a))
  },
)

test('the audit finds operations that are in two periods', async () => {
  const payment = operation([transfer(accountAt(0), accountAt(1), 1)])
  await bank.ledger.post(payment)
  await beginNextPeriod()
  const run = runOn(owner)
  await owner.query('BEGIN')
  await owner.query('ALTER TABLE ledger.operation DISABLE TRIGGER USER')
  await insert(run, payment.id)
  const problem = `an action that is possible only once was recorded in two periods: operation ${payment.id}`
  expect((await auditBooks(run)).problems).toContain(problem)
  expect((await auditBooksSince(run, 1)).problems).toContain(problem)
  await owner.query('ROLLBACK')
})

test('the seals name rows that were added to a wrong period', async () => {
  const payment = operation([transfer(accountAt(0), accountAt(1), 1)])
  await bank.ledger.post(payment)
  await sealAll()
  await beginNextPeriod()
  const run = runOn(owner)
  await owner.query('BEGIN')
  await owner.query(
    'ALTER TABLE ledger.operation DISABLE TRIGGER USER; ALTER TABLE ledger.transfer DISABLE TRIGGER USER',
  )
  expect((await checkRows(run)).problems).toEqual([])
  await owner.query(
    `INSERT INTO ledger.transfer (operation_id, leg, kind, asset, debit_account, credit_account, amount_minor, held_minor, booked_at,
       debit_version, credit_version, debit_balance_minor, credit_balance_minor)
     VALUES ($1, 1, 'transfer', 'USD', $2, $3, 1, 0, now(), 99, 99, 1, 1)`,
    [payment.id, accountAt(0), accountAt(1)],
  )
  expect((await checkRows(run)).problems).toEqual([
    `operation ${payment.id} is not in the period of its transfers, in ledger.transfer`,
  ])
  await owner.query('ROLLBACK; BEGIN')
  // The state of an older bank: its first seal has operations with an unknown transaction, from before there were periods.
  await owner.query(
    `ALTER TABLE ledger.operation DISABLE TRIGGER USER;
     INSERT INTO ledger.seal_block SELECT -1, 0, 'operation', 0, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 1, 0, '{}', '', ''`,
  )
  const id = randomUUID()
  await owner.query(
    `INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, posted_in) VALUES ($1, 'request', 'test', now(), 0)`,
    [id],
  )
  expect((await checkRows(run)).problems).toEqual([`operation ${id} was added to the sealed rows, in ledger.operation`])
  await owner.query('ROLLBACK')
})
