import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import { runOn } from '#server/platform/db/run.ts'
import { bookCardPayment } from '#server/test/card-payment.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { type SentStatement, recordedStatements } from '#server/test/recorded-statements.ts'

const WHY = `A read takes as long whoever else is a customer, so its statements read as many rows (docs/decisions/0366). These read
others' rows too, by a plan that was made while there were none, as it is in a new bank. Leave PostgreSQL no other way than by the
key: LATERAL with a LIMIT or OFFSET 0, = ANY of an array, or a query of its own.`

type Plan = {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Plan[]
}

const OTHERS = 200
const READS = [
  '/dashboard',
  '/transactions',
  '/transactions?status=pending',
  '/transactions?q=shop',
  '/transactions/summary',
  '/analytics',
  '/analytics/payments?month=2026-08&category=food',
  '/analytics/recurring',
  '/analytics/forecast',
]

let server: PeopleServer
let reader: TestPerson
beforeAll(async () => {
  server = await peopleServer()
  reader = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  await reader.fund(500_00)
  await bookCardPayment(server, reader, {
    amountMinor: 5_00,
    bookedAt: server.deps.clock.businessNow(),
    detail: { creditName: 'A shop', category: 'food' },
  })
  await holdOn([reader.customer.currentAccountId])
})
afterAll(() => server.close())

const operation = (leg: Leg): Operation => ({
  id: randomUUID(),
  kind: 'test',
  fingerprint: 'test',
  bookedAt: server.deps.clock.businessNow(),
  legs: [leg],
})

async function book(legs: readonly Leg[]): Promise<string[]> {
  const operations = legs.map(operation)
  const outcomes = await server.deps.ledger.postAll(operations)
  expect(outcomes.every(({ ok }) => ok)).toBe(true)
  return operations.map(({ id }) => id)
}

/** Places two holds on each account and releases the second. */
async function holdOn(accounts: readonly AccountId[]): Promise<void> {
  const holds = accounts.map((debit): Leg => ({
    kind: 'hold',
    debit,
    credit: bankAccount('card_scheme'),
    amountMinor: 1_00,
  }))
  await book(holds)
  await book((await book(holds)).map((holdId): Leg => ({ kind: 'void', holdId })))
}

/** Adds other accounts with money and holds, and customers with more records. */
async function addOthers(): Promise<void> {
  const run = runOn(server.deps.pool)
  const holders = Array.from(
    { length: OTHERS },
    () => ({ holderId: randomUUID(), code: 'current', asset: 'USD' }) as const,
  )
  const accounts = await openAccounts(run, holders)
  const funding = accounts.map((credit): Leg => ({
    kind: 'transfer',
    debit: bankAccount('ach_clearing'),
    credit,
    amountMinor: 100_00,
  }))
  await book(funding)
  await holdOn(accounts)
  const parameters = [holders.map(({ holderId }) => holderId), accounts]
  const otherRows = 'unnest($1::uuid[], $2::bigint[]) AS other (holder, account)'
  for (const text of [
    `INSERT INTO bank.customer (id, full_name, email, current_account_id, created_at)
     SELECT holder, 'Other', account || '@example.com', account, now() FROM ${otherRows}`,
    `INSERT INTO bank.notification (id, customer_id, kind, created_at, params)
     SELECT gen_random_uuid(), holder, 'money_received', now(), '{}' FROM ${otherRows}`,
    `INSERT INTO bank.mandate (customer_id, account_id, biller_name, reference, category, created_at)
     SELECT holder, account, 'Biller', account::text, 'bills', now() FROM ${otherRows}`,
    `INSERT INTO bank.goal (customer_id, account_id, name, icon, target_minor, asset, place, accrued_on)
     SELECT holder, account, 'Trip', 'plane', 100, 'USD', 1, current_date FROM ${otherRows}`,
    `INSERT INTO bank.insight_account (account_id, customer_id) SELECT account, holder FROM ${otherRows}`,
    `INSERT INTO bank.payee_month (account_id, month, payee, name, days)
     SELECT account, '2026-08', 'a shop', 'A shop', '[]' FROM ${otherRows} WHERE holder IS NOT NULL`,
  ]) {
    await run(text, parameters)
  }
}

/** Returns the reading statements that are sent to PostgreSQL while `act` runs. */
async function lookUpsOf(act: () => Promise<unknown>): Promise<SentStatement[]> {
  const statements = await recordedStatements(act)
  const lookUps = statements.filter(({ text }) => /^[\s(]*(SELECT|WITH)\b/i.test(text))
  return [...new Map(lookUps.map((lookUp) => [lookUp.text, lookUp])).values()]
}

const textOf = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

/** Returns a value as an SQL literal without a fixed type. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  const list = Array.isArray(value) ? value.map((item) => `"${textOf(item).replaceAll(/["\\]/g, '\\$&')}"`) : null
  return pg.escapeLiteral(list ? `{${list.join(',')}}` : textOf(value))
}

/** Returns the number of rows that a plan read from tables and indexes, including rows it then discarded. */
function rowsRead(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = plan
  const scannedRows = plan['Node Type'].endsWith('Scan') ? plan['Actual Rows'] + filtered + rechecked : 0
  return scannedRows * plan['Actual Loops'] + (plan.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), 0)
}

test('a read visits the same number of rows for any number of customers', async () => {
  const ask = async (): Promise<void> => {
    for (const path of READS) expect((await reader.browser.get(`/api/v1${path}`)).status).toBe(200)
  }
  // The first read also computes sums that later reads reuse.
  await ask()
  const lookUps = await lookUpsOf(ask)
  expect(lookUps.length).toBeGreaterThan(15)
  const client = await server.deps.pool.connect()
  try {
    const countRows = async (): Promise<[rows: number, text: string][]> => {
      const rows: [number, string][] = []
      for (const [index, { text, values }] of lookUps.entries()) {
        const valueList = values.length > 0 ? `(${values.map(literal).join(', ')})` : ''
        const planAnswer = await client.query(
          `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE flat_${index} ${valueList}`,
        )
        const [{ Plan: plan }] = planAnswer.rows[0]['QUERY PLAN'] as [{ Plan: Plan }]
        rows.push([rowsRead(plan), text])
      }
      return rows
    }
    // The statements are planned while the tables are small, and the plans are kept.
    for (const [index, { text }] of lookUps.entries()) await client.query(`PREPARE flat_${index} AS ${text}`)
    const rowsAlone = await countRows()
    await addOthers()
    expect(await countRows(), WHY).toEqual(rowsAlone)
  } finally {
    client.release(true)
  }
})
