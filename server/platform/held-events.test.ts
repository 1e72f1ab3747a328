import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TopUpMethod } from '#contract/accounts.ts'
import { askProviderJob } from '#server/rails/jobs.ts'
import { connectAsOwner } from '#server/platform/db/record.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { hold, release } from '#server/platform/held.ts'
import { testClock } from '#server/test/bank.ts'
import { asked, outcomeOf, plasticOf, SCHEME_SECRET, tell } from '#server/test/card-scheme.ts'
import { books, type PeopleServer, peopleServer, type Person } from '#server/test/people.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const clock = testClock()
/** A bank as it was before the loss, and the server that opens its database restored. */
let before: PeopleServer
let restored: PeopleServer | undefined
let rail: TestRail
let ann: Person
beforeAll(async () => {
  rail = await openRail(() => clock.realNow())
  before = await peopleServer({ clock, config: config() })
  ann = await before.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
})
afterAll(async () => {
  await restored?.close()
  await books(before)
  await before.close()
  await rail.close()
})

function config() {
  const methods: TopUpMethod[] = ['card']
  const provider = { url: rail.url, secret: rail.secret, methods, timeoutMs: 1_000 }
  return { mode: 'live' as const, rail: provider, cardSchemeSecret: SCHEME_SECRET }
}

async function asOwner(work: (run: Run) => Promise<unknown>): Promise<void> {
  const client = await connectAsOwner(before.database.ownerUrl)
  await work(runOn(client))
  await client.end()
}

test('what a provider and shops tell a held bank is refused, so that they tell it again, and is done once after the release', async () => {
  await before.deps.pool.query('UPDATE bank.customer SET verified_at = now()')
  await ann.fund(100_00)
  expect((await ann.browser.post('/api/v1/cards/main')).status).toBe(200)
  const { rows } = await before.deps.pool.query('SELECT id FROM bank.card')
  const plastic = await plasticOf(before.deps, ann.customer.id, String(rows[0].id))
  const topUp = { amountMinor: 80_00, asset: 'USD', method: 'card' }
  const answer = await ann.browser.post('/api/v1/top-ups', topUp, { key: randomUUID() })
  const { transaction } = (await answer.json()) as { transaction: { id: string } }
  await askProviderJob.work(before.deps, { operationId: transaction.id })
  expect(rail.asked).toHaveLength(1)

  await asOwner((run) => hold(run, '2026-08-28T09:00:00Z'))
  restored = await peopleServer({ clock, config: config(), beside: { database: before.database } })
  const url = restored.url
  const event = {
    eventId: randomUUID(),
    type: 'collection.confirmed',
    id: transaction.id,
    amountMinor: 80_00,
    asset: 'USD',
  }
  const payment = asked(plastic, { amountMinor: 40_00 })
  const tellEvent = () => rail.tell(`${url}/hooks/rails`, event)
  const tellPayment = () => tell(restored as PeopleServer, payment)
  const known = async () => ({
    books: await books(before),
    rows: (
      await before.deps.pool.query(`SELECT (SELECT count(*) FROM bank.card_message) AS messages,
        (SELECT count(*) FROM bank.card_authorisation) AS payments, (SELECT count(*) FROM bank.rail_event) AS events`)
    ).rows,
  })
  const unchanged = await known()
  for (let times = 0; times < 2; times += 1) {
    const refused = await tellEvent()
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).not.toBeNull()
    const asking = await tellPayment()
    expect(asking.status).toBe(503)
    expect(await outcomeOf(asking)).toBe('unavailable')
  }
  expect(await known()).toEqual(unchanged)

  await asOwner((run) => release(run, ['changes']))
  await expect.poll(async () => (await tellEvent()).status, { timeout: 10_000 }).toBe(200)
  expect((await tellEvent()).status).toBe(200)
  expect(await outcomeOf(tellPayment())).toBe('approved')
  expect(await outcomeOf(tellPayment())).toBe('approved')
  const { account } = await ann.dashboard()
  expect(account.availableMinor).toBe(100_00 + 80_00 - 40_00)
})
