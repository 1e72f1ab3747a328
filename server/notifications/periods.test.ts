import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Notice } from '#contract/notifications.ts'
import { beginPeriod } from '#server/periods/jobs.ts'
import { sizeAllPeriods } from '#server/periods/sizes.ts'
import { dropNoticePeriods, NOTICE_PERIODS, noticePeriods } from '#server/notifications/periods.ts'
import { listNotices, readOne, readUpTo } from '#server/notifications/reading.ts'
import { purgeNotices } from '#server/notifications/retention.ts'
import { notify, unreadCount } from '#server/notifications/service.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { errorCode, runIn, runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { runAsOwner } from '#server/test/database.ts'
import { type PeopleServer, peopleServer, type Person } from '#server/test/people.ts'
import { tries } from '../../scripts/strength.ts'

/**
 * The property: reading, marking and removing notices has the same result in many periods as in one. No notice is lost or doubled
 * when a period begins while servers write, and dropping a period removes no notice that is still kept.
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
  const ann: Person = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
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
      // Ids say in which millisecond each was written.
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

/** Begins a period as soon as it gets its locks. */
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

/** What a customer and the bank may do; each answers what they find, in words that are the same in both banks. */
type Step = (of: Bank) => Promise<unknown>

const whole: Step = async ({ list, deps, customerId }) => {
  const { notices } = await list()
  return [notices.map((one) => [amountOf(one), one.createdAt, one.readAt]), await unreadCount(deps, customerId)]
}

const paged =
  (limit: number): Step =>
  async ({ list }) => {
    const found: number[][] = []
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Awaited<ReturnType<Bank['list']>> = await list({ limit, ...(cursor !== undefined && { cursor }) })
      found.push(page.notices.map(amountOf))
      cursor = page.nextCursor
    }
    return found
  }

const marked =
  (at: number, mark: typeof readOne): Step =>
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

/** A step by chance, the same for both banks. */
function someStep(turn: number): Step {
  const [kind, at] = [Math.random(), Math.floor(Math.random() * 50)]
  const daysAgo = Math.random() < 0.2 ? Math.random() * 300 : 0
  if (kind < 0.6)
    return ({ tell, clock }) =>
      tell(turn, new Date(clock.businessNow().getTime() - Math.round(daysAgo * DAY_MS) + turn))
  if (kind < 0.7) return paged(1 + (at % 7))
  if (kind < 0.8) return marked(at, readOne)
  if (kind < 0.85) return marked(at, readUpTo)
  return purged([1, 30, 90, 200][at % 4] ?? 1)
}

test('lists, counts, marks and removals come to the same in many periods as in one', { timeout: 300_000 }, async () => {
  const one = await openBank()
  try {
    for (let turn = 1; turn <= tries(400); turn += 1) {
      if (turn % 7 === 0) await bank.begin()
      const step = someStep(turn)
      expect(await step(bank)).toEqual(await step(one))
      expect(await whole(bank)).toEqual(await whole(one))
    }
    const periods = await noticePeriods(bank.deps)
    expect(periods.at(-1)).toBeGreaterThan(3)
    expect(await noticePeriods(one.deps)).toEqual([1])
    // Years later nothing is left, and no period but that under way.
    expect(await purged(800)(bank)).toEqual(await purged(800)(one))
    expect([await whole(bank), await noticePeriods(bank.deps)]).toEqual([[[], 0], periods.slice(-1)])
    expect(await partitions(bank)).toEqual([`notification_${periods.at(-1)}`])
  } finally {
    await one.close()
  }
})

async function partitions({ owner }: Bank): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      WHERE inhparent = 'bank.notification'::regclass ORDER BY relname`,
  )
  return rows.map(({ name }) => name)
}

/** How a server of level 0447 writes a notice, removes what is old, and marks what was read. */
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

test('periods begin while servers write, an older one among them: each notice is there once, in one period', async () => {
  const { deps, customerId, owner } = bank
  // The older server's statements are prepared once, before the first period ends.
  const older = new pg.Client({ connectionString: bank.server.database.appUrl })
  await older.connect()
  const told: string[] = []
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
      told.push(id)
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
  expect(ids).toHaveLength(told.length + count)
  expect(told.filter((id) => !ids.includes(id))).toEqual([])
  expect(new Set(rows.map(({ period }) => period)).size).toBeGreaterThan(3)
  expect(await unreadCount(deps, customerId)).toBe(ids.length)
  const read = await older.query(OLDER.mark, [customerId, START, told[0]])
  expect(read.rows).toEqual([{ id: told[0] }])
  expect((await older.query(OLDER.purge, [new Date(START.getTime() + 1)])).rowCount).toBe(ids.length)
  await older.end()
})

test('a period goes once all of it is old, and one that has anything younger loses only what is old', async () => {
  const { tell, clock, deps } = bank
  const daysAgo = (days: number) => new Date(START.getTime() - days * DAY_MS)
  await tell(1, daysAgo(200))
  await tell(2, daysAgo(100))
  await bank.begin()
  // Told later about an earlier moment.
  await tell(3, daysAgo(300))
  await tell(4)
  await bank.begin()
  await tell(5)
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
  // The period under way stays, whatever is in it.
  expect([await amounts(bank), await noticePeriods(deps)]).toEqual([[], [3]])
})

test('a period that somebody reads does not go, and nobody waits for it', { timeout: 90_000 }, async () => {
  await bank.tell(1)
  await bank.begin()
  const reader = await bank.deps.pool.connect()
  await reader.query('BEGIN; SELECT count(*) FROM bank.notification')
  const before = new Date(START.getTime() + DAY_MS)
  // An error reaches the client a moment before PostgreSQL lets the locks go, and the next call then finds another drop under way.
  const errorOfDrop = () =>
    runIn(bank.deps.db)('SELECT bank.drop_notice_period($1)', [before]).then(
      () => null,
      (error: unknown) => error,
    )
  await expect.poll(errorOfDrop).toMatchObject({ code: '55P03' })
  await reader.query('COMMIT')
  reader.release()
  // As a vacuum of the period does, for as long as it takes: a drop gives up there, before it asks for the customers' lock.
  await bank.owner.query('BEGIN; LOCK TABLE bank.notification_1 IN SHARE UPDATE EXCLUSIVE MODE')
  await expect.poll(errorOfDrop).toMatchObject({
    code: '55P03',
    where: expect.stringContaining('LOCK TABLE ONLY bank.notification_1 IN SHARE UPDATE EXCLUSIVE MODE'),
  })
  await bank.owner.query('COMMIT')
  await expect.poll(() => dropNoticePeriods(bank.deps, before), { timeout: 60_000 }).toEqual([1])
})

test('a new period is set and guarded as the one before, and its indexes have the names of old', async () => {
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
  // Who serves writes into the period under way, and cannot say which.
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

test('a period of notices is due once its month is over and it is large enough', async () => {
  const { deps, server } = bank
  const run = runOn(deps.pool)
  await bank.tell(1)
  expect(await NOTICE_PERIODS.isDue(run)).toBe(false)
  expect(await beginPeriod(deps, NOTICE_PERIODS)).toBeNull()
  await runAsOwner(server.database.ownerUrl, `UPDATE bank.notice_period SET began_at = now() - interval '32 days'`)
  expect(await NOTICE_PERIODS.isDue(run)).toBe(false)
  await sizeAllPeriods(runOn(bank.owner), { ledger: 8_192, notices: 8_192 })
  expect(await NOTICE_PERIODS.isDue(run)).toBe(true)
  // However many servers ask, one period begins.
  const answers = await Promise.all(Array.from({ length: 8 }, () => beginPeriod(deps, NOTICE_PERIODS)))
  expect(answers.filter((number) => number !== null)).toEqual([2])
  expect(await NOTICE_PERIODS.isDue(run)).toBe(false)
  expect(await beginPeriod(deps, NOTICE_PERIODS)).toBeNull()
})
