import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccounts } from '#server/ledger/accounts.ts'
import { auditBooks, auditBooksSince } from '#server/ledger/audit.ts'
import { SEALED_KINDS, sealedNamesIn, type Seal, SOURCES } from '#server/ledger/seals/seal-format.ts'
import { allSeals, lastSeal, sealStep } from '#server/ledger/seals/sealing.ts'
import { checkChain, checkRows } from '#server/ledger/seals/verify.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { bankAccount, ensureChart } from '#server/ledger/chart.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { testContext } from '#server/test/context.ts'
import { runAsOwner, testDatabase } from '#server/test/database.ts'
import { type TestLedger, testLedger, waitUntilSealable } from '#server/test/ledger.ts'
import { tries } from '../../../scripts/test-effort.ts'

const CLEARING = bankAccount('ach_clearing')

let bank: TestLedger
beforeAll(async () => {
  bank = await testLedger()
})
afterAll(() => bank.closeProved())

const operation = (legs: Leg[]): Operation => {
  const id = randomUUID()
  return { id, kind: 'test', fingerprint: id, bookedAt: new Date('2026-08-28T10:00:00Z'), legs }
}
const transfer = (debit: AccountId, credit: AccountId, amountMinor: number): Leg => ({
  kind: 'transfer',
  debit,
  credit,
  amountMinor,
})

async function customers({ run, ledger }: TestLedger, count: number): Promise<AccountId[]> {
  const ids = await openAccounts(
    run,
    Array.from({ length: count }, () => ({ holderId: randomUUID(), code: 'current', asset: 'USD' }) as const),
  )
  await ledger.postAll(ids.map((id) => operation([transfer(CLEARING, id, 1_000_00)])))
  return ids
}

/** Runs `work` within one SQL transaction of the bank's serving role. */
async function within<Result>({ pool }: TestLedger, work: (run: Run) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(runOn(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  } finally {
    client.release()
  }
}

const SMALL = { blockRows: 7, stepBlocks: 2 }

async function seal(ledger: TestLedger, sizes = SMALL): Promise<Seal> {
  for (;;) {
    const newSeal = await within(ledger, (run) =>
      sealStep(run, { day: '2026-08-27', sealedAt: new Date('2026-08-28T10:00:00Z'), ...sizes }),
    )
    if (newSeal) return newSeal
  }
}

/** Simulates a sealer that dies within a step: its connection ends and nothing is committed. */
async function breakOff({ pool }: TestLedger): Promise<void> {
  const client = await pool.connect()
  await client.query('BEGIN')
  await sealStep(runOn(client), { day: null, sealedAt: new Date(), ...SMALL })
  client.release(true)
}

/** Seals everything that is booked. */
async function sealAll(of: TestLedger): Promise<Seal> {
  await waitUntilSealable(of.run)
  return seal(of)
}

/** Returns the ids of one kind in the blocks of complete seals. */
async function sealedIds({ run }: TestLedger, kind: 'account' | 'operation'): Promise<string[]> {
  const { rows } = await run(
    'SELECT names FROM ledger.seal_block WHERE kind = $1 AND seal <= (SELECT max(number) FROM ledger.seal) ORDER BY seal, block',
    [kind],
  )
  return rows.flatMap((row) => sealedNamesIn(kind, row['names'] as Buffer).map(({ id }) => id))
}

const checked = async (of: TestLedger): Promise<string[]> => [
  ...(await checkChain(of.run)),
  ...(await within(of, (run) => checkRows(run))).problems,
]

/** Books an operation by hand in a transaction that takes its number now and commits late or never. */
async function postSlowly({ pool }: TestLedger, ms: number, commits: boolean): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO ledger.operation (id, kind, fingerprint, booked_at) VALUES ($1, 'request', 'slow', now())`,
      [randomUUID()],
    )
    await sleep(ms)
    await client.query(commits ? 'COMMIT' : 'ROLLBACK')
  } finally {
    client.release()
  }
}

describe('a post during sealing', () => {
  const poster = fc.record({
    waits: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 2, maxLength: 8 }),
    kind: fc.constantFrom('send', 'hold', 'slow', 'undone'),
  })

  test('is in exactly one seal, for any time of its commit', { timeout: 120_000 }, async () => {
    const accounts = await customers(bank, 6)
    const accountAt = (at: number): AccountId => accounts[at % accounts.length] ?? 0
    const post = async (kind: string, at: number, ms: number): Promise<void> => {
      if (kind === 'slow' || kind === 'undone') return postSlowly(bank, ms, kind === 'slow')
      if (kind === 'send') {
        await bank.ledger.post(operation([transfer(accountAt(at), accountAt(at + 1), 1)]))
        return
      }
      const hold = operation([{ kind: 'hold', debit: accountAt(at), credit: accountAt(at + 1), amountMinor: 5 }])
      await bank.ledger.post(hold)
      await bank.ledger.post(operation([{ kind: at % 2 === 0 ? 'post' : 'void', holdId: hold.id }]))
    }
    const property = fc.asyncProperty(fc.array(poster, { minLength: 2, maxLength: 5 }), async (posters) => {
      let posting = true
      const sealing = (async () => {
        for (; posting; await sleep(1)) {
          await breakOff(bank)
          await seal(bank)
        }
      })()
      await Promise.all(
        posters.map(async ({ kind, waits }, at) => {
          for (const ms of waits) {
            await sleep(ms)
            await post(kind, at, ms)
          }
          if (at === 0) await openAccounts(bank.run, [{ holderId: randomUUID(), code: 'savings', asset: 'USD' }])
        }),
      )
      posting = false
      await sealing
      await sealAll(bank)
      for (const kind of SEALED_KINDS) {
        const there = (await bank.run(`SELECT id::text AS id FROM ${SOURCES[kind].table}`)).rows
        expect((await sealedIds(bank, kind)).toSorted()).toEqual(there.map(({ id }) => String(id)).toSorted())
      }
    })
    await fc.assert(property, { numRuns: tries(80) })
    const seals = await allSeals(bank.run)
    expect(seals.length).toBeGreaterThan(20)
    expect(await checked(bank)).toEqual([])
    const { rows } = await bank.run(
      'SELECT count(*) AS transfers, sum(amount_minor)::text AS moved FROM ledger.transfer',
    )
    expect(seals.reduce((sum, { transfers }) => sum + transfers, 0)).toBe(rows[0]?.['transfers'])
    const moved = seals.reduce((sum, one) => sum + BigInt((JSON.parse(one.moved) as { USD?: string }).USD ?? 0), 0n)
    expect(moved).toBe(BigInt(rows[0]?.['moved'] as string))
  })

  test('stays out of the seal while its transaction is open, and so do later posts, without delaying others', async () => {
    const slow = await bank.pool.connect()
    await slow.query(`BEGIN; INSERT INTO ledger.operation (id, kind, fingerprint, booked_at)
      VALUES ('${randomUUID()}', 'request', 'slow', now())`)
    const [account] = await customers(bank, 1)
    const first = await seal(bank)
    const { rows } = await bank.run('SELECT max(posted_in) AS last FROM ledger.operation')
    expect(first.upto).toBeLessThan(rows[0]?.['last'] as number)
    await slow.query('COMMIT')
    slow.release()
    const second = await sealAll(bank)
    expect(second.operations).toBeGreaterThanOrEqual(2)
    expect(second.previous).toBe(first.head)
    expect(await sealedIds(bank, 'account')).toContain(String(account))
  })

  test('does not fork the chain when two servers seal at once', async () => {
    await customers(bank, 20)
    await Promise.all([seal(bank), seal(bank), seal(bank)])
    expect(await checked(bank)).toEqual([])
  })
})

test('seals can only be added', async () => {
  for (const statement of [
    'UPDATE ledger.seal SET head = previous',
    'DELETE FROM ledger.seal',
    'DELETE FROM ledger.seal_block',
    'TRUNCATE ledger.seal_block',
  ]) {
    await expect(bank.pool.query(statement)).rejects.toMatchObject({ code: '42501' })
    await expect(runAsOwner(bank.database.ownerUrl, statement)).rejects.toMatchObject({ code: '42501' })
  }
})

describe('an alteration by an administrator is found:', () => {
  let bent: TestLedger
  let seals: Seal[]
  const ids = { early: '', held: '', kept: '', later: '' }
  let accounts: AccountId[]

  beforeEach(async () => {
    bent = await testLedger()
    accounts = await customers(bent, 20)
    const [from = 0, to = 0] = accounts
    const post = async (legs: Leg[]): Promise<string> => {
      const newOperation = operation(legs)
      await bent.ledger.post(newOperation)
      return newOperation.id
    }
    ids.early = await post([transfer(from, to, 100), transfer(to, from, 1)])
    const hold = operation([{ kind: 'hold', debit: from, credit: to, amountMinor: 50 }])
    await bent.ledger.post(hold)
    ids.held = hold.id
    ids.kept = await post([{ kind: 'void', holdId: hold.id }])
    const first = await sealAll(bent)
    ids.later = await post([transfer(from, to, 7)])
    seals = [first, await sealAll(bent)]
    return async () => {
      await bent.ledger.close()
      await bent.pool.end()
      await bent.database.drop()
    }
  })

  /** Alters rows as a superuser can: without triggers and table rules. */
  const alter = (sql: string): Promise<void> =>
    runAsOwner(
      bent.database.ownerUrl,
      `ALTER TABLE ledger.operation DISABLE TRIGGER USER; ALTER TABLE ledger.transfer DISABLE TRIGGER USER;
       ALTER TABLE ledger.account DISABLE TRIGGER USER; ALTER TABLE ledger.seal DISABLE TRIGGER USER;
       ALTER TABLE ledger.seal_block DISABLE TRIGGER USER; ${sql}`,
    )

  test('an amount', async () => {
    await alter(`UPDATE ledger.transfer SET amount_minor = 101 WHERE operation_id = '${ids.early}' AND leg = 0`)
    expect(await checked(bent)).toEqual([
      expect.stringMatching(
        new RegExp(`^operation ${ids.early}: its transfers were altered .*in ledger.transfer \\(seal 1,`),
      ),
    ])
  })

  test('the description of a payment, which is in no sum', async () => {
    await alter(`UPDATE ledger.transfer SET debit_name = 'Somebody else' WHERE operation_id = '${ids.later}'`)
    expect((await auditBooks(bent.run)).problems).toEqual([])
    expect(await checked(bent)).toEqual([expect.stringMatching(`^operation ${ids.later}: its transfers .*seal 2,`)])
  })

  test('the time of an operation', async () => {
    await alter(`UPDATE ledger.operation SET booked_at = '2026-08-01' WHERE id = '${ids.early}'`)
    expect(await checked(bent)).toEqual([
      expect.stringMatching(`^operation ${ids.early} was altered since it was sealed, in ledger.operation`),
    ])
  })

  test('a removed transfer, with its operation', async () => {
    await alter(`DELETE FROM ledger.transfer WHERE operation_id = '${ids.early}' AND leg = 1`)
    expect(await checked(bent)).toEqual([expect.stringMatching(`^operation ${ids.early}: its transfers were altered`)])
    await alter(`DELETE FROM ledger.transfer WHERE operation_id = '${ids.early}';
                 DELETE FROM ledger.operation WHERE id = '${ids.early}'`)
    expect(await checked(bent)).toEqual([
      expect.stringMatching(`^operation ${ids.early} was removed from ledger.operation`),
    ])
  })

  test.each(['0', '-3', '(SELECT min(posted_in) FROM ledger.operation)', '(SELECT max(upto) - 1 FROM ledger.seal)'])(
    'an operation that is moved into the past, at %s',
    async (position) => {
      const id = randomUUID()
      await alter(`INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, posted_in)
                   VALUES ('${id}', 'request', 'x', now(), ${position})`)
      expect(await checked(bent)).toEqual([
        expect.stringMatching(`^operation ${id} was added to the sealed rows, in ledger.operation`),
      ])
      // A later seal does not include the added row either.
      await seal(bent)
      expect(await checked(bent)).toHaveLength(1)
    },
  )

  test('the outcome of a hold', async () => {
    await alter(`UPDATE ledger.transfer SET kind = 'post', amount_minor = 50, debit_version = 99, credit_version = 99,
                        debit_balance_minor = 0, credit_balance_minor = 0
                  WHERE operation_id = '${ids.kept}'`)
    expect(await checked(bent)).toEqual([expect.stringMatching(`^operation ${ids.kept}: its transfers were altered`)])
  })

  test('the owner of an account', async () => {
    await alter(`UPDATE ledger.account SET holder_id = '${randomUUID()}' WHERE id = ${accounts[3]}`)
    expect(await checked(bent)).toEqual([
      expect.stringMatching(`^account ${accounts[3]} was altered since it was sealed, in ledger.account`),
    ])
  })

  test('a balance, which is in no seal but in the last entry', async () => {
    await alter(`UPDATE ledger.account SET balance_minor = balance_minor + 5 WHERE id = ${accounts[3]}`)
    const { problems } = await auditBooksSince(bent.run, seals[1]?.upto ?? 0)
    expect(problems).toContainEqual(expect.stringContaining(`account ${accounts[3]}: balance 100005`))
  })

  test('a seal', async () => {
    await alter(`UPDATE ledger.seal SET operations = operations - 1 WHERE number = 1`)
    expect(await checkChain(bent.run)).toEqual(['seal 1 was altered: its head does not follow from its content'])
  })

  test('a block of a seal', async () => {
    await alter(`UPDATE ledger.seal_block SET digest = sha256('x') WHERE seal = 1 AND block = 2`)
    expect(await checkChain(bent.run)).toEqual(['the blocks of seal 1 were altered'])
  })

  test('a seal that is recomputed after an alteration: it contradicts the next seal and the saved head', async () => {
    await alter(`UPDATE ledger.transfer SET note = 'other' WHERE operation_id = '${ids.later}';
                 DELETE FROM ledger.seal_block WHERE seal = 2; DELETE FROM ledger.seal WHERE number = 2`)
    await sealAll(bent)
    expect(await checked(bent)).toEqual([])
    const head = seals[1]?.head ?? ''
    expect(await checkChain(bent.run, [{ head, number: 2, from: 'the file' }])).toEqual([
      `seal 2 was altered: the file has the head ${head}, and it is ${(await lastSeal(bent.run)).head}`,
    ])
  })

  test('removed last seals', async () => {
    await alter('DELETE FROM ledger.seal_block WHERE seal = 2; DELETE FROM ledger.seal WHERE number = 2')
    const head = seals[1]?.head ?? ''
    expect(await checkChain(bent.run, [{ head, from: 'what you gave' }])).toEqual([
      `a seal is missing: what you gave has the head ${head}, and the last seal is 1`,
    ])
    await alter('DELETE FROM ledger.seal WHERE number = 0')
    expect(await checkChain(bent.run)).toEqual(['seal 0 is missing'])
  })
})

describe('the bookings since the last seal', () => {
  test('are proved separately, and errors in them are found', async () => {
    const ledger = await testLedger()
    try {
      const accounts = await customers(ledger, 4)
      const accountAt = (at: number): AccountId => accounts[at % 4] ?? 0
      const { upto } = await sealAll(ledger)
      const operations: Operation[] = []
      for (let index = 0; index < 150; index += 1)
        operations.push(operation([transfer(accountAt(index), accountAt(index + 1), 1 + (index % 3))]))
      const hold = operation([{ kind: 'hold', debit: accountAt(0), credit: accountAt(1), amountMinor: 5 }])
      await ledger.ledger.postAll([...operations, hold])
      const clean = await auditBooksSince(ledger.run, upto)
      expect(clean.problems).toEqual([])
      expect(clean.entries).toBe(300)
      expect(clean.trialBalance).toEqual((await auditBooks(ledger.run)).trialBalance)

      const bend = async (sql: string, back: string, problem: RegExp): Promise<void> => {
        const off = ['operation', 'transfer', 'account'].map((t) => `ALTER TABLE ledger.${t} DISABLE TRIGGER USER;`)
        await runAsOwner(ledger.database.ownerUrl, `${off.join('')} ${sql}`)
        expect((await auditBooksSince(ledger.run, upto)).problems.join('\n')).toMatch(problem)
        await runAsOwner(ledger.database.ownerUrl, back)
      }
      const id = operations[20]?.id
      await bend(
        `UPDATE ledger.transfer SET amount_minor = amount_minor + 1 WHERE operation_id = '${id}'`,
        `UPDATE ledger.transfer SET amount_minor = amount_minor - 1 WHERE operation_id = '${id}'`,
        /an entry does not follow from the one before: account \d+, entry \d+/,
      )
      await bend(
        `UPDATE ledger.operation SET kind = 'request' WHERE id = '${id}'`,
        `UPDATE ledger.operation SET kind = 'test' WHERE id = '${id}'`,
        new RegExp(`an operation and its transfers disagree: operation ${id}`),
      )
      await bend(
        `UPDATE ledger.unposted_hold SET open = false WHERE hold_id = '${hold.id}'`,
        `UPDATE ledger.unposted_hold SET open = true WHERE hold_id = '${hold.id}'`,
        /the holds and the held amounts differ[^]*an unposted hold does not follow/,
      )
      await bend(
        `UPDATE ledger.account SET version = version + 1 WHERE id = ${accountAt(0)}`,
        `UPDATE ledger.account SET version = version - 1 WHERE id = ${accountAt(0)}`,
        /an account does not follow from its last entry: account \d+.*is missing/,
      )
      await bend(
        `UPDATE ledger.daily_flow SET in_minor = in_minor - 100050 WHERE account_id = ${accountAt(0)}`,
        `UPDATE ledger.daily_flow SET in_minor = in_minor + 100050 WHERE account_id = ${accountAt(0)}`,
        /the sums of a day do not follow/,
      )
      await bend(
        `UPDATE ledger.search_block SET words = words || 'x' WHERE account_id = ${accountAt(0)}`,
        `UPDATE ledger.search_block SET words = left(words, -1) WHERE account_id = ${accountAt(0)}`,
        /the search index does not follow/,
      )
      expect((await auditBooksSince(ledger.run, upto)).problems).toEqual([])
    } finally {
      await ledger.closeProved()
    }
  })
})

test('an existing bank is sealed in steps while it runs, and alterations in its past are named', async () => {
  const database = await testDatabase('template0')
  const secret = testContext('secret')
  const { ownerUrl } = database
  const older = { ownerUrl, secret, mode: 'sample', timeZone: 'UTC' } as const
  await migrate({ ...older, upTo: '0469_zzz', after: (run) => ensureChart(run) })
  const pool = openPool(database.appUrl, { max: 4 })
  const restoredLedger: TestLedger = {
    database,
    pool,
    run: runOn(pool),
    ledger: createLedger({ url: database.appUrl }),
    closeProved: () => Promise.reject(new Error('closed by hand')),
  }
  const accounts = await customers(restoredLedger, 60)
  await prepareDatabase({ ownerUrl, secret, mode: 'sample' })
  const post = () => restoredLedger.ledger.post(operation([transfer(accounts[0] ?? 0, accounts[1] ?? 0, 1)]))
  for (let n = 0; n < 5; n += 1) await post()
  expect((await auditBooks(restoredLedger.run)).problems).toEqual([])

  let steps = 0
  for (let newSeal: Seal | null = null; newSeal === null; steps += 1) {
    newSeal = await within(restoredLedger, (run) => sealStep(run, { day: null, sealedAt: new Date(), ...SMALL }))
    await post()
  }
  expect(steps).toBeGreaterThan(8)
  await sealAll(restoredLedger)
  const there = (await restoredLedger.run('SELECT id::text AS id FROM ledger.operation')).rows.map(({ id }) =>
    String(id),
  )
  expect((await sealedIds(restoredLedger, 'operation')).toSorted()).toEqual(there.toSorted())
  expect(await checked(restoredLedger)).toEqual([])

  const { rows } = await restoredLedger.run(
    'SELECT id::text AS id FROM ledger.operation WHERE posted_in = 0 ORDER BY id OFFSET 30',
  )
  const id = String(rows[0]?.['id'])
  await runAsOwner(
    ownerUrl,
    `ALTER TABLE ledger.transfer DISABLE TRIGGER USER;
     UPDATE ledger.transfer SET amount_minor = 1 WHERE operation_id = '${id}'`,
  )
  expect(await checked(restoredLedger)).toEqual([expect.stringMatching(`^operation ${id}: its transfers were altered`)])
  await restoredLedger.ledger.close()
  await pool.end()
  await database.drop()
})

test('a database restored into another PostgreSQL, with lower transaction ids, is recognized', async () => {
  const ledger = await testLedger()
  await customers(ledger, 1)
  await seal(ledger)
  await runAsOwner(
    ledger.database.ownerUrl,
    'ALTER TABLE ledger.seal DISABLE TRIGGER USER; UPDATE ledger.seal SET upto = upto + 1000000000',
  )
  await expect(seal(ledger)).rejects.toThrow('it was loaded from a dump')
  await ledger.closeProved()
})
