import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PeopleServer, type TestPerson, peopleServer } from '#server/test/people.ts'

/** A server that has become a standby keeps its connections open and refuses writes. */
let server: PeopleServer
let ann: TestPerson
let bob: TestPerson
beforeAll(async () => {
  server = await peopleServer()
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await ann.fund(100_00)
})
afterAll(() => server.close())

const DEMOTED = 3

/** Makes the next connections of the pools read-only, like those of a standby. */
async function demote(): Promise<void> {
  for (const { pool } of [server.deps.pools.payments, server.deps.pools.background]) {
    const clients = await Promise.all(Array.from({ length: DEMOTED }, () => pool.connect()))
    for (const client of clients) await client.query('SET default_transaction_read_only = on')
    for (const client of clients) client.release()
  }
}

test('refused writes are unavailable, not unexpected, and the connection that refused them is closed', async () => {
  await demote()
  const statuses: number[] = []
  const addGoal = () =>
    ann.browser.post(
      '/api/v1/goals',
      { name: 'Sea', icon: 'plane', targetMinor: 500_00, targetOn: null, lockedUntil: null },
      { key: randomUUID() },
    )
  for (let tries = 0; tries <= DEMOTED && statuses.at(-1) !== 200; tries += 1) {
    const response = await addGoal()
    statuses.push(response.status)
    if (response.status !== 200) expect(await response.json()).toMatchObject({ error: { code: 'unavailable' } })
  }
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([503]))
  expect(statuses.at(-1)).toBe(200)
})

test('an alert of a payment made in the meantime is kept, and written to the new primary', async () => {
  await demote()
  server.deps.alerts.add({
    customerId: bob.customer.id,
    kind: 'payment_received',
    params: { amountMinor: 1_00, asset: 'USD', name: 'Ann Lee', transactionId: randomUUID() },
  })
  await server.deps.alerts.flush()
  const readNotices = async () =>
    (await server.deps.pool.query('SELECT kind FROM bank.notification WHERE customer_id = $1', [bob.customer.id])).rows
  await expect.poll(readNotices, { timeout: 60_000 }).toEqual([{ kind: 'payment_received' }])
})
