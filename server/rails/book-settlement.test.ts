import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountsById } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { runOn } from '#server/platform/db/run.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }
let rail: TestRail
let server: PeopleServer

beforeAll(async () => {
  rail = await openRail(() => START)
  const config = { mode: 'live' as const, rail: { url: rail.url, secret: rail.secret, methods: [], timeoutMs: 200 } }
  server = await peopleServer({ clock, config })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
  await rail.close()
})

const sendEvent = (event: object) => rail.tell(`${server.url}/hooks/rails`, event)
const settled = (type: 'settlement.paid' | 'settlement.received', amountMinor: number, change: object = {}) => ({
  eventId: randomUUID(),
  type,
  id: randomUUID(),
  amountMinor,
  asset: 'USD',
  ...change,
})

/** Returns the bank's debt to its provider and its balance at the central bank, in US cents. */
async function readState() {
  const [clearing, central] = await accountsById(runOn(server.deps.pool), [
    bankAccount('ach_clearing'),
    bankAccount('settlement_account'),
  ])
  return { owed: clearing?.balanceMinor, central: 0 - (central?.balanceMinor ?? 0) }
}

test('a settled payment is no longer owed by the payer’s bank, nor to the receiving bank', async () => {
  expect((await sendEvent(settled('settlement.paid', 50_00))).status).toBe(200)
  expect(await readState()).toEqual({ owed: -50_00, central: -50_00 })
  expect((await sendEvent(settled('settlement.received', 70_00))).status).toBe(200)
  expect(await readState()).toEqual({ owed: 20_00, central: 20_00 })
  expect((await sendEvent(settled('settlement.paid', 20_00))).status).toBe(200)
  expect(await readState()).toEqual({ owed: 0, central: 0 })
})

test('a settlement is booked once for any number of notices and ids', async () => {
  const event = settled('settlement.received', 12_34)
  const responses = await Promise.all([event, event, { ...event, eventId: randomUUID() }].map(sendEvent))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(await readState()).toEqual({ owed: 12_34, central: 12_34 })
  await expectRefusal(await sendEvent({ ...event, amountMinor: 12_35 }), 'collection_mismatch', 'eventId')
  const changes = [{ amountMinor: 12_35 }, { type: 'settlement.paid' }]
  for (const change of changes)
    await expectRefusal(await sendEvent({ ...event, eventId: randomUUID(), ...change }), 'collection_mismatch', 'id')
  expect(await readState()).toEqual({ owed: 12_34, central: 12_34 })
})

test('an invalid settlement is refused, with the field’s name', async () => {
  for (const amountMinor of [0, -1, 0.5, 2 ** 60])
    await expectRefusal(await sendEvent(settled('settlement.paid', amountMinor)), 'amount_invalid', 'amountMinor')
  await expectRefusal(await sendEvent(settled('settlement.paid', 1, { asset: 'BTC' })), 'request_invalid', 'asset')
  await expectRefusal(await sendEvent(settled('settlement.paid', 1, { day: '2026-11-28' })), 'request_invalid', 'day')
})
