import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TopUpMethod, Transaction } from '#contract/accounts.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectDebtsJob } from '#server/owed/collect-debts.ts'
import { owedOf } from '#server/owed/debts.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { defineSlice } from '#server/platform/slice.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { askProviderJob } from '#server/rails/jobs.ts'
import { overdueCollections } from '#server/rails/collections.ts'
import { overdueTopUpsJob } from '#server/rails/jobs.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const clock = { ...testClock(START), realNow: () => START }
let rail: TestRail
let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  rail = await openRail(() => START)
  const methods: TopUpMethod[] = ['card', 'bank']
  const config = { mode: 'live' as const, rail: { url: rail.url, secret: rail.secret, methods, timeoutMs: 200 } }
  server = await peopleServer({ clock, config })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
  await rail.close()
})
beforeEach(async () => {
  round += 1
  clock.set(START)
  ann = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
})
afterEach(() => {
  rail.requests.length = 0
  rail.behave((outgoing) => void outgoing.writeHead(202).end())
})

const topUp = (method: string, amountMinor = 80_00, key: string = randomUUID()) =>
  ann.browser.post('/api/v1/top-ups', { amountMinor, asset: 'USD', method }, { key })

async function pending(amountMinor = 80_00): Promise<string> {
  const answer = await topUp('card', amountMinor)
  expect(answer.status).toBe(200)
  const { transaction, settlesAt } = (await answer.json()) as { transaction: Transaction; settlesAt: string | null }
  expect(transaction).toMatchObject({ status: 'pending', amountMinor, balanceAfterMinor: null })
  expect(settlesAt).toBeNull()
  return transaction.id
}

const ask = (operationId: string) => askProviderJob.work(server.deps, { operationId })
const sweep = () => overdueTopUpsJob.work(server.deps)
/** Returns the number of overdue top-ups. */
const overdue = async () => (await overdueCollections(server.deps, null)).length
const hook = () => `${server.url}/hooks/rails`

const eventOf = (id: string, change: object = {}) => ({
  eventId: randomUUID(),
  type: 'collection.confirmed',
  id,
  amountMinor: 80_00,
  asset: 'USD',
  ...change,
})
const sendEvent = (id: string, change: object = {}) => rail.tell(hook(), eventOf(id, change))

/** Returns Ann's balance, the incoming amount, and the status of her newest transaction. */
async function state() {
  const { account, unreadNotifications } = await ann.dashboard()
  const [newest] = await ann.transactions()
  return {
    has: account.availableMinor,
    coming: account.incomingMinor,
    status: newest?.status,
    told: unreadNotifications,
  }
}
const WAITING = { has: 0, coming: 80_00, status: 'pending', told: 0 }
const THERE = { has: 80_00, coming: 0, status: 'completed', told: 1 }
const RETURNED = { has: 0, coming: 0, status: 'returned', told: 1 }

describe('a live bank', () => {
  test('offers the ways to add money that its rail supports, and no others', async () => {
    expect(await (await ann.browser.get('/api/v1/top-ups/methods')).json()).toEqual({
      methods: [
        { method: 'card', arrives: 'when_confirmed' },
        { method: 'bank', arrives: 'when_confirmed' },
      ],
    })
    const before = await auditTestBooks(server)
    await expectRefusal(await topUp('wallet'), 'method_unavailable', 'method')
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('without a rail accepts no money, and has no route for a provider', async () => {
    const bare = await peopleServer({ clock, config: { mode: 'live' } })
    const bob = await bare.person({ fullName: 'Bob May', email: 'bob@example.com' })
    expect(await (await bob.browser.get('/api/v1/top-ups/methods')).json()).toEqual({ methods: [] })
    for (const method of ['card', 'bank', 'wallet']) {
      const answer = await bob.browser.post('/api/v1/top-ups', { amountMinor: 80_00, asset: 'USD', method })
      await expectRefusal(answer, 'method_unavailable', 'method')
    }
    expect((await rail.tell(`${bare.url}/hooks/rails`, eventOf(randomUUID()))).status).toBe(404)
    expect(await bob.balanceMinor()).toBe(0)
    expect((await bare.deps.pool.query('SELECT FROM ledger.operation')).rowCount).toBe(0)
    await auditTestBooks(bare)
    await bare.close()
  })

  test('sends the provider a signed request under one key, and credits nothing until it confirms', async () => {
    const id = await pending()
    await ask(id)
    await ask(id)
    expect(rail.requests).toHaveLength(2)
    expect(rail.requests[0]).toMatchObject({
      id,
      key: id,
      method: 'card',
      amountMinor: 80_00,
      asset: 'USD',
      signed: true,
    })
    expect(rail.requests[1]).toEqual(rail.requests[0])
    expect(rail.requests[0]?.callbackUrl).toMatch(/\/hooks\/rails$/)
    expect(await state()).toEqual(WAITING)
    expect((await sendEvent(id)).status).toBe(200)
    expect(await state()).toEqual(THERE)
    await ask(id)
    expect(rail.requests).toHaveLength(2)
  })

  test('returns the same response to a repeated request, and sends one request to the provider', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 5 }, async () => (await topUp('card', 80_00, key)).text()))
    expect(new Set(answers).size).toBe(1)
    const { rows } = await server.deps.pool.query('SELECT key FROM graphile_worker.jobs WHERE key LIKE $1', [`%${key}`])
    expect(rows).toHaveLength(1)
  })

  test('releases the held money, with a notice, if the provider fails or refuses', async () => {
    const failed = await pending()
    await sendEvent(failed, { type: 'collection.failed' })
    expect(await state()).toEqual(RETURNED)
    rail.behave((outgoing) => void outgoing.writeHead(422).end())
    await ask(await pending())
    expect(await state()).toEqual({ ...RETURNED, told: 2 })
    // Neither of the two top-ups used up any of the day's limit.
    expect((await topUp('card', 1_000_00)).status).toBe(200)
  })

  test('gives up on a provider that never responds, at the deadline and not before', async () => {
    await pending()
    clock.set(new Date(START.getTime() + 7 * DAY_MS - 1))
    await sweep()
    expect(await state()).toEqual(WAITING)
    clock.set(new Date(START.getTime() + 7 * DAY_MS))
    await sweep()
    expect(await state()).toEqual(RETURNED)
    expect(await overdue()).toBe(0)
    await sweep()
    expect(await state()).toEqual(RETURNED)
  })

  test('books a late confirmation once, so that the customer does not lose the money', async () => {
    const id = await pending()
    await sendEvent(id, { type: 'collection.failed' })
    const late = eventOf(id)
    await Promise.all([rail.tell(hook(), late), rail.tell(hook(), late), sendEvent(id), sendEvent(id)])
    expect(await state()).toMatchObject({ has: 80_00, coming: 0 })
    // A confirmation is final. A later failure is only logged.
    await sendEvent(id, { type: 'collection.failed' })
    expect(await state()).toMatchObject({ has: 80_00 })
  })

  test('keeps a confirmed top-up of a closed customer, reports it, and returns it', async () => {
    const unclaimed = async () =>
      (await auditTestBooks(server)).trialBalance.find(({ code }) => code === 'unclaimed_payments')?.creditMinor ?? 0n
    const name = 'top-ups of customers who have closed'
    const id = await pending()
    clock.set(new Date(START.getTime() + 7 * DAY_MS))
    await sweep()
    await closeCustomer(server.deps, ann.customer, {
      device: { browser: 'Test browser', system: null },
      networkZone: 'internet',
    })
    const before = await unclaimed()
    expect(await lateParts(server.deps)).not.toContain(name)

    const event = eventOf(id)
    for (const sentEvent of [event, event, eventOf(id)]) expect((await rail.tell(hook(), sentEvent)).status).toBe(200)
    expect((await unclaimed()) - before).toBe(80_00n)
    expect(await lateParts(server.deps)).toContain(name)
    await sweep()
    expect((await unclaimed()) - before).toBe(80_00n)

    const returned = eventOf(id, { type: 'collection.returned' })
    for (const sentEvent of [returned, returned, eventOf(id)])
      expect((await rail.tell(hook(), sentEvent)).status).toBe(200)
    expect(await unclaimed()).toBe(before)
    expect(await lateParts(server.deps)).not.toContain(name)
  })

  test('takes back a reversed top-up: spent money is a debt, and is paid by later deposits', async () => {
    const id = await pending()
    await sendEvent(id)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}@example.com` })
    const move = async (from: TestPerson, to: TestPerson, amountMinor: number) =>
      server.deps.ledger.post({
        id: randomUUID(),
        kind: 'payment.send',
        fingerprint: 'test',
        bookedAt: START,
        legs: [
          {
            kind: 'transfer',
            debit: from.customer.currentAccountId,
            credit: to.customer.currentAccountId,
            amountMinor,
          },
        ],
      })
    await move(ann, bob, 30_00)
    expect((await sendEvent(id, { type: 'collection.returned' })).status).toBe(200)
    expect(await ann.balanceMinor()).toBe(0)
    await move(bob, ann, 30_00)
    // Spending quickly does not help: the owed amount is reserved.
    await expect(move(ann, bob, 1)).rejects.toMatchObject({ code: 'insufficient_funds' })
    await collectDebtsJob.work(server.deps)
    expect(await ann.balanceMinor()).toBe(0)
    expect(await owedOf(server.deps.db, [ann.customer.id])).toEqual(new Map())
    await sendEvent(id, { type: 'collection.returned' })
    await sweep()
    expect(await ann.balanceMinor()).toBe(0)
  })
})

describe('a return that arrives before its confirmation', () => {
  test.each([[['collection.returned']], [['collection.failed', 'collection.returned']]])(
    'is final after %j: nothing is booked',
    async (types) => {
      const id = await pending()
      for (const type of types) expect((await sendEvent(id, { type })).status).toBe(200)
      expect(await state()).toEqual(RETURNED)
      expect((await sendEvent(id)).status).toBe(200)
      expect((await sendEvent(id, { type: 'collection.returned' })).status).toBe(200)
      await sweep()
      expect(await state()).toEqual(RETURNED)
    },
  )
})

describe('a return of spent money', () => {
  const caller = { device: { browser: null, system: null }, networkZone: 'this_computer' } as const
  const statusOf = async (id: string) =>
    (await server.deps.pool.query('SELECT status FROM bank.collection WHERE operation_id = $1', [id])).rows[0]?.status
  const lost = async () =>
    (await auditTestBooks(server)).trialBalance.find(({ code }) => code === 'return_losses')?.debitMinor ?? 0n

  /** Returns a confirmed top-up whose money Ann has spent. */
  async function spent(): Promise<string> {
    const id = await pending()
    await sendEvent(id)
    const bob = await server.person({ fullName: 'Bob May', email: `bob${round}.left@example.com` })
    const [debit, credit] = [ann.customer.currentAccountId, bob.customer.currentAccountId]
    await server.deps.ledger.post({
      id: randomUUID(),
      kind: 'payment.send',
      fingerprint: 'test',
      bookedAt: START,
      legs: [{ kind: 'transfer', debit, credit, amountMinor: 80_00 }],
    })
    return id
  }

  test('keeps the customer from closing', async () => {
    await sendEvent(await spent(), { type: 'collection.returned' })
    const leaving = closeCustomer(server.deps, ann.customer, caller)
    await expect(leaving).rejects.toMatchObject({ code: 'owes_bank' })
    expect(await ann.balanceMinor()).toBe(0)
  })

  test('is a loss of the bank if the customer has closed, once', async () => {
    const id = await spent()
    await closeCustomer(server.deps, ann.customer, caller)
    const before = await lost()
    const returned = eventOf(id, { type: 'collection.returned' })
    for (const event of [returned, returned, eventOf(id, { type: 'collection.returned' })])
      expect((await rail.tell(hook(), event)).status).toBe(200)
    expect(await statusOf(id)).toBe('returned')
    expect(await overdue()).toBe(0)
    await sweep()
    expect((await lost()) - before).toBe(80_00n)
  })

  test('is a loss of the bank if it arrives during the closure', async () => {
    const id = await spent()
    const before = await lost()
    let telling: Promise<Response> | undefined
    // This slice runs after all slices have agreed to the closing and before the closing commits.
    const meanwhile = defineSlice({
      name: 'meanwhile',
      closeCustomer: async () => {
        telling = sendEvent(id, { type: 'collection.returned' })
        // The event waits until the customer has left.
        await sleep(200)
      },
    })
    await closeCustomer({ ...server.deps, slices: [...server.deps.slices, meanwhile] }, ann.customer, caller)
    expect((await telling)?.status).toBe(200)
    await sweep()
    expect(await statusOf(id)).toBe('returned')
    expect((await lost()) - before).toBe(80_00n)
  })
})

describe('a provider that', () => {
  const refusesAll = async (answers: Promise<Response>[], code: ErrorCode) => {
    for (const answer of answers) expect(await (await answer).json()).toMatchObject({ error: { code } })
  }

  test('names another amount, asset or id changes nothing', async () => {
    const id = await pending()
    await refusesAll(
      [
        sendEvent(id, { amountMinor: 80_01 }),
        sendEvent(id, { amountMinor: 8_000_00 }),
        sendEvent(id, { amountMinor: 1 }),
      ],
      'collection_mismatch',
    )
    await refusesAll(
      [sendEvent(randomUUID()), sendEvent(id.replace(/^./, (digit) => (digit === '0' ? '1' : '0')))],
      'not_found',
    )
    await refusesAll(
      [
        sendEvent(id, { asset: 'BTC' }),
        sendEvent(id, { type: 'collection.doubled' }),
        sendEvent(id, { eventId: '' }),
        sendEvent(id, { eventId: 'a\0b' }),
        sendEvent(id, { eventId: 'x'.repeat(201) }),
        sendEvent(id, { extra: true }),
        sendEvent('x'),
        rail.tell(hook(), []),
        // The bank's own signed request, sent back to it.
        rail.tell(hook(), { id, customerId: ann.customer.id, method: 'card', amountMinor: 80_00, asset: 'USD' }),
      ],
      'request_invalid',
    )
    await refusesAll([sendEvent(id, { amountMinor: '8000' }), sendEvent(id, { amountMinor: 80.5 })], 'amount_invalid')
    const event = eventOf(id)
    const twice = JSON.stringify(event).replace('"amountMinor"', '"amountMinor":1,"amountMinor"')
    await expectRefusal(await rail.tell(hook(), event, { body: twice }), 'request_invalid', 'amountMinor')
    expect(await state()).toEqual(WAITING)
  })

  test('does not sign, or signs with another secret, time or body, is refused', async () => {
    const id = await pending()
    const event = eventOf(id)
    const at = (ms: number) => ({ at: new Date(START.getTime() + ms) })
    await refusesAll(
      [
        rail.tell(hook(), event, { secret: 'another secret of more than 32 letters' }),
        rail.tell(hook(), event, at(-5 * MINUTE_MS - 1_000)),
        rail.tell(hook(), event, at(5 * MINUTE_MS + 1_000)),
        rail.tell(hook(), event, { headers: { 'alder-signature': '' } }),
        rail.tell(hook(), event, { headers: { 'alder-signature': '0'.repeat(64) } }),
        rail.tell(hook(), event, { headers: { 'alder-timestamp': String(START.getTime() / 1000 - 1) } }),
        rail.tell(hook(), event, { headers: { 'alder-timestamp': '' } }),
        fetch(hook(), { method: 'POST', body: JSON.stringify(event) }),
        fetch(hook(), { method: 'POST' }),
      ],
      'signature_refused',
    )
    expect(await state()).toEqual(WAITING)
    expect((await rail.tell(hook(), event, at(-5 * MINUTE_MS + 1_000))).status).toBe(200)
    expect(await state()).toEqual(THERE)
  })

  test('repeats an event, sequentially or simultaneously, has it applied once', async () => {
    const id = await pending()
    const event = eventOf(id)
    const answers = await Promise.all(Array.from({ length: 8 }, () => rail.tell(hook(), event)))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect((await sendEvent(id)).status).toBe(200)
    expect(await state()).toEqual(THERE)
    await refusesAll([sendEvent(id, { eventId: event.eventId, type: 'collection.returned' })], 'collection_mismatch')
    expect(await state()).toEqual(THERE)
  })

  test('uses one event for two top-ups has it applied to the first', async () => {
    const [first, second] = [await pending(), await pending()]
    const eventId = randomUUID()
    expect((await sendEvent(first, { eventId })).status).toBe(200)
    await refusesAll([sendEvent(second, { eventId })], 'collection_mismatch')
    expect((await ann.dashboard()).account).toMatchObject({ availableMinor: 80_00, incomingMinor: 80_00 })
  })

  test('sends more than the maximum length is cut off', async () => {
    const answer = await rail.tell(hook(), eventOf(await pending(), { eventId: 'x'.repeat(70_000) }))
    expect(answer.status).toBe(413)
    expect(await state()).toEqual(WAITING)
  })

  test('stalls, disconnects, fails, redirects or does not speak HTTP gets a retry', async () => {
    const id = await pending()
    for (const behave of [
      () => undefined,
      (outgoing) => void outgoing.destroy(),
      (outgoing) => void outgoing.writeHead(500).end(),
      (outgoing) => void outgoing.writeHead(404).end(),
      (outgoing) => void outgoing.writeHead(302, { location: 'http://localhost:1' }).end(),
      (outgoing) => void outgoing.socket?.end('nonsense'),
    ] satisfies Parameters<TestRail['behave']>[0][]) {
      rail.behave(behave)
      await expect(ask(id)).rejects.toThrow(/fetch failed|timeout|The rail answered/)
      expect(await state()).toEqual(WAITING)
    }
    // The answer's body never ends, and the bank must not wait for it.
    rail.behave((outgoing) => void outgoing.writeHead(202).write('{'))
    await ask(id)
    expect(await state()).toEqual(WAITING)
  })

  test('stalls occupies one worker, and gets a retry when it is back', async () => {
    let [open, maxOpen] = [0, 0]
    rail.behave((outgoing) => {
      open += 1
      maxOpen = Math.max(maxOpen, open)
      outgoing.on('close', () => {
        open -= 1
      })
    })
    const jobs = await startJobs(server.deps, [askProviderJob])
    try {
      for (const amountMinor of [10_00, 20_00, 30_00, 40_00]) await pending(amountMinor)
      await expect.poll(() => new Set(rail.requests.map(({ id }) => id)).size).toBe(4)
      expect(maxOpen).toBe(1)
      rail.behave((outgoing, { id, amountMinor }) => {
        outgoing.writeHead(202).end()
        void sendEvent(id, { amountMinor })
      })
      await server.deps.pool.query('UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0')
      await expect.poll(() => ann.balanceMinor()).toBe(100_00)
    } finally {
      await jobs.stop()
    }
  })
})

test('the sample bank’s own transfers are booked by the sweep if their job was lost', async () => {
  const sample = await peopleServer({ clock })
  const bob = await sample.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await bob.browser.post('/api/v1/top-ups', { amountMinor: 25_00, asset: 'USD', method: 'bank' })
  await sample.deps.pool.query('DELETE FROM graphile_worker._private_jobs')
  clock.set(new Date('2026-09-01T08:59:00Z'))
  await overdueTopUpsJob.work(sample.deps)
  expect(await bob.balanceMinor()).toBe(0)
  clock.set(new Date('2026-09-01T09:00:00Z'))
  await overdueTopUpsJob.work(sample.deps)
  expect(await bob.balanceMinor()).toBe(25_00)
  await auditTestBooks(sample)
  await sample.close()
})
