import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { appUrl } from '#server/platform/db/serving-role.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'
import { testContext } from '#server/test/context.ts'

const secret = testContext('secret')
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase('template0')
})
afterAll(() => database.drop())

const [customer, schedule, plan, buy, goal, fundOrder] = Array.from({ length: 6 }, () => randomUUID())

/** One order of each kind, from the time when each kind had its own table. */
const BEFORE = `
  INSERT INTO ledger.account (id, holder_id, code, asset, floor_minor) OVERRIDING SYSTEM VALUE VALUES
    (5000, '${customer}', 'current', 'USD', 0), (5001, '${customer}', 'savings', 'USD', 0);
  INSERT INTO bank.customer (id, full_name, email, current_account_id, created_at)
    VALUES ('${customer}', 'Ann Lee', 'ann@example.com', 5000, '2026-01-01Z');
  INSERT INTO bank.schedule (id, customer_id, recipient, address, amount_minor, asset, note, every, anchor_on, passed, next_on,
                             try_on, refused, paid_on, remaining, version, created_at)
    VALUES ('${schedule}', '${customer}', 'Bob@x.example', 'bob@x.example', 1000, 'USD', 'rent', 'month', '2026-07-31', 1,
            '2026-08-31', '2026-09-01', true, '2026-07-31', 3, 4, '2026-07-01Z');
  INSERT INTO bank.fund_plan (id, customer_id, fund, amount_minor, every, accepts_mismatch, anchor_on, next_on, due_on, status,
                              created_at, active_since)
    VALUES ('${plan}', '${customer}', 'FUND_BALANCED', 2000, 'week', true, '2026-08-29', '2026-08-29', '2026-08-31', 'paused',
            '2026-07-02Z', '2026-07-03Z');
  INSERT INTO bank.fund_order (id, customer_id, plan_id, plan_on, side, fund, amount_minor, placed_at, priced_at)
    VALUES ('${fundOrder}', '${customer}', '${plan}', '2026-08-22', 'buy', 'FUND_BALANCED', 2000, '2026-08-24T06:00Z', '2026-08-24T16:00Z');
  INSERT INTO bank.crypto_recurring (id, customer_id, asset, amount_minor, every, anchor_on, passed, next_on, status, created_at)
    VALUES ('${buy}', '${customer}', 'BTC', 3000, 'month', '2026-08-30', 0, '2026-08-30', 'stopped', '2026-07-04Z');
  INSERT INTO bank.goal (id, customer_id, account_id, place, name, icon, target_minor, asset, accrued_on)
    VALUES ('${goal}', '${customer}', 5001, 0, 'Boat', 'target', 100000, 'USD', '2026-08-01');
  INSERT INTO bank.goal_monthly (goal_id, amount_minor, day_of_month, next_on) VALUES ('${goal}', 4000, 31, '2026-09-30')`

test('the orders of an older bank continue under their ids, on their dates', async () => {
  const { ownerUrl } = database
  await migrate({ ownerUrl, secret, mode: 'sample', upTo: '0351_zzz' })
  const owner = openPool(ownerUrl, { max: 1 })
  await owner.query(BEFORE)
  await owner.end()
  await prepareDatabase({ ownerUrl, secret, mode: 'sample' })
  const pool = openPool(appUrl(ownerUrl, secret), { max: 1 })
  const { rows } = await pool.query('SELECT * FROM bank.standing_order ORDER BY amount_minor')
  await pool.end()
  expect(rows).toMatchObject([
    {
      id: schedule,
      kind: 'payment',
      terms: { recipient: 'Bob@x.example', address: 'bob@x.example', note: 'rent' },
      every: 'month',
      anchor_on: '2026-07-31',
      passed: 1,
      next_on: '2026-08-31',
      try_at: new Date('2026-09-01T06:00:00Z'),
      refused: true,
      done_on: '2026-07-31',
      remaining: 3,
      status: 'active',
      version: 4,
    },
    {
      id: plan,
      kind: 'investment',
      terms: { fund: 'FUND_BALANCED', acceptsMismatch: true },
      next_on: '2026-08-29',
      try_at: new Date('2026-08-31T06:00:00Z'),
      status: 'paused',
      active_since: new Date('2026-07-03Z'),
    },
    {
      id: buy,
      kind: 'coin_buy',
      terms: { asset: 'BTC' },
      try_at: new Date('2026-08-30T06:00:00Z'),
      status: 'cancelled',
    },
    {
      id: goal,
      kind: 'saving',
      customer_id: customer,
      anchor_on: '2000-01-31',
      passed: 320,
      next_on: '2026-09-30',
      try_at: new Date('2026-09-30T00:00:00Z'),
      status: 'active',
    },
  ])
})
