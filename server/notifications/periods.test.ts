import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Notice } from '#contract/notifications.ts'
import { beginPeriod } from '#server/periods/jobs.ts'
import { sizeAllPeriods } from '#server/periods/sizes.ts'
import { dropNoticePeriods, NOTICE_PERIODS, noticePeriods } from '#server/notifications/periods.ts'
import { listNotices, markOneRead, markReadUpTo } from '#server/notifications/reading.ts'
import { purgeNotices } from '#server/notifications/retention.ts'
import { notify, unreadCount } from '#server/notifications/service.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { errorCode, runIn, runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { runAsOwner } from '#server/test/database.ts'
import { type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { tries } from '../../scripts/test-effort.ts'

/**
 * The property: reading, marking and removing notices has the same result with many periods as with one. The start of a period
 * while servers write loses or doubles no notice. Dropping a period removes no notice that is still kept.
 */

const START = new Date('2026-08-28T09:41:00.000Z')

let bank: Bank
beforeEach(async () => {
  bank = await openBank()
})
afterEach(() => bank.close())

type Bank = Awaited<ReturnType<typeof openBank>>

async function openBank() {
  const clock = { ...testClock(START), realNow: () => START }
  const server: PeopleServer = await peopleServer({ clock })
  const ann: TestPerson = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  const { deps } = server
  const customerId = ann.customer.id
  await deps.db.deleteFrom('bank.notification').execute()
  const owner = new pg.Client({ connectionString: server.database.ownerUrl })
  await owner.connect()
  return {
    server,
    deps,
    clock,
    owner,
    customerId,
    tell: async (amountMinor: number, createdAt: Date = clock.businessNow()) => {
      // The ids contain the millisecond of writing, so each notice needs its own.
      await sleep(2)
      const content = { kind: 'payment_received', params: { amountMinor, asset: 'USD', name: 'Cy' } } as const
      await notify(deps, deps.db, { customerId, createdAt, ...content })
    },
    list: (page: { cursor?: string; limit: number } = { limit: 100 }) => listNotices(deps, customerId, page),
    begin: () => begin(owner),
    close: async () => {
      await owner.end()
      await server.close()
    },
  }
}

/** Begins a period as soon as its locks are free. */
async function begin(owner: pg.Client): Promise<void> {
  for (;;) {
    try {
      return void (await owner.query('SELECT bank.begin_notice_period()'))
    } catch (error) {
      if (errorCode(error) !== '55P03') throw error
      await sleep(20 + Math.random() * 50)
    }
  }
}

const amountOf = ({ params }: Notice): number => (params as { amountMinor: number }).amountMinor
const amounts = async (of: Bank): Promise<number[]> => (await of.list()).notices.map(amountOf)

/** An action of a customer or the bank. Its result has the same form for both banks. */
type Step = (of: Bank) => Promise<unknown>

const whole: Step = async ({ list, deps, customerId }) => {
  const { notices } = await list()
  return [
    notices.map((notice) => [amountOf(notice), notice.createdAt, notice.readAt]),
    await unreadCount(deps, customerId),
  ]
}

const paged =
  (limit: number): Step =>
  async ({ list }) => {
    const batches: number[][] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Awaited<ReturnType<Bank['list']>> = await list({ limit, ...(cursor !== undefined && { cursor }) })
      batches.push(page.notices.map(amountOf))
      cursor = page.nextCursor
    }
    return batches
  }

const marked =
  (at: number, mark: typeof markOneRead): Step =>
  async ({ list, deps, customerId }) => {
    const { notices } = await list()
    const chosen = notices[at % Math.max(notices.length, 1)]
    if (chosen) await mark(deps, customerId, chosen.id)
    return chosen && amountOf(chosen)
  }

const purged =
  (days: number): Step =>
  async ({ clock, deps }) => {
    clock.set(new Date(clock.businessNow().getTime() + days * DAY_MS))
    await purgeNotices(deps)
    return clock.businessNow()
  }

/** Returns a random step that runs in both banks. */
function someStep(turn: number): Step {
  const [kind, at] = [Math.random(), Math.floor(Math.random() * 50)]
  const daysAgo = Math.random() < 0.2 ? Math.random() * 300 : 0
  if (kind < 0.6)
    return ({ tell: sendNotice, clock }) =>
      sendNotice(turn, new Date(clock.businessNow().getTime() - Math.round(daysAgo * DAY_MS) + turn))
  if (kind < 0.7) return paged(1 + (at % 7))
  if (kind < 0.8) return marked(at, markOneRead)
  if (kind < 0.85) return marked(at, markReadUpTo)
  return purged([1, 30, 90, 200][at % 4] ?? 1)
}

test(
  'lists, counts, marks and removals give the same results in many periods as in one',
  { timeout: 300_000 },
  async () => {
    const singlePeriodBank = await openBank()
    try {
      for (let turn = 1; turn <= tries(400); turn += 1) {
        if (turn % 7 === 0) await bank.begin()
        const step = someStep(turn)
        expect(await step(bank)).toEqual(await step(singlePeriodBank))
        expect(await whole(bank)).toEqual(await whole(singlePeriodBank))
      }
      const periods = await noticePeriods(bank.deps)
      expect(periods.at(-1)).toBeGreaterThan(3)
      expect(await noticePeriods(singlePeriodBank.deps)).toEqual([1])
      // Years later no notice is left, and only the current period exists.
      expect(await purged(800)(bank)).toEqual(await purged(800)(singlePeriodBank))
      expect([await whole(bank), await noticePeriods(bank.deps)]).toEqual([[[], 0], periods.slice(-1)])
      expect(await partitions(bank)).toEqual([`notification_${periods.at(-1)}`])
    } finally {
      await singlePeriodBank.close()
    }
  },
)

async function partitions({ owner }: Bank): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      WHERE inhparent = 'bank.notification'::regclass ORDER BY relname`,
  )
  return rows.map(({ name }) => name)
}

/** The SQL of a server at level 0447 for writing, purging and marking notices. */
const OLDER = {
  write: `INSERT INTO bank.notification (id, customer_id, kind, params, created_at)
    SELECT told.id, told.customer_id, told.kind, told.params, told.created_at
      FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::jsonb[], $5::timestamptz[])
        AS told (id, customer_id, kind, params, created_at)
    RETURNING id, customer_id,
      EXISTS (SELECT FROM bank.push_subscription p WHERE p.customer_id = notification.customer_id) AS has_push`,
  purge: `DELETE FROM bank.notification WHERE id IN (SELECT id FROM bank.notification WHERE created_at < $1 LIMIT 5000)`,
  mark: `UPDATE bank.notification SET read_at = $2 WHERE customer_id = $1 AND read_at IS NULL AND id = $3 RETURNING id`,
}

test('periods begin while servers write, including an older one: each notice is stored once, in one period', async () => {
  const { deps, customerId, owner } = bank
  // The older server's statements are prepared before the first period ends.
  const older = new pg.Client({ connectionString: bank.server.database.appUrl })
  await older.connect()
  const notified: string[] = []
  let goes = true
  const byOlder = async () => {
    while (goes) {
      const id = randomUUID()
      const values = [
        [id],
        [customerId],
        ['payment_received'],
        ['{"amountMinor":1,"asset":"USD","name":"Cy"}'],
        [START],
      ]
      await older.query({ name: 'write', text: OLDER.write, values })
      notified.push(id)
    }
  }
  let count = 0
  const byNewer = async () => {
    for (; goes; count += 1) await bank.tell(2)
  }
  const writing = [byOlder(), byNewer(), byNewer(), byNewer()]
  for (let turn = 0; turn < 4 + tries(10); turn += 1) {
    await begin(owner)
    await sleep(40)
  }
  goes = false
  await Promise.all(writing)
  const { rows } = await owner.query('SELECT id, period FROM bank.notification')
  const ids = rows.map(({ id }) => id as string)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toHaveLength(notified.length + count)
  expect(notified.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(rows.map(({ period }) => period)).size).toBeGreaterThan(3)
  expect(await unreadCount(deps, customerId)).toBe(ids.length)
  const markResult = await older.query(OLDER.mark, [customerId, START, notified[0]])
  expect(markResult.rows).toEqual([{ id: notified[0] }])
  expect((await older.query(OLDER.purge, [new Date(START.getTime() + 1)])).rowCount).toBe(ids.length)
  await older.end()
})

test('a period is dropped after all of it is old, and otherwise only its old notices are deleted', async () => {
  const { tell: sendNotice, clock, deps } = bank
  const daysAgo = (days: number) => new Date(START.getTime() - days * DAY_MS)
  await sendNotice(1, daysAgo(200))
  await sendNotice(2, daysAgo(100))
  await bank.begin()
  // This notice is written later but belongs to an earlier moment.
  await sendNotice(3, daysAgo(300))
  await sendNotice(4)
  await bank.begin()
  await sendNotice(5)
  clock.set(new Date(START.getTime() + 164 * DAY_MS))
  await purgeNotices(deps)
  expect([await amounts(bank), await noticePeriods(deps)]).toEqual([[5, 4, 2, 1].toSorted((a, b) => b - a), [1, 2, 3]])
  clock.set(new Date(START.getTime() + 266 * DAY_MS))
  await purgeNotices(deps)
  expect([await amounts(bank), await noticePeriods(deps)]).toEqual([
    [5, 4],
    [2, 3],
  ])
  clock.set(new Date(START.getTime() + 366 * DAY_MS))
  await purgeNotices(deps)
  // The current period stays, even if all its notices are old.
  expect([await amounts(bank), await noticePeriods(deps)]).toEqual([[], [3]])
})

test('a period that is being read is not dropped, and no request waits for it', { timeout: 90_000 }, async () => {
  await bank.tell(1)
  await bank.begin()
  const reader = await bank.deps.pool.connect()
  await reader.query('BEGIN; SELECT count(*) FROM bank.notification')
  const before = new Date(START.getTime() + DAY_MS)
  // The client gets the error a moment before PostgreSQL releases the locks. The next call may then find another drop in
  // progress.
  const errorOfDrop = () =>
    runIn(bank.deps.db)('SELECT bank.drop_notice_period($1)', [before]).then(
      () => null,
      (error: unknown) => error,
    )
  await expect.poll(errorOfDrop).toMatchObject({ code: '55P03' })
  await reader.query('COMMIT')
  reader.release()
  // A vacuum holds this lock on a period while it runs. A drop gives up there, before it locks the customers.
  await bank.owner.query('BEGIN; LOCK TABLE bank.notification_1 IN SHARE UPDATE EXCLUSIVE MODE')
  await expect.poll(errorOfDrop).toMatchObject({
    code: '55P03',
    where: expect.stringContaining('LOCK TABLE ONLY bank.notification_1 IN SHARE UPDATE EXCLUSIVE MODE'),
  })
  await bank.owner.query('COMMIT')
  await expect.poll(() => dropNoticePeriods(bank.deps, before), { timeout: 60_000 }).toEqual([1])
})

test('a new period has the settings and rights of the previous one, and its indexes have the usual names', async () => {
  const { owner, customerId } = bank
  await bank.begin()
  const shape = async (name: string) => {
    const { rows } = await owner.query(
      `SELECT reloptions AS options,
              (SELECT array_agg(pg_get_constraintdef(oid) ORDER BY contype) FROM pg_constraint
                WHERE conrelid = c.oid AND contype IN ('f', 'p') AND conparentid = 0) AS keys,
              (SELECT array_agg(definition ORDER BY definition) FROM pg_index,
                 LATERAL regexp_replace(pg_get_indexdef(indexrelid), '_[12]\\M', '', 'g') definition WHERE indrelid = c.oid) AS indexes
         FROM pg_class c WHERE oid = $1::regclass`,
      [`bank.${name}`],
    )
    return rows[0]
  }
  const second = await shape('notification_2')
  expect(second).toEqual(await shape('notification_1'))
  expect(second.keys).toEqual(['FOREIGN KEY (customer_id) REFERENCES bank.customer(id)', 'PRIMARY KEY (id)'])
  const names = await owner.query(
    `SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = 'bank.notification_2'::regclass ORDER BY 1`,
  )
  expect(names.rows.map(({ name }) => name)).toEqual(
    ['age', 'customer', 'pkey', 'unread'].map((name) => `bank.notification_${name}`),
  )
  // The serving role writes into the current period and cannot choose another.
  const write = (columns: string, values: string) =>
    bank.deps.pool.query(
      `INSERT INTO bank.notification (id, customer_id, kind, params, created_at${columns})
       VALUES (gen_random_uuid(), $1, 'x', '{}', now()${values})`,
      [customerId],
    )
  await write('', '')
  await expect(write(', period', ', 1')).rejects.toMatchObject({ code: '42501' })
  for (const text of [
    'UPDATE bank.notification SET period = 1',
    'SELECT * FROM bank.notification_1',
    'SELECT bank.begin_notice_period()',
  ])
    await expect(bank.deps.pool.query(text)).rejects.toMatchObject({ code: '42501' })
})

test('a period of notices is due when its month is over and it is large enough', async () => {
  const { deps, server } = bank
  const run = runOn(deps.pool)
  await bank.tell(1)
  expect(await NOTICE_PERIODS.isDue(run)).toBe(false)
  expect(await beginPeriod(deps, NOTICE_PERIODS)).toBeNull()
  await runAsOwner(server.database.ownerUrl, `UPDATE bank.notice_period SET began_at = now() - interval '32 days'`)
  expect(await NOTICE_PERIODS.isDue(run)).toBe(false)
  await sizeAllPeriods(runOn(bank.owner), { ledger: 8_192, notices: 8_192 })
  expect(await NOTICE_PERIODS.isDue(run)).toBe(true)
  // However many servers try at the same time, only one period begins.
  const answers = await Promise.all(Array.from({ length: 8 }, () => beginPeriod(deps, NOTICE_PERIODS)))
  expect(answers.filter((number) => number !== null)).toEqual([2])
  expect(await NOTICE_PERIODS.isDue(run)).toBe(false)
  expect(await beginPeriod(deps, NOTICE_PERIODS)).toBeNull()
})
