import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TopUpMethod } from '#contract/accounts.ts'
import { askProviderJob } from '#server/rails/jobs.ts'
import { connectAsOwner } from '#server/platform/db/database-identity.ts'
import { type Run, runOn } from '#server/platform/db/run.ts'
import { holdBack, releaseHold } from '#server/platform/restore-hold.ts'
import { testClock } from '#server/test/bank.ts'
import { authorizationRequest, outcomeOf, plasticOf, SCHEME_SECRET, sendCardMessage } from '#server/test/card-scheme.ts'
import { auditTestBooks, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const clock = testClock()
/** `before`: the bank before the loss. `restored`: the server that opens the restored database. */
let before: PeopleServer
let restored: PeopleServer | undefined
let rail: TestRail
let ann: TestPerson
beforeAll(async () => {
  rail = await openRail(() => clock.realNow())
  before = await peopleServer({ clock, config: config() })
  ann = await before.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
})
afterAll(async () => {
  await restored?.close()
  await auditTestBooks(before)
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

test('notices from a provider and shops to a held bank are refused, so that they are retried, and processed once after the release', async () => {
  await before.deps.pool.query('UPDATE bank.customer SET verified_at = now()')
  await ann.fund(100_00)
  expect((await ann.browser.post('/api/v1/cards/main')).status).toBe(200)
  const { rows } = await before.deps.pool.query('SELECT id FROM bank.card')
  const plastic = await plasticOf(before.deps, ann.customer.id, String(rows[0].id))
  const topUp = { amountMinor: 80_00, asset: 'USD', method: 'card' }
  const answer = await ann.browser.post('/api/v1/top-ups', topUp, { key: randomUUID() })
  const { transaction } = (await answer.json()) as { transaction: { id: string } }
  await askProviderJob.work(before.deps, { operationId: transaction.id })
  expect(rail.requests).toHaveLength(1)

  await asOwner((run) => holdBack(run, '2026-08-28T09:00:00Z'))
  restored = await peopleServer({ clock, config: config(), beside: { database: before.database } })
  const url = restored.url
  const event = {
    eventId: randomUUID(),
    type: 'collection.confirmed',
    id: transaction.id,
    amountMinor: 80_00,
    asset: 'USD',
  }
  const payment = authorizationRequest(plastic, { amountMinor: 40_00 })
  const tellEvent = () => rail.tell(`${url}/hooks/rails`, event)
  const tellPayment = () => sendCardMessage(restored as PeopleServer, payment)
  const readKnown = async () => ({
    books: await auditTestBooks(before),
    rows: (
      await before.deps.pool.query(`SELECT (SELECT count(*) FROM bank.card_message) AS messages,
        (SELECT count(*) FROM bank.card_authorisation) AS payments, (SELECT count(*) FROM bank.rail_event) AS events`)
    ).rows,
  })
  const knownBefore = await readKnown()
  for (let times = 0; times < 2; times += 1) {
    const refusal = await tellEvent()
    expect(refusal.status).toBe(503)
    expect(refusal.headers.get('retry-after')).not.toBeNull()
    const delivery = await tellPayment()
    expect(delivery.status).toBe(503)
    expect(await outcomeOf(delivery)).toBe('unavailable')
  }
  expect(await readKnown()).toEqual(knownBefore)

  await asOwner((run) => releaseHold(run, ['changes']))
  await expect.poll(async () => (await tellEvent()).status, { timeout: 10_000 }).toBe(200)
  expect((await tellEvent()).status).toBe(200)
  expect(await outcomeOf(tellPayment())).toBe('approved')
  expect(await outcomeOf(tellPayment())).toBe('approved')
  const { account } = await ann.dashboard()
  expect(account.availableMinor).toBe(100_00 + 80_00 - 40_00)
})
