import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AccountDetails } from '#contract/account-details.ts'
import { Refusal } from '#contract/errors.ts'
import { MAX_TRANSFER_MINOR } from '#contract/incoming-transfers.ts'
import { lineNamed } from '#contract/line-texts.ts'
import { accountNumberOf } from '#server/account-details/number.ts'
import { heldTransfersJob } from '#server/incoming-transfers/jobs.ts'
import { sendBack } from '#server/incoming-transfers/sending-back.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { owedOf } from '#server/owed/debts.ts'
import { runOn } from '#server/platform/db/run.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { closeCustomer } from '#server/profile/closure.ts'
import { testClock } from '#server/test/bank.ts'
import { runIfDue } from '#server/test/run-if-due.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer, type TestPerson } from '#server/test/people.ts'
import { doJobs } from '#server/test/post-office.ts'
import { openRail, type TestRail } from '#server/test/rail.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const PAYER = 'Harbor Payroll'
const clock = { ...testClock(START), realNow: () => START }
let rail: TestRail
let server: PeopleServer
let ann: TestPerson
let number: string
let round = 0

beforeAll(async () => {
  rail = await openRail(() => START)
  const config = {
    mode: 'live' as const,
    routingNumber: '011000015',
    rail: { url: rail.url, secret: rail.secret, methods: ['bank' as const], timeoutMs: 200 },
  }
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
  ann = await verified('Ann Lee', `ann${round}@example.com`)
  number = await numberOf(ann)
})
afterEach(() => {
  rail.requests.length = 0
  rail.behave((outgoing) => void outgoing.writeHead(202).end())
})

async function verified(fullName: string, email: string): Promise<TestPerson> {
  const person = await server.person({ fullName, email })
  await server.deps.pool.query('UPDATE bank.customer SET verified_at = now() WHERE id = $1', [person.customer.id])
  return person
}

async function numberOf(person: TestPerson): Promise<string> {
  const answer = await person.browser.get('/api/v1/account-details')
  const { details } = (await answer.json()) as { details: AccountDetails }
  return details.accountNumber
}

const hook = () => `${server.url}/hooks/rails`
const movementEvent = (change: object) => ({ eventId: randomUUID(), amountMinor: 3_500_00, asset: 'USD', ...change })
const receivedEvent = (change: object = {}) =>
  movementEvent({ type: 'transfer.received', id: randomUUID(), accountNumber: number, payerName: PAYER, ...change })
const recalled = (id: string, change: object = {}) => movementEvent({ type: 'transfer.recalled', id, ...change })
const sendEvent = (event: object) => rail.tell(hook(), event)

async function pay(change: object = {}): Promise<string> {
  const id = randomUUID()
  expect((await sendEvent(receivedEvent({ id, ...change }))).status).toBe(200)
  return id
}

const stateOf = async (id: string) => {
  const { rows } = await server.deps.pool.query('SELECT status, reason FROM bank.incoming_transfer WHERE id = $1', [id])
  return rows[0] as { status: string; reason: string | null } | undefined
}
const bankHas = async (code: 'transfers_to_return' | 'return_losses' | 'ach_clearing') => {
  const { rows } = await server.deps.pool.query('SELECT balance_minor FROM ledger.account WHERE id = $1', [
    bankAccount(code),
  ])
  return Number(rows[0].balance_minor)
}
const toReturn = () => bankHas('transfers_to_return')
const noticesOf = async ({ customer }: TestPerson): Promise<string[]> => {
  const { rows } = await server.deps.pool.query(
    'SELECT kind FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id',
    [customer.id],
  )
  return rows.map(({ kind }) => kind as string)
}
const sendAllBack = () => doJobs(server, sendBack.name)
const close = ({ customer }: TestPerson) =>
  closeCustomer(server.deps, customer, {
    device: { browser: 'Test browser', system: null },
    networkZone: 'internet',
  })
async function spend(amountMinor: number): Promise<void> {
  await server.deps.ledger.post({
    id: randomUUID(),
    kind: 'payment.send',
    fingerprint: 'test',
    bookedAt: clock.businessNow(),
    legs: [{ kind: 'transfer', debit: ann.customer.currentAccountId, credit: bankAccount('card_scheme'), amountMinor }],
  })
}

describe('money from another bank', () => {
  test('arrives at once with the payer and the reference, and the customer gets a notice', async () => {
    const id = await pay({ reference: 'Salary August' })
    expect(await ann.balanceMinor()).toBe(3_500_00)
    const [line] = await ann.transactions()
    expect(line).toMatchObject({
      name: lineNamed(PAYER),
      note: 'Salary August',
      amountMinor: 3_500_00,
      category: 'income',
      status: 'completed',
    })
    expect(await stateOf(id)).toEqual({ status: 'credited', reason: null })
    const { rows } = await server.deps.pool.query('SELECT kind, params FROM bank.notification WHERE customer_id = $1', [
      ann.customer.id,
    ])
    const params = { name: PAYER, amountMinor: 3_500_00, asset: 'USD', transactionId: line?.id }
    expect(rows).toEqual([{ kind: 'payment_received', params }])
  })

  test('is categorized as a salary without a reference, and is not income from the customer’s own account', async () => {
    await pay({ purpose: 'salary' })
    await pay({ payerName: 'ANN  LEE' })
    const lines = await ann.transactions()
    expect(lines.map(({ note, category }) => [note, category])).toEqual([
      [null, 'top_up'],
      ['Salary', 'income'],
    ])
  })

  test('is expected again every month, like a salary', async () => {
    for (const month of ['05', '06', '07']) {
      clock.set(new Date(`2026-${month}-29T09:00:00.000Z`))
      await pay({ purpose: 'salary' })
    }
    clock.set(START)
    const answer = await ann.browser.get('/api/v1/analytics/forecast')
    const { expected } = (await answer.json()) as { expected: object[] }
    expect(expected).toMatchObject([{ kind: 'income', name: PAYER, amountMinor: 3_500_00 }])
  })

  test('finds its account in any spelling of the number', async () => {
    await pay({ accountNumber: ` ${number.replaceAll(/(....)/g, '$1 ')}` })
    await pay({ accountNumber: number.replace(/^(....)/, '$1-') })
    expect(await ann.balanceMinor()).toBe(7_000_00)
  })

  test('is credited once for any number of events, sequential or simultaneous', async () => {
    const event = receivedEvent()
    const again = { ...event, eventId: randomUUID() }
    const answers = await Promise.all(
      [event, event, event, again, again, { ...event, eventId: randomUUID() }].map(sendEvent),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    clock.set(new Date(START.getTime() + 40 * DAY_MS))
    expect((await sendEvent({ ...event, eventId: randomUUID() })).status).toBe(200)
    expect(await ann.balanceMinor()).toBe(3_500_00)
    expect(await noticesOf(ann)).toEqual(['payment_received'])
  })

  test('with a known id must have the same amount, account, payer and reference', async () => {
    const id = await pay()
    const bob = await verified('Bob May', `bob${round}@example.com`)
    const otherChanges = [
      { amountMinor: 1 },
      { accountNumber: await numberOf(bob) },
      { payerName: 'Somebody Else' },
      { reference: 'Another one' },
    ]
    for (const other of otherChanges)
      await expectRefusal(await sendEvent(receivedEvent({ id, ...other })), 'collection_mismatch', 'id')
    await expectRefusal(await sendEvent(recalled(id, { amountMinor: 1 })), 'collection_mismatch', 'amountMinor')
    expect([await ann.balanceMinor(), await bob.balanceMinor()]).toEqual([3_500_00, 0])
  })

  test('with the id of a known event must be the same event, or is refused', async () => {
    const id = randomUUID()
    const [event, back] = [receivedEvent({ id }), recalled(id)]
    expect((await sendEvent(event)).status).toBe(200)
    const otherChanges = [
      { amountMinor: 1 },
      { accountNumber: '12' },
      { payerName: 'Somebody Else' },
      { amountMinor: 3_500_01 },
    ]
    for (const other of otherChanges)
      await expectRefusal(await sendEvent({ ...event, ...other }), 'collection_mismatch', 'id')
    await expectRefusal(await sendEvent({ ...event, purpose: 'salary' }), 'collection_mismatch', 'eventId')
    for (const repeatedEvent of [back, back]) expect((await sendEvent(repeatedEvent)).status).toBe(200)
    await expectRefusal(await sendEvent({ ...back, amountMinor: 1 }), 'collection_mismatch', 'amountMinor')
    await expectRefusal(await sendEvent({ ...event, eventId: back.eventId }), 'collection_mismatch', 'eventId')
    expect(await ann.balanceMinor()).toBe(0)
  })

  test('is refused if the event has too few details for a booking', async () => {
    const before = await auditTestBooks(server)
    for (const amountMinor of [0, -1, 0.5, '350000', null, MAX_TRANSFER_MINOR + 1, Number.MAX_SAFE_INTEGER, 1e300])
      await expectRefusal(await sendEvent(receivedEvent({ amountMinor })), 'amount_invalid', 'amountMinor')
    await expectRefusal(await sendEvent(receivedEvent({ asset: 'EUR' })), 'request_invalid', 'asset')
    const texts = { payerName: 80, reference: 140, accountNumber: 40 }
    for (const [field, maxLength] of Object.entries(texts))
      for (const text of ['', '  ', 'a\0b', 'a\nb', '\u200b', '\ud800', 'x'.repeat(maxLength + 1), 7, {}])
        await expectRefusal(await sendEvent(receivedEvent({ [field]: text })), 'request_invalid', field)
    await expectRefusal(await sendEvent(receivedEvent({ id: 'x' })), 'request_invalid')
    await expectRefusal(await sendEvent(receivedEvent({ purpose: 'gift' })), 'request_invalid', 'purpose')
    await expectRefusal(await sendEvent(receivedEvent({ more: 1 })), 'request_invalid', 'more')
    const unsigned = await rail.tell(hook(), receivedEvent(), { secret: 'another secret of more than 32 letters' })
    await expectRefusal(unsigned, 'signature_refused')
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('is not rejected as the provider’s mistake while the bank cannot accept it', async () => {
    const logged = vi.spyOn(server.deps.log, 'error')
    const messages = () => logged.mock.calls.map(([, message]) => message)
    const passing = vi.spyOn(server.deps.dates, 'pass').mockRejectedValueOnce(new Refusal('unavailable'))
    expect((await sendEvent(receivedEvent())).status).toBe(503)
    passing.mockRestore()
    expect(messages()).not.toContain('a rail sent an impossible event')
    expect((await sendEvent(receivedEvent({ amountMinor: 0 }))).status).toBe(400)
    expect(messages()).toContain('a rail sent an impossible event')
    logged.mockRestore()
  })

  test('shows the payer’s text, and does not execute it', async () => {
    const payerName = `<b>O'Neil & "Sons"</b>'; DROP TABLE bank.customer; --`
    await pay({ payerName, reference: '{amount} %s \u202Etxt' })
    expect(await ann.transactions()).toMatchObject([{ name: lineNamed(payerName), note: '{amount} %s \u202Etxt' }])
  })
})

describe('money that cannot be credited', () => {
  const reasons = [
    ['without a customer', 'account_not_found', async () => accountNumberOf(server.deps.config, 8_000_000_000)],
    ['of the bank itself', 'account_not_found', async () => accountNumberOf(server.deps.config, 102)],
    ['of an account that accepts no deposits', 'account_not_found', () => cardAccount()],
    [
      'with wrong check digits',
      'account_number_invalid',
      async () => number.replace(/.$/, (d) => (d === '0' ? '1' : '0')),
    ],
    ['that is not a number', 'account_number_invalid', async () => "1' OR 1=1"],
    [
      'of a closed customer',
      'account_closed',
      async () => {
        await close(ann)
        return number
      },
    ],
  ] as const

  async function cardAccount(): Promise<string> {
    const account = { holderId: ann.customer.id, code: 'card', asset: 'USD' } as const
    const [id = 0] = await openAccounts(runOn(server.deps.pool), [account])
    return accountNumberOf(server.deps.config, id)
  }

  test.each(reasons)('for a number %s is held separately, and returned', async (_, reason, find) => {
    const before = [await toReturn(), await bankHas('ach_clearing')]
    const id = await pay({ accountNumber: await find() })
    expect(await stateOf(id)).toEqual({ status: 'held', reason })
    expect(await toReturn()).toBe((before[0] ?? 0) + 3_500_00)
    expect(await ann.balanceMinor()).toBe(0)
    await sendAllBack()
    await sendAllBack()
    expect(rail.requests).toMatchObject([
      { path: '/returns', id, key: id, amountMinor: 3_500_00, asset: 'USD', reason, signed: true },
    ])
    expect(await stateOf(id)).toEqual({ status: 'returned', reason })
    expect([await toReturn(), await bankHas('ach_clearing')]).toEqual(before)
    // A repeated event is the same transfer, which has gone back.
    await pay({ id, accountNumber: (await row(id)).account_number })
    expect(await stateOf(id)).toEqual({ status: 'returned', reason })
  })

  const row = async (id: string) =>
    server.deps.db.selectFrom('bank.incoming_transfer').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('is returned if the account would exceed its maximum, with a notice to the customer', async () => {
    const { balanceMinor } = server.deps.policy.limits
    await ann.fund(balanceMinor - 3_500_00)
    await pay()
    const id = await pay({ amountMinor: 1 })
    expect(await stateOf(id)).toEqual({ status: 'held', reason: 'balance_limit' })
    expect(await ann.balanceMinor()).toBe(balanceMinor)
    expect(await noticesOf(ann)).toEqual(['payment_received', 'transfer_sent_back'])
  })

  test('is returned if its customer is not verified and has reached the receiving limit', async () => {
    const eve = await server.person({ fullName: 'Eve Fox', email: `eve${round}@example.com` })
    number = await numberOf(eve)
    await pay({ amountMinor: 1_000_00 })
    const id = await pay({ amountMinor: 1 })
    expect(await stateOf(id)).toEqual({ status: 'held', reason: 'unverified_limit' })
    expect(await eve.balanceMinor()).toBe(1_000_00)
    clock.set(new Date(START.getTime() + DAY_MS + 1))
    await pay({ amountMinor: 1 })
    expect(await eve.balanceMinor()).toBe(1_000_01)
  })

  test('is retried while the provider is unavailable, is listed as late after a day, and is returned once', async () => {
    const name = 'transfers that did not go back in time'
    rail.behave((outgoing) => void outgoing.writeHead(500).end())
    const id = await pay({ accountNumber: '1' })
    await expect(sendAllBack()).rejects.toThrow('The rail answered 500')
    clock.set(new Date(START.getTime() + DAY_MS - 1))
    expect(await lateParts(server.deps)).not.toContain(name)
    clock.set(new Date(START.getTime() + DAY_MS + 16 * 60_000))
    expect(await lateParts(server.deps)).toContain(name)
    await runIfDue(heldTransfersJob, server.deps)
    expect(await stateOf(id)).toMatchObject({ status: 'held' })
    rail.behave((outgoing) => void outgoing.writeHead(200).end())
    await Promise.all([runIfDue(heldTransfersJob, server.deps), runIfDue(heldTransfersJob, server.deps)])
    expect(await stateOf(id)).toMatchObject({ status: 'returned' })
    expect(await toReturn()).toBe(0)
    expect(await lateParts(server.deps)).not.toContain(name)
    await sendAllBack()
  })

  test('stays separate if the provider refuses the return, until it is recalled', async () => {
    const name = 'transfers that cannot be sent back'
    rail.behave((outgoing) => void outgoing.writeHead(422).end())
    const id = await pay({ accountNumber: '1' })
    await sendAllBack()
    expect(await stateOf(id)).toMatchObject({ status: 'kept' })
    expect(await toReturn()).toBe(3_500_00)
    clock.set(new Date(START.getTime() + 16 * 60_000))
    expect(await lateParts(server.deps)).toContain(name)
    expect((await sendEvent(recalled(id))).status).toBe(200)
    expect(await stateOf(id)).toMatchObject({ status: 'recalled' })
    expect(await toReturn()).toBe(0)
    expect(await lateParts(server.deps)).not.toContain(name)
  })
})

describe('a recall', () => {
  test('takes the money back, with a notice', async () => {
    const id = await pay()
    const event = recalled(id)
    const answers = await Promise.all([event, event, recalled(id)].map(sendEvent))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await ann.balanceMinor()).toBe(0)
    expect(await stateOf(id)).toEqual({ status: 'recalled', reason: null })
    const [back] = await ann.transactions()
    expect(back).toMatchObject({ name: { code: 'transfer_recalled' }, note: PAYER, amountMinor: -3_500_00 })
    expect(await noticesOf(ann)).toEqual(['payment_received', 'transfer_recalled'])
  })

  test('of spent money leaves a debt, which later deposits pay', async () => {
    const id = await pay()
    await spend(3_000_00)
    expect((await sendEvent(recalled(id))).status).toBe(200)
    expect((await owedOf(server.deps.db, [ann.customer.id])).get(ann.customer.id)).toBe(3_000_00)
    expect((await ann.dashboard()).owed).toMatchObject([
      { cause: 'transfer_recalled', name: PAYER, amountMinor: 3_000_00, leftMinor: 3_000_00 },
    ])
    await pay({ amountMinor: 1_000_00, payerName: 'Somebody Else' })
    expect((await ann.dashboard()).account.availableMinor).toBe(0)
  })

  test('that arrives first keeps the transfer from being credited', async () => {
    const id = randomUUID()
    const before = await bankHas('ach_clearing')
    expect((await sendEvent(recalled(id))).status).toBe(200)
    await pay({ id })
    await pay({ id })
    expect([await ann.balanceMinor(), await bankHas('ach_clearing')]).toEqual([0, before])
    expect(await noticesOf(ann)).toEqual([])
    await expectRefusal(await sendEvent(receivedEvent({ id, amountMinor: 1 })), 'collection_mismatch', 'id')
  })

  test('of a transfer that is returned, or is being returned, is answered and changes nothing', async () => {
    const before = [await toReturn(), await bankHas('ach_clearing')]
    const [returnedId, recalledId] = [await pay({ accountNumber: '1' }), await pay({ accountNumber: '2' })]
    expect((await sendEvent(recalled(recalledId))).status).toBe(200)
    await sendAllBack()
    expect((await sendEvent(recalled(returnedId))).status).toBe(200)
    expect(rail.requests.map(({ id }) => id)).toEqual([returnedId])
    expect([await stateOf(returnedId), await stateOf(recalledId)]).toMatchObject([
      { status: 'returned' },
      { status: 'recalled' },
    ])
    expect([await toReturn(), await bankHas('ach_clearing')]).toEqual(before)
  })

  test('after the customer has spent the money and left is a loss of the bank', async () => {
    const id = await pay()
    await spend(3_500_00)
    await close(ann)
    const before = await bankHas('return_losses')
    expect((await sendEvent(recalled(id))).status).toBe(200)
    expect(await bankHas('return_losses')).toBe(before - 3_500_00)
  })
})

test('each transfer is applied once, for any number and order of events', async () => {
  const steps = fc.array(
    fc.record({
      transfer: fc.nat(3),
      what: fc.constantFrom('received', 'received', 'recalled', 'sent back'),
      /** The event is repeated with an earlier event id or a new one. */
      event: fc.nat(1),
      together: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  )
  await fc.assert(
    fc.asyncProperty(steps, async (givenSteps) => {
      const amounts = [1_00, 20_00, 300_00, 4_000_00]
      const transfers = amounts.map((amountMinor, index) => ({
        id: randomUUID(),
        amountMinor,
        // The last number belongs to no account.
        accountNumber: index === 3 ? '7' : number,
      }))
      const events = transfers.map(() => [randomUUID(), randomUUID(), randomUUID(), randomUUID()])
      const [balanceBeforeMinor, returnMinor] = [await ann.balanceMinor(), await toReturn()]
      const progress = transfers.map(() => ({ received: false, recalled: false }))
      let runningSteps: Promise<unknown>[] = []
      for (const { transfer, what: eventKind, event, together } of givenSteps) {
        const payment = transfers[transfer] ?? { id: '', amountMinor: 0, accountNumber: '' }
        const state = progress[transfer] ?? { received: false, recalled: false }
        const { id, amountMinor } = payment
        const eventId = events[transfer]?.[event + (eventKind === 'recalled' ? 2 : 0)]
        if (eventKind !== 'sent back') state[eventKind] = true
        const doing =
          eventKind === 'received'
            ? sendEvent(receivedEvent({ ...payment, eventId }))
            : eventKind === 'recalled'
              ? sendEvent(recalled(id, { amountMinor, eventId }))
              : runIfDue(heldTransfersJob, server.deps)
        runningSteps.push(doing)
        if (together) continue
        await Promise.all(runningSteps)
        runningSteps = []
      }
      await Promise.all(runningSteps)
      const isThere = progress.map((state) => state.received && !state.recalled)
      const credited = amounts.slice(0, 3).filter((_, index) => isThere[index])
      const owed = (await owedOf(server.deps.db, [ann.customer.id])).get(ann.customer.id) ?? 0
      expect((await ann.balanceMinor()) - owed).toBe(
        balanceBeforeMinor + credited.reduce((sum, minor) => sum + minor, 0),
      )
      const nobodys = await stateOf(transfers[3]?.id ?? '')
      expect(await toReturn()).toBe(returnMinor + (nobodys?.status === 'held' ? (amounts[3] ?? 0) : 0))
      await runIfDue(heldTransfersJob, server.deps)
      expect(await toReturn()).toBe(0)
      await auditTestBooks(server)
    }),
    { numRuns: 12 },
  )
})
