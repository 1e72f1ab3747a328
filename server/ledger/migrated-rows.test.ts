import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { methodInWords, nameInWords } from '#server/test/line-texts.ts'
import { prepareDatabase } from '#server/boot/prepare.ts'
import { accountsById } from '#server/ledger/accounts.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { flowOf } from '#server/ledger/flows.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import { findLine, listLines } from '#server/ledger/statement.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { appUrl } from '#server/platform/db/serving-role.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testContext } from '#server/test/context.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

const secret = testContext('secret')
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase('template0')
})
afterAll(() => database.drop())

const ids = { holder: randomUUID(), topUp: randomUUID(), card: randomUUID(), kept: randomUUID(), freed: randomUUID() }
const [open, refused] = [randomUUID(), randomUUID()]

/** The rows that the bank wrote before migration 0040. The accounts consist of numbers only. */
const BEFORE = `
  INSERT INTO ledger.account (id, holder_id, code, asset, floor_minor) OVERRIDING SYSTEM VALUE VALUES
    (102, NULL, 'ach_clearing', 'USD', NULL), (101, NULL, 'card_scheme', 'USD', NULL),
    (108, NULL, 'points_issued', 'POINTS', NULL), (112, NULL, 'market_maker', 'FUND', NULL),
    (5000, '${ids.holder}', 'current', 'USD', 0), (5001, '${ids.holder}', 'points', 'POINTS', 0);
  INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, refusal, debit_name, credit_name, category, method, note) VALUES
    ('${ids.topUp}', 'top_up.card', 'f1', '2026-08-03T10:00Z', NULL, NULL, 'Card top-up', 'top_up', 'Card', NULL),
    ('${ids.card}', 'card.charge', 'f2', '2026-08-04T10:00Z', NULL, 'Café', NULL, 'food', 'Debit card •••• 4821', 'cake'),
    ('${ids.kept}', 'payment.hold', 'f3', '2026-08-05T10:00Z', NULL, 'a@b.example', 'Ann', 'transfer', 'Alder transfer', NULL),
    ('${ids.freed}', 'payment.hold', 'f4', '2026-08-06T10:00Z', NULL, 'c@d.example', 'Ann', 'transfer', 'Alder transfer', NULL),
    ('${open}', 'top_up.bank', 'f5', '2026-08-07T10:00Z', NULL, NULL, 'Bank top-up', 'top_up', 'Bank transfer', NULL),
    ('${refused}', 'payment.send', 'f6', '2026-08-07T10:00Z', 'insufficient_funds', NULL, NULL, NULL, NULL, NULL);
  INSERT INTO ledger.transfer VALUES
    ('${ids.topUp}', 0, 'transfer', 'USD', 102, 5000, 1000, 0, NULL, NULL, 1, 1, -1000, 1000),
    ('${ids.card}', 0, 'transfer', 'USD', 5000, 101, 300, 0, NULL, NULL, 2, 1, 700, 300),
    ('${ids.card}', 1, 'transfer', 'POINTS', 108, 5001, 10, 0, NULL, NULL, 1, 1, -10, 10),
    ('${ids.kept}', 0, 'hold', 'USD', 5000, 101, 0, 50, '${ids.kept}', NULL, NULL, NULL, NULL, NULL),
    ('${ids.freed}', 0, 'hold', 'USD', 5000, 101, 0, 60, '${ids.freed}', NULL, NULL, NULL, NULL, NULL),
    ('${open}', 0, 'hold', 'USD', 102, 5000, 0, 70, '${open}', NULL, NULL, NULL, NULL, NULL);
  INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, debit_name, credit_name, category, method)
    SELECT gen_random_uuid(), 'bulk', n::text, '2026-08-08T10:00Z', 'Shop ' || n, NULL, 'shopping', 'Direct debit'
      FROM generate_series(1, 70) n;
  INSERT INTO ledger.transfer
    SELECT id, 0, 'transfer', 'USD', 5000, 101, 1, 0, NULL::uuid, NULL::timestamptz, 2 + n, 1 + n, 700 - n, 300 + n
      FROM (SELECT id, row_number() OVER (ORDER BY fingerprint::int) AS n FROM ledger.operation WHERE kind = 'bulk') bulk`

/** One of the holds is later posted and another one is voided. */
const RESOLVED = `
  INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, debit_name, category) VALUES
    ('${randomUUID()}', 'payment.claim', 'r1', '2026-08-09T10:00Z', 'a@b.example', 'transfer'),
    ('${randomUUID()}', 'payment.cancel', 'r2', '2026-08-09T10:00Z', 'c@d.example', 'transfer');
  INSERT INTO ledger.transfer
    SELECT id, 0, 'post', 'USD', 5000, 101, 50, -50, '${ids.kept}'::uuid, NULL::timestamptz, 73, 72, 580, 420
      FROM ledger.operation WHERE fingerprint = 'r1'
    UNION ALL SELECT id, 0, 'void', 'USD', 5000, 101, 0, -60, '${ids.freed}', NULL, NULL, NULL, NULL, NULL
      FROM ledger.operation WHERE fingerprint = 'r2'`

test('an older bank is opened: its bookings read the same, and the books are proved', async () => {
  const { ownerUrl } = database
  await migrate({ ownerUrl, secret, mode: 'sample', timeZone: 'UTC', upTo: '0033_zzz' })
  const owner = openPool(ownerUrl, { max: 1 })
  for (const statement of [BEFORE, RESOLVED]) await owner.query(statement)
  await owner.end()
  await prepareDatabase({ ownerUrl, secret, mode: 'sample' })

  const pool = openPool(appUrl(ownerUrl, secret), { max: 2 })
  const run = runOn(pool)
  expect((await auditBooks(run)).problems).toEqual([])
  const { lines } = await listLines(run, { accountId: 5000, filters: {}, limit: 100 })
  const lineFields = lines.map(({ name: otherName, category, method, note, amountMinor, status }) => [
    otherName && nameInWords(otherName),
    category,
    methodInWords(method),
    note,
    amountMinor,
    status,
  ])
  expect(lineFields[0]).toEqual(['a@b.example', 'transfer', '', null, -50, 'completed'])
  expect(lineFields[1]).toEqual(['Shop 70', 'shopping', 'Direct debit', null, -1, 'completed'])
  expect(lineFields.slice(-4)).toEqual([
    ['Bank deposit', 'top_up', 'Bank transfer', null, 70, 'pending'],
    ['c@d.example', 'transfer', 'Alder transfer', null, -60, 'returned'],
    ['Café', 'food', 'Debit card •••• 4821', 'cake', -300, 'completed'],
    ['Card deposit', 'top_up', 'Card', null, 1000, 'completed'],
  ])
  expect(await findLine(run, 5000, ids.kept)).toMatchObject({ status: 'completed', amountMinor: -50 })
  const [points] = (await listLines(run, { accountId: 5001, filters: {}, limit: 1 })).lines
  expect(points).toMatchObject({ name: { code: 'points.payment' }, category: null, method: null, amountMinor: 10 })
  const page = await listLines(run, { accountId: 5000, filters: { q: 'deposit' }, limit: 10 })
  expect(page.lines.map((line) => line.amountMinor)).toEqual([70, 1000])
  const period = { from: new Date('2026-08-01'), to: new Date('2026-09-01') }
  expect(await flowOf(run, [5000], period)).toEqual({ incomeMinor: 0, expensesMinor: 420, spentMinor: 370 })
  expect(await accountsById(run, [5000])).toMatchObject([{ balanceMinor: 580, heldMinor: 0, incomingMinor: 70 }])

  const ledger = createLedger({ url: appUrl(ownerUrl, secret) })
  expect(await ledger.find(ids.topUp, 'f1')).toMatchObject({ replayed: true, kind: 'top_up.card' })
  await expect(ledger.find(refused, 'f6')).rejects.toMatchObject({ code: 'insufficient_funds' })
  await ledger.post({
    id: randomUUID(),
    kind: 'x',
    fingerprint: 'x',
    bookedAt: new Date(),
    legs: [{ kind: 'post', holdId: open }],
  })
  expect((await auditBooks(run)).problems).toEqual([])
  await ledger.close()
  await expect(pool.query('UPDATE ledger.transfer SET note = NULL')).rejects.toMatchObject({ code: '42501' })
  await pool.end()
})
