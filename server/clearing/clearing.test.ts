import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Cell } from '#server/clearing/cells.ts'
import { reconcile } from '#server/clearing/reconciliation.ts'
import { createJournal } from '#server/clearing/journal.ts'
import { type RunningClearing, serveClearing } from '#server/clearing/server.ts'
import { netPositionsOf, settleDay } from '#server/clearing/net-settlement.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { sign } from '#server/platform/signature.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const SOUTH = '021000021'

let database: TestDatabase
let pool: Pool
let clearing: RunningClearing
/** The test banks of the cells. By default each bank confirms every event. */
let banks: { north: TestRail; south: TestRail }
let cells: Cell[]
let messages: string[]

beforeEach(async () => {
  database = await testDatabase('template0')
  pool = openPool(database.ownerUrl, { max: 6 })
  banks = { north: await openRail(), south: await openRail() }
  for (const bank of Object.values(banks)) bank.behave((outgoing) => void outgoing.writeHead(200).end())
  cells = [
    { name: 'north', routingNumber: '011000015', hooksUrl: `${banks.north.url}/hooks`, secret: banks.north.secret },
    { name: 'south', routingNumber: SOUTH, hooksUrl: `${banks.south.url}/hooks`, secret: banks.south.secret },
  ]
  messages = []
  clearing = await serveClearing(
    pool,
    { databaseUrl: database.ownerUrl, port: 0, cells },
    (one) => void messages.push(one),
  )
})
afterEach(async () => {
  await clearing.stop()
  await pool.end()
  await Promise.all(Object.values(banks).map((bank) => bank.close()))
  await database.drop()
})

const payoutOf = (change: object = {}) => ({
  id: randomUUID(),
  customerId: randomUUID(),
  payerName: 'Ann Lee',
  amountMinor: 60_00,
  asset: 'USD',
  to: { holderName: 'Ben Ng', routingNumber: SOUTH, accountNumber: '482913370652' },
  callbackUrl: 'http://localhost:1/hooks/rails',
  ...change,
})

async function ask(name: 'north' | 'south', resource: string, message: object | string, secret = banks[name].secret) {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const { timestamp, signature } = sign(secret, body, new Date())
  const headers = { 'alder-timestamp': timestamp, 'alder-signature': signature }
  const answer = await fetch(`http://localhost:${clearing.port}/${name}/${resource}`, { method: 'POST', headers, body })
  return answer.status
}

const receivedEvents = (name: 'north' | 'south') => banks[name].requests as unknown as Record<string, unknown>[]
const idsOf = async () => (await pool.query<{ id: string }>('SELECT id FROM clearing.payment')).rows.map(({ id }) => id)
const steps = async () => (await pool.query('SELECT next_step FROM clearing.payment')).rows.map((row) => row.next_step)
const areDone = async () => await expect.poll(steps).toEqual(['none'])

test('a payout of one cell arrives at the other, and then its sender is notified', async () => {
  const payout = payoutOf()
  expect(await ask('north', 'payouts', payout)).toBe(202)
  await areDone()
  const [id] = await idsOf()
  expect(id).not.toBe(payout.id)
  expect(receivedEvents('south')).toEqual([
    expect.objectContaining({
      signed: true,
      type: 'transfer.received',
      id,
      accountNumber: '482913370652',
      payerName: 'Ann Lee',
      amountMinor: 60_00,
      asset: 'USD',
    }),
  ])
  expect(receivedEvents('north')).toEqual([
    expect.objectContaining({ signed: true, type: 'payout.settled', id: payout.id, amountMinor: 60_00 }),
  ])
})

test('a payout is made once for any number of requests, sequential or simultaneous', async () => {
  const payout = payoutOf()
  const responses = await Promise.all(Array.from({ length: 8 }, () => ask('north', 'payouts', payout)))
  expect(responses).toEqual(Array.from({ length: 8 }, () => 202))
  await areDone()
  expect(receivedEvents('south')).toHaveLength(1)
  // The id is unique per sender: another cell may use the same one.
  const otherReceiver = { ...payout.to, routingNumber: '011000015' }
  expect(await ask('south', 'payouts', { ...payout, to: otherReceiver })).toBe(202)
  await expect.poll(steps).toEqual(['none', 'none'])
})

test('a payout with different terms is neither made nor refused permanently, because the sender would take the money back', async () => {
  const payout = payoutOf()
  const { to: receiver } = payout
  const otherPayouts = [
    { ...payout, amountMinor: 60_01 },
    { ...payout, to: { ...receiver, accountNumber: '482913370653' } },
    { ...payout, to: { ...receiver, routingNumber: '122105155' } },
    { id: payout.id },
  ]
  expect(await ask('north', 'payouts', payout)).toBe(202)
  for (const other of otherPayouts) expect(await ask('north', 'payouts', other)).toBe(409)
  // The payer's name may have changed between two tries.
  expect(await ask('north', 'payouts', { ...payout, payerName: 'Ann Lee-Ng' })).toBe(202)
  const racing = payoutOf()
  const more = { ...racing, amountMinor: 1 }
  const answers = await Promise.all([ask('north', 'payouts', racing), ask('north', 'payouts', more)])
  expect(answers.toSorted()).toEqual([202, 409])
})

test.each([
  ['a bank outside the clearing', { to: { routingNumber: '122105155', accountNumber: '1234' } }],
  ['the cell itself', { to: { routingNumber: '011000015', accountNumber: '1234' } }],
  ['nothing', { amountMinor: 0 }],
  ['more than a transfer brings', { amountMinor: 100_000_000_00 }],
  ['a part of a cent', { amountMinor: 0.5 }],
  ['another currency', { asset: 'EUR' }],
  ['nobody', { payerName: ' ' }],
  ['a name that the receiving bank would refuse', { payerName: 'x'.repeat(81) }],
  ['no account', { to: { routingNumber: SOUTH } }],
])('%s is never paid', async (_, change) => {
  expect(await ask('north', 'payouts', payoutOf(change))).toBe(422)
  expect(await idsOf()).toEqual([])
})

test('no cell sends requests for another, and unsupported operations are refused', async () => {
  expect(await ask('north', 'payouts', payoutOf(), banks.south.secret)).toBe(401)
  expect(await ask('north', 'collections', payoutOf())).toBe(422)
  expect(await ask('north', 'payouts', 'no JSON')).toBe(400)
  expect(await ask('north', 'payouts', JSON.stringify(payoutOf()).replace('{', '{"amountMinor":1,'))).toBe(400)
  expect(await ask('north', 'payouts', payoutOf({ id: '12' }))).toBe(400)
  expect(await ask('north', 'payouts', 'x'.repeat(20_000))).toBe(413)
  const response = await fetch(`http://localhost:${clearing.port}/north/payouts`)
  expect(response.status).toBe(404)
  expect(await idsOf()).toEqual([])
})

test('messages to an unavailable cell are retried under the same id, and the sender is notified only afterwards', async () => {
  let tries = 0
  banks.south.behave((outgoing) => void outgoing.writeHead((tries += 1) < 3 ? 503 : 200).end('away'))
  expect(await ask('north', 'payouts', payoutOf())).toBe(202)
  await areDone()
  const events = receivedEvents('south')
  expect(events).toHaveLength(3)
  expect(events[1]).toEqual(events[0])
  expect(events[2]).toEqual(events[0])
  expect(receivedEvents('north')).toHaveLength(1)
  expect(messages).toEqual(['south: 503 away'])
})

test.each([
  ['text with a NUL character', 500, 'away\0now', /^500 away now$/],
  ['a body longer than the maximum', 503, 'x'.repeat(5_000_000), /^503 x{200}$/],
  ['202 Accepted', 202, '{}', /^202 {}$/],
  ['nothing', 204, '', /^204 $/],
])(
  'a cell that answers %s counts as not having done it, and retries become less frequent',
  async (_, status, body, answer) => {
    banks.south.behave((outgoing) => void outgoing.writeHead(status).end(body))
    expect(await ask('north', 'payouts', payoutOf())).toBe(202)
    const row = async () => (await pool.query('SELECT next_step, tries, last_answer FROM clearing.payment')).rows[0]
    await expect
      .poll(row)
      .toEqual({ next_step: 'deliver', tries: expect.any(Number), last_answer: expect.stringMatching(answer) })
    expect(receivedEvents('north')).toEqual([])
  },
)

test('a transfer that cannot be credited is returned once with a reason, and only by its receiver', async () => {
  const payout = payoutOf()
  expect(await ask('north', 'payouts', payout)).toBe(202)
  await areDone()
  const [id] = await idsOf()
  const back = { id, amountMinor: 60_00, asset: 'USD', reason: 'balance_limit' }
  expect(await ask('north', 'returns', back)).toBe(404)
  expect(await ask('south', 'returns', { ...back, id: randomUUID() })).toBe(404)
  expect(await ask('south', 'returns', { ...back, amountMinor: 1 })).toBe(409)
  expect(await ask('south', 'returns', back)).toBe(202)
  expect(await ask('south', 'returns', { ...back, reason: 'account_closed' })).toBe(202)
  await areDone()
  const [, returnedEvent, ...otherEvents] = receivedEvents('north')
  expect(otherEvents).toEqual([])
  expect(returnedEvent).toMatchObject({ type: 'payout.returned', id: payout.id, amountMinor: 60_00, reason: 'refused' })
})

test('a transfer that is returned before its receiver has answered counts as received', async () => {
  const payout = payoutOf()
  banks.south.behave((outgoing, { id, amountMinor }) => {
    const back = { id, amountMinor, asset: 'USD', reason: 'account_closed' }
    void ask('south', 'returns', back).then(() => outgoing.writeHead(200).end())
  })
  expect(await ask('north', 'payouts', payout)).toBe(202)
  await areDone()
  expect(receivedEvents('north')).toMatchObject([{ type: 'payout.returned', reason: 'account_closed' }])
  expect((await settleDay(pool, '2026-11-28')).positions).toEqual([])
})

describe('a settlement', () => {
  const netsOn = async (day: string) =>
    (await settleDay(pool, day)).positions.map(({ cell, netMinor }) => [cell, netMinor])

  test('is made once per day on any number of requests, and both cells get matching amounts and notices', async () => {
    const back = { ...payoutOf({ amountMinor: 25_00 }), to: { routingNumber: '011000015', accountNumber: '1234' } }
    await ask('north', 'payouts', payoutOf())
    await ask('south', 'payouts', back)
    await expect.poll(steps).toEqual(['none', 'none'])
    const settled = await Promise.all(Array.from({ length: 4 }, () => settleDay(pool, '2026-11-28')))
    expect(settled.filter(({ isNew }) => isNew)).toHaveLength(1)
    const nets = [
      ['north', -35_00],
      ['south', 35_00],
    ]
    expect(await netsOn('2026-11-28')).toEqual(nets)
    await expect
      .poll(async () => (await settleDay(pool, '2026-11-28')).positions.every(({ isTold }) => isTold))
      .toBe(true)
    const last = (name: 'north' | 'south') => receivedEvents(name).at(-1)
    expect(last('north')).toMatchObject({ type: 'settlement.paid', amountMinor: 35_00, asset: 'USD' })
    expect(last('south')).toMatchObject({ type: 'settlement.received', amountMinor: 35_00, asset: 'USD' })
    expect(await netsOn('2026-11-29')).toEqual([])
  })

  test('excludes payments in transit, and reverses payments returned after their settlement', async () => {
    let isAway = false
    banks.south.behave((outgoing) => void outgoing.writeHead(isAway ? 503 : 200).end())
    await ask('north', 'payouts', payoutOf())
    await areDone()
    const [id] = await idsOf()
    isAway = true
    await ask('north', 'payouts', payoutOf({ amountMinor: 1_00 }))
    expect(await netsOn('2026-11-26')).toEqual([
      ['north', -60_00],
      ['south', 60_00],
    ])
    await ask('south', 'returns', { id, amountMinor: 60_00, asset: 'USD', reason: 'account_closed' })
    isAway = false
    await expect.poll(steps).toEqual(['none', 'none'])
    expect(await netsOn('2026-11-27')).toEqual([
      ['north', 59_00],
      ['south', -59_00],
    ])
    expect(await netsOn('2026-11-28')).toEqual([])
  })

  test('adds up to zero over all cells', () => {
    const movements = [
      { sender: 'a', receiver: 'b', amount_minor: 5 },
      { sender: 'b', receiver: 'c', amount_minor: 7 },
      { sender: 'c', receiver: 'a', amount_minor: 1 },
    ]
    expect([...netPositionsOf(movements)]).toEqual([
      ['a', -4],
      ['b', -2],
      ['c', 6],
    ])
  })
})

test('the comparison lists the operations missing from a cell’s books, with the amount they explain', async () => {
  const books = await testDatabase()
  const compared = async () => (await reconcile(pool, [{ ...cells[0], databaseUrl: books.ownerUrl } as Cell]))[0]
  const agrees = { owedMinor: 0, journalOwedMinor: 0, centralMinor: 0, journalCentralMinor: 0, differences: [] }
  expect(await compared()).toEqual({ cell: 'north', ...agrees, unexplainedMinor: 0 })
  const payout = payoutOf()
  expect(await ask('north', 'payouts', payout)).toBe(202)
  await areDone()
  const difference = `payout ${payout.id} of 6000 cents: north says unknown, the journal settled`
  const comparison = { journalOwedMinor: 60_00, differences: [difference], unexplainedMinor: 0 }
  expect(await compared()).toMatchObject(comparison)
  banks.north.behave((outgoing) => void outgoing.writeHead(404).end('not found'))
  await settleDay(pool, '2026-11-28')
  expect(await compared()).toMatchObject({
    journalCentralMinor: -60_00,
    differences: ['the settlement of 2026-11-28: north has not been notified'],
  })
  await books.drop()
})

test('two instances that start at the same moment write one journal', async () => {
  const otherDatabase = await testDatabase('template0')
  const otherPool = openPool(otherDatabase.ownerUrl, { max: 4 })
  await Promise.all([createJournal(otherPool), createJournal(otherPool), createJournal(otherPool)])
  expect((await otherPool.query('SELECT * FROM clearing.payment')).rows).toEqual([])
  await otherPool.end()
  await otherDatabase.drop()
})
