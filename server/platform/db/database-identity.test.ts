import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import {
  checkClaim,
  type DatabaseClaim,
  insertDatabaseRecord,
  servingUrl,
} from '#server/platform/db/database-identity.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { bankZone, setBankZone } from '#server/platform/time-zone.ts'
import { APP_ROLE, appUrl, servingRole } from '#server/platform/db/serving-role.ts'
import { testContext } from '#server/test/context.ts'
import { runAsOwner, testDatabase, type TestDatabase } from '#server/test/database.ts'

const secret = testContext('secret')
const otherSecret = `another ${secret}`
let database: TestDatabase
let ownerUrl: string
let owner: pg.Client

beforeEach(async () => {
  database = await testDatabase('template0')
  ownerUrl = database.ownerUrl
  owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
})
afterEach(async () => {
  await owner.end()
  await database.drop()
})

const claim = (mode: DatabaseClaim['mode'], more: Partial<DatabaseClaim> = {}): DatabaseClaim => ({
  ownerUrl,
  secret,
  mode,
  ...more,
})

/** Returns everything in the database that a start could have changed. */
async function contents(claimed: DatabaseClaim) {
  const { rows } = await owner.query(
    `SELECT (SELECT count(*) FROM pg_class) AS classes, (SELECT max(oid) FROM pg_class) AS newest,
            EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS role,
            CASE WHEN to_regclass('bank.clock') IS NOT NULL
                 THEN query_to_xml('SELECT real_epoch FROM bank.clock', true, false, '')::text END AS clock`,
    [servingRole(claimed.secret)],
  )
  return rows[0]
}

/** Expects that a server and a command both refuse the database for the same reason, and that the attempts change nothing. */
async function isRefused(wrongClaim: DatabaseClaim, sentence: RegExp): Promise<void> {
  const before = await contents(wrongClaim)
  for (const open of [prepareDatabase, servingUrl])
    await expect(open(wrongClaim)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringMatching(sentence),
    })
  expect(await contents(wrongClaim)).toEqual(before)
}

async function isServed(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SELECT current_user AS role, count(*) AS n FROM bank.customer')
  await client.end()
  return rows[0].role
}

const OTHER_MODE = /^This is the database of a \w+ bank, and BANK_MODE is \w+: set BANK_MODE=\w+, .+\.$/
const OTHER_SECRET = /^The secret is not the one that this database was made with: .+\.$/

test.each(['sample', 'live'] as const)(
  'a database that was created by a %s bank is opened by no bank of another mode',
  async (mode) => {
    expect(await isServed(await prepareDatabase(claim(mode)))).toBe(servingRole(secret))
    await isRefused(claim(mode === 'live' ? 'sample' : 'live'), OTHER_MODE)
    await isRefused(claim(mode, { secret: otherSecret }), OTHER_SECRET)
    expect(await servingUrl(claim(mode))).toBe(await prepareDatabase(claim(mode)))
  },
)

test('of two servers with different modes that start together on an empty database, one opens it', async () => {
  const outcomes = await Promise.allSettled([prepareDatabase(claim('sample')), prepareDatabase(claim('live'))])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('the record reveals the secret to no role, including the serving role', async () => {
  const url = await prepareDatabase(claim('live'))
  const { rows } = await owner.query('SELECT * FROM bank.database')
  expect(rows).toMatchObject([{ mode: 'live', time_zone: 'America/New_York', grantee: servingRole(secret) }])
  expect(JSON.stringify(rows)).not.toContain(secret)
  await expect(runAsOwner(url, 'SELECT * FROM bank.database')).rejects.toMatchObject({ code: '42501' })
})

test('a live bank has no clock that can be moved', async () => {
  const url = await prepareDatabase(claim('live'))
  const insert = 'INSERT INTO bank.clock (real_epoch, business_epoch) VALUES (now(), now())'
  await expect(runAsOwner(url, insert)).rejects.toMatchObject({ code: '23503' })
})

test('banks with different secrets and owners share one PostgreSQL', async () => {
  const name = `other_${randomUUID().replaceAll('-', '')}`
  await owner.query(`CREATE ROLE ${name} LOGIN CREATEROLE PASSWORD 'x'; GRANT ${name} TO current_user`)
  await owner.query(`CREATE DATABASE ${name} OWNER ${name}`)
  try {
    const otherUrl = new URL(ownerUrl)
    Object.assign(otherUrl, { username: name, password: 'x', pathname: `/${name}` })
    const first = await prepareDatabase(claim('live'))
    const second = await prepareDatabase({ ownerUrl: otherUrl.toString(), secret: otherSecret, mode: 'sample' })
    expect([await isServed(first), await isServed(second)]).toEqual([servingRole(secret), servingRole(otherSecret)])
    expect(await isServed(await prepareDatabase(claim('live')))).toBe(servingRole(secret))
  } finally {
    await owner.query(`DROP DATABASE ${name}`)
    await owner.query(`DROP ROLE ${name}`).catch(() => undefined)
  }
})

test('an owner without the right to create roles prints the required SQL, and serves after it was run', async () => {
  const name = `poor_${randomUUID().replaceAll('-', '')}`
  const freshSecret = `fresh ${randomUUID()} ${secret}`
  await owner.query(`CREATE ROLE ${name} LOGIN PASSWORD 'x'; GRANT ${name} TO current_user`)
  await owner.query(`CREATE DATABASE ${name} OWNER ${name}`)
  const poorUrl = new URL(ownerUrl)
  Object.assign(poorUrl, { username: name, password: 'x', pathname: `/${name}` })
  const poorClaim: DatabaseClaim = { ownerUrl: poorUrl.toString(), secret: freshSecret, mode: 'live' }
  try {
    const error = await prepareDatabase(poorClaim).catch((reason: unknown) => reason as Error)
    expect(error).toMatchObject({ name: 'StartError' })
    const [, sql] = /: (CREATE ROLE [^;]+;)$/.exec((error as Error).message) ?? []
    await owner.query(sql as string)
    expect(await isServed(await prepareDatabase(poorClaim))).toBe(servingRole(freshSecret))
  } finally {
    await owner.query(`DROP DATABASE ${name}`)
    await owner.query(`DROP ROLE ${name}; DROP ROLE IF EXISTS ${servingRole(freshSecret)}`).catch(() => undefined)
  }
})

test('a read-only database is refused in one sentence', async () => {
  expect(await servingUrl(claim('live'))).toContain(servingRole(secret))
  await owner.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$`,
  )
  await isRefused(claim('live'), /^The database is read-only for its owner: .+\.$/)
})

describe('the time zone of the business days', () => {
  const dayOf = async (instant: string) =>
    (await owner.query(`SELECT ledger.day_of('${instant}')::text AS day`)).rows[0].day

  test('is New York’s by default, and is kept from then on', async () => {
    await prepareDatabase(claim('live'))
    expect(bankZone()).toBe('America/New_York')
    expect([await dayOf('2027-01-01T00:30:00Z'), await dayOf('2027-01-01T05:00:00Z')]).toEqual([
      '2026-12-31',
      '2027-01-01',
    ])
    await isRefused(claim('live', { timeZone: 'UTC' }), /^This database keeps the days of America\/New_York, /)
    await prepareDatabase(claim('live', { timeZone: 'America/New_York' }))
  })

  test('is the configured one for a new database, and stays the same for all later servers', async () => {
    await prepareDatabase(claim('live', { timeZone: 'Asia/Kathmandu' }))
    expect([await dayOf('2026-08-27T18:14:59Z'), await dayOf('2026-08-27T18:15:00Z')]).toEqual([
      '2026-08-27',
      '2026-08-28',
    ])
    setBankZone('UTC')
    await servingUrl(claim('live'))
    expect(bankZone()).toBe('Asia/Kathmandu')
    await isRefused(claim('live', { timeZone: 'America/New_York' }), /set BANK_TIME_ZONE=Asia\/Kathmandu/)
  })

  test('has one canonical spelling, and may have two names', async () => {
    await prepareDatabase(claim('live', { timeZone: 'asia/kolkata' }))
    expect((await owner.query('SELECT time_zone FROM bank.database')).rows).toEqual([{ time_zone: 'Asia/Kolkata' }])
    for (const timeZone of ['Asia/Kolkata', 'ASIA/KOLKATA', 'Asia/Calcutta'])
      await prepareDatabase(claim('live', { timeZone }))
    await isRefused(claim('live', { timeZone: 'Asia/Colombo' }), /set BANK_TIME_ZONE=Asia\/Kolkata/)
  })

  test('is completed by the next start after an interrupted one', async () => {
    await prepareDatabase(claim('live'))
    await owner.query(`CREATE OR REPLACE FUNCTION ledger.day_of(instant timestamptz) RETURNS date
      LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT (instant AT TIME ZONE 'UTC')::date; $$`)
    await prepareDatabase(claim('live'))
    expect(await dayOf('2027-01-01T00:30:00Z')).toBe('2026-12-31')
  })

  test('is UTC for a bank from a version without time zones', async () => {
    await makeOlderBank()
    await isRefused(claim('sample', { timeZone: 'America/New_York' }), /set BANK_TIME_ZONE=UTC/)
    await prepareDatabase(claim('sample'))
    expect(bankZone()).toBe('UTC')
    expect(await dayOf('2027-01-01T00:30:00Z')).toBe('2027-01-01')
  })

  test('is refused if PostgreSQL has different rules for it', async () => {
    const run: Run = (text, values) =>
      text.includes('AT TIME ZONE') ? Promise.resolve({ rows: [{ seconds: 0 }] }) : runOn(owner)(text, values)
    await expect(checkClaim(run, claim('live', { timeZone: 'Europe/Berlin' }))).rejects.toThrow(
      /^PostgreSQL does not have the rules of BANK_TIME_ZONE Europe\/Berlin as Node does: /,
    )
  })
})

/**
 * Makes a bank of the previous version: without a record, and with tables granted to the role that all banks of a PostgreSQL
 * shared.
 */
async function makeOlderBank(): Promise<void> {
  await owner.query(
    `DO $$ BEGIN CREATE ROLE ${APP_ROLE} LOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN END $$`,
  )
  const password = decodeURIComponent(new URL(appUrl(ownerUrl, secret, APP_ROLE)).password)
  await owner.query(`ALTER ROLE ${APP_ROLE} LOGIN PASSWORD '${password}'`)
  const record = await checkClaim(runOn(owner), claim('sample'))
  await insertDatabaseRecord(runOn(owner), { ...record, grantee: APP_ROLE })
  await migrate({ ...claim('sample'), upTo: '0249_zzz' })
  await owner.query('DROP TABLE bank.database')
}

const customerSince = (happenedAt: string) =>
  owner.query(`
    WITH account AS (
      INSERT INTO ledger.account (holder_id, code, asset, floor_minor)
      VALUES ('${randomUUID()}', 'current', 'USD', 0) RETURNING id, holder_id
    ), customer AS (
      INSERT INTO bank.customer (id, full_name, email, current_account_id, created_at)
      SELECT holder_id, 'Ann', 'ann@example.com', id, now() FROM account RETURNING id
    )
    INSERT INTO bank.security_event (customer_id, kind, device, network_zone, happened_at)
    SELECT id, 'signed_in', '{}', '', ${happenedAt} FROM customer`)

const startClock = () =>
  owner.query(`INSERT INTO bank.clock (real_epoch, business_epoch) VALUES (now(), '2026-08-28T09:41:00Z')`)

test('an older sample bank is recognized by its clock, and continues under a role of its own', async () => {
  await makeOlderBank()
  await startClock()
  await customerSince(`now() + interval '1 minute'`)
  await isRefused(claim('live'), OTHER_MODE)
  await isRefused(claim('sample', { secret: otherSecret }), /^The secret does not open the role alder_app .+ALTER ROLE/)
  await isServed(await servingUrl(claim('sample')))
  const url = await prepareDatabase(claim('sample'))
  expect(await isServed(url)).toBe(servingRole(secret))
  expect(await servingUrl(claim('sample'))).toBe(url)
  await runAsOwner(url, `SELECT graphile_worker.add_job('note', '{}')`)
  await isRefused(claim('live'), OTHER_MODE)
  // Another bank of the previous version has taken the shared role meanwhile.
  await owner.query(`ALTER ROLE ${APP_ROLE} PASSWORD 'theirs'`)
  expect(await isServed(await prepareDatabase(claim('sample')))).toBe(servingRole(secret))
})

test('an older live bank is recognized by its customers, who have no clock', async () => {
  await makeOlderBank()
  await customerSince('now()')
  await isRefused(claim('sample'), OTHER_MODE)
  expect(await isServed(await prepareDatabase(claim('live')))).toBe(servingRole(secret))
  await isRefused(claim('sample'), OTHER_MODE)
})

test('an older live bank that a sample server has opened is refused until an operator checks it', async () => {
  await makeOlderBank()
  await customerSince(`now() - interval '1 day'`)
  await startClock()
  for (const mode of ['live', 'sample'] as const)
    await isRefused(claim(mode), /^This database was a live bank's until a server in sample mode opened it on .+;$/)
  await owner.query('DELETE FROM bank.clock')
  await isRefused(claim('sample'), OTHER_MODE)
  expect(await isServed(await prepareDatabase(claim('live')))).toBe(servingRole(secret))
})

test.each(['sample', 'live'] as const)('an older unused bank is opened as a %s bank', async (mode) => {
  await makeOlderBank()
  expect(await isServed(await prepareDatabase(claim(mode)))).toBe(servingRole(secret))
  await isRefused(claim(mode === 'live' ? 'sample' : 'live'), OTHER_MODE)
})
