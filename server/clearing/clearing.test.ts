import { randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Cell } from '#server/clearing/cells.ts'
import { compare } from '#server/clearing/comparing.ts'
import { makeJournal } from '#server/clearing/journal.ts'
import { type RunningClearing, serveClearing } from '#server/clearing/serving.ts'
import { netsOf, settle } from '#server/clearing/settling.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { sign } from '#server/platform/signature.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const SOUTH = '021000021'

let database: TestDatabase
let pool: Pool
let clearing: RunningClearing
/** Each bank, as the clearing finds it: whatever it is told it has, unless told otherwise. */
let banks: { north: TestRail; south: TestRail }
let cells: Cell[]
let said: string[]

beforeEach(async () => {
  database = await testDatabase('template0')
  pool = openPool(database.ownerUrl, { max: 6 })
  banks = { north: await openRail(), south: await openRail() }
  for (const bank of Object.values(banks)) bank.behave((outgoing) => void outgoing.writeHead(200).end())
  cells = [
    { name: 'north', routingNumber: '011000015', hooksUrl: `${banks.north.url}/hooks`, secret: banks.north.secret },
    { name: 'south', routingNumber: SOUTH, hooksUrl: `${banks.south.url}/hooks`, secret: banks.south.secret },
  ]
  said = []
  clearing = await serveClearing(pool, { databaseUrl: database.ownerUrl, port: 0, cells }, (one) => void said.push(one))
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

async function ask(name: 'north' | 'south', what: string, message: object | string, secret = banks[name].secret) {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const { timestamp, signature } = sign(secret, body, new Date())
  const headers = { 'alder-timestamp': timestamp, 'alder-signature': signature }
  const answer = await fetch(`http://localhost:${clearing.port}/${name}/${what}`, { method: 'POST', headers, body })
  return answer.status
}

const told = (name: 'north' | 'south') => banks[name].asked as unknown as Record<string, unknown>[]
const idsOf = async () => (await pool.query<{ id: string }>('SELECT id FROM clearing.payment')).rows.map(({ id }) => id)
const steps = async () => (await pool.query('SELECT next_step FROM clearing.payment')).rows.map((row) => row.next_step)
const areDone = async () => await expect.poll(steps).toEqual(['none'])

test('what one cell pays out comes in at the other, and then its sender is told', async () => {
  const payout = payoutOf()
  expect(await ask('north', 'payouts', payout)).toBe(202)
  await areDone()
  const [id] = await idsOf()
  expect(id).not.toBe(payout.id)
  expect(told('south')).toEqual([
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
  expect(told('north')).toEqual([
    expect.objectContaining({ signed: true, type: 'payout.settled', id: payout.id, amountMinor: 60_00 }),
  ])
})

test('a payout is one payment, however often and however many at a time it is asked for', async () => {
  const payout = payoutOf()
  const asked = await Promise.all(Array.from({ length: 8 }, () => ask('north', 'payouts', payout)))
  expect(asked).toEqual(Array.from({ length: 8 }, () => 202))
  await areDone()
  expect(told('south')).toHaveLength(1)
  // The id is the sender's own: another cell may have the same.
  const to = { ...payout.to, routingNumber: '011000015' }
  expect(await ask('south', 'payouts', { ...payout, to })).toBe(202)
  await expect.poll(steps).toEqual(['none', 'none'])
})

test('a payout with other terms is neither done nor refused for good: its sender would take the money back', async () => {
  const payout = payoutOf()
  const { to } = payout
  const others = [
    { ...payout, amountMinor: 60_01 },
    { ...payout, to: { ...to, accountNumber: '482913370653' } },
    { ...payout, to: { ...to, routingNumber: '122105155' } },
    { id: payout.id },
  ]
  expect(await ask('north', 'payouts', payout)).toBe(202)
  for (const other of others) expect(await ask('north', 'payouts', other)).toBe(409)
  // A name may have been changed between two tries.
  expect(await ask('north', 'payouts', { ...payout, payerName: 'Ann Lee-Ng' })).toBe(202)
  const racing = payoutOf()
  const more = { ...racing, amountMinor: 1 }
  const answers = await Promise.all([ask('north', 'payouts', racing), ask('north', 'payouts', more)])
  expect(answers.toSorted()).toEqual([202, 409])
})

test.each([
  ['a bank that takes no part', { to: { routingNumber: '122105155', accountNumber: '1234' } }],
  ['the cell itself', { to: { routingNumber: '011000015', accountNumber: '1234' } }],
  ['nothing', { amountMinor: 0 }],
  ['more than a transfer brings', { amountMinor: 100_000_000_00 }],
  ['a part of a cent', { amountMinor: 0.5 }],
  ['another currency', { asset: 'EUR' }],
  ['nobody', { payerName: ' ' }],
  ['a name that its bank would refuse', { payerName: 'x'.repeat(81) }],
  ['no account', { to: { routingNumber: SOUTH } }],
])('%s is never paid', async (_, change) => {
  expect(await ask('north', 'payouts', payoutOf(change))).toBe(422)
  expect(await idsOf()).toEqual([])
})

test('nobody asks for another, and what cells do not do for each other is never done', async () => {
  expect(await ask('north', 'payouts', payoutOf(), banks.south.secret)).toBe(401)
  expect(await ask('north', 'collections', payoutOf())).toBe(422)
  expect(await ask('north', 'payouts', 'no JSON')).toBe(400)
  expect(await ask('north', 'payouts', JSON.stringify(payoutOf()).replace('{', '{"amountMinor":1,'))).toBe(400)
  expect(await ask('north', 'payouts', payoutOf({ id: '12' }))).toBe(400)
  expect(await ask('north', 'payouts', 'x'.repeat(20_000))).toBe(413)
  const get = await fetch(`http://localhost:${clearing.port}/north/payouts`)
  expect(get.status).toBe(404)
  expect(await idsOf()).toEqual([])
})

test('a cell that is away is told again, the same under the same name, and its sender only then', async () => {
  let tries = 0
  banks.south.behave((outgoing) => void outgoing.writeHead((tries += 1) < 3 ? 503 : 200).end('away'))
  expect(await ask('north', 'payouts', payoutOf())).toBe(202)
  await areDone()
  const events = told('south')
  expect(events).toHaveLength(3)
  expect(events[1]).toEqual(events[0])
  expect(events[2]).toEqual(events[0])
  expect(told('north')).toHaveLength(1)
  expect(said).toEqual(['south: 503 away'])
})

test.each([
  ['what no text may have', 500, 'away\0now', /^500 away now$/],
  ['more than anybody reads', 503, 'x'.repeat(5_000_000), /^503 x{200}$/],
  ['that it may do so later', 202, '{}', /^202 {}$/],
  ['nothing', 204, '', /^204 $/],
])('a cell that answers %s has not done it, and is asked less and less often', async (_, status, body, answer) => {
  banks.south.behave((outgoing) => void outgoing.writeHead(status).end(body))
  expect(await ask('north', 'payouts', payoutOf())).toBe(202)
  const row = async () => (await pool.query('SELECT next_step, tries, last_answer FROM clearing.payment')).rows[0]
  await expect
    .poll(row)
    .toEqual({ next_step: 'deliver', tries: expect.any(Number), last_answer: expect.stringMatching(answer) })
  expect(told('north')).toEqual([])
})

test('what cannot be credited comes back with a reason, once, and never by anybody but its receiver', async () => {
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
  const [, returned, ...others] = told('north')
  expect(others).toEqual([])
  expect(returned).toMatchObject({ type: 'payout.returned', id: payout.id, amountMinor: 60_00, reason: 'refused' })
})

test('what comes back before its receiver has answered was received', async () => {
  const payout = payoutOf()
  banks.south.behave((outgoing, { id, amountMinor }) => {
    const back = { id, amountMinor, asset: 'USD', reason: 'account_closed' }
    void ask('south', 'returns', back).then(() => outgoing.writeHead(200).end())
  })
  expect(await ask('north', 'payouts', payout)).toBe(202)
  await areDone()
  expect(told('north')).toMatchObject([{ type: 'payout.returned', reason: 'account_closed' }])
  expect((await settle(pool, '2026-11-28')).positions).toEqual([])
})

describe('a settlement', () => {
  const netsOn = async (day: string) =>
    (await settle(pool, day)).positions.map(({ cell, netMinor }) => [cell, netMinor])

  test('is made once for each day, by however many; what one cell pays another receives, and both are told', async () => {
    const back = { ...payoutOf({ amountMinor: 25_00 }), to: { routingNumber: '011000015', accountNumber: '1234' } }
    await ask('north', 'payouts', payoutOf())
    await ask('south', 'payouts', back)
    await expect.poll(steps).toEqual(['none', 'none'])
    const settled = await Promise.all(Array.from({ length: 4 }, () => settle(pool, '2026-11-28')))
    expect(settled.filter(({ isNew }) => isNew)).toHaveLength(1)
    const nets = [
      ['north', -35_00],
      ['south', 35_00],
    ]
    expect(await netsOn('2026-11-28')).toEqual(nets)
    await expect.poll(async () => (await settle(pool, '2026-11-28')).positions.every(({ isTold }) => isTold)).toBe(true)
    const last = (name: 'north' | 'south') => told(name).at(-1)
    expect(last('north')).toMatchObject({ type: 'settlement.paid', amountMinor: 35_00, asset: 'USD' })
    expect(last('south')).toMatchObject({ type: 'settlement.received', amountMinor: 35_00, asset: 'USD' })
    expect(await netsOn('2026-11-29')).toEqual([])
  })

  test('leaves out what is on its way, and takes back what came back after it was settled', async () => {
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

  test('adds up to nothing over all cells', () => {
    const moved = [
      { sender: 'a', receiver: 'b', amount_minor: 5 },
      { sender: 'b', receiver: 'c', amount_minor: 7 },
      { sender: 'c', receiver: 'a', amount_minor: 1 },
    ]
    expect([...netsOf(moved)]).toEqual([
      ['a', -4],
      ['b', -2],
      ['c', 6],
    ])
  })
})

test('the comparison names what the books of a cell do not have, and says how much they explain', async () => {
  const books = await testDatabase()
  const compared = async () => (await compare(pool, [{ ...cells[0], databaseUrl: books.ownerUrl } as Cell]))[0]
  const agrees = { owedMinor: 0, journalOwedMinor: 0, centralMinor: 0, journalCentralMinor: 0, differences: [] }
  expect(await compared()).toEqual({ cell: 'north', ...agrees, unexplainedMinor: 0 })
  const payout = payoutOf()
  expect(await ask('north', 'payouts', payout)).toBe(202)
  await areDone()
  const difference = `payout ${payout.id} of 6000 cents: north says unknown, the journal settled`
  const known = { journalOwedMinor: 60_00, differences: [difference], unexplainedMinor: 0 }
  expect(await compared()).toMatchObject(known)
  banks.north.behave((outgoing) => void outgoing.writeHead(404).end('not found'))
  await settle(pool, '2026-11-28')
  expect(await compared()).toMatchObject({
    journalCentralMinor: -60_00,
    differences: ['the settlement of 2026-11-28: north has not been told'],
  })
  await books.drop()
})

test('two that start at the same moment make one journal', async () => {
  const other = await testDatabase('template0')
  const own = openPool(other.ownerUrl, { max: 4 })
  await Promise.all([makeJournal(own), makeJournal(own), makeJournal(own)])
  expect((await own.query('SELECT * FROM clearing.payment')).rows).toEqual([])
  await own.end()
  await other.drop()
})
