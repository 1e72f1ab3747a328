import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeRequestsJob } from '#server/platform/idempotency.ts'
import { runAsOwner } from '#server/test/database.ts'
import { expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'

let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer()
})
afterAll(() => server.close())

const newPerson = async (): Promise<TestPerson> => {
  round += 1
  const person = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await person.fund(100_00)
  return person
}

beforeAll(async () => {
  ann = await newPerson()
})

const cancel = (key: string, person = ann) => person.browser.post(`/api/v1/requests/${key}/cancel`)
const wasCarriedOut = async (key: string, person = ann): Promise<unknown> =>
  (await (await cancel(key, person)).json()).carriedOut

const send = (amountMinor: number, key: string, person = ann, recipient = 'cleo@example.com') =>
  person.browser.post('/api/v1/transfers', { recipient, amountMinor, asset: 'USD' }, { key })

/** Returns the amount that the person can spend: the balance less the held amounts. */
const availableMinor = async (person: TestPerson): Promise<number> => (await person.dashboard()).account.availableMinor

describe('a request that is canceled', () => {
  test('after its booking stays carried out', async () => {
    const key = randomUUID()
    const first = await send(25_00, key)
    expect(first.status).toBe(200)
    expect(await wasCarriedOut(key)).toBe(true)
    expect(await wasCarriedOut(key.toUpperCase())).toBe(true)
    expect(await (await send(25_00, key)).json()).toEqual(await first.json())
  })

  test('after its refusal was not carried out', async () => {
    const key = randomUUID()
    await expectRefusal(await send(500_00, key), 'insufficient_funds')
    expect(await wasCarriedOut(key)).toBe(false)
    await expectRefusal(await send(500_00, key), 'insufficient_funds')
  })

  test('is refused if it arrives later, whatever its content', async () => {
    const [payment, customer] = [randomUUID(), randomUUID()]
    const available = await availableMinor(ann)
    expect(await wasCarriedOut(payment)).toBe(false)
    expect(await wasCarriedOut(customer)).toBe(false)
    await expectRefusal(await send(25_00, payment), 'idempotency_key_reused')
    expect(await availableMinor(ann)).toBe(available)
    const newcomer = { fullName: 'Bob', email: 'bob@example.com', phone: '+12125550123', password: 'copper kettle' }
    await expectRefusal(
      await ann.browser.post('/api/v1/customers', newcomer, { key: customer }),
      'idempotency_key_reused',
    )
    expect(await wasCarriedOut(payment)).toBe(false)
  })

  test('is also found if it created data without moving money', async () => {
    const key = randomUUID()
    const newcomer = { fullName: 'Bob', email: 'robert@example.com', phone: '+12125550124', password: 'copper kettle' }
    expect((await server.browser().post('/api/v1/customers', newcomer, { key })).ok).toBe(true)
    expect(await wasCarriedOut(key)).toBe(true)
  })

  test.each([1, 2, 3, 4, 5])(
    'either moved the money or never will, with any timing of the two requests (%d)',
    async () => {
      const sender = await newPerson()
      const keys = Array.from({ length: 40 }, () => randomUUID())
      // One payment goes to a customer and moves the money. The other goes to a person without an account and holds the money.
      const recipients = [ann.customer.email, `nobody${round}@example.com`]
      const answers = await Promise.all(
        keys.map(async (key, index) => {
          const sendPayment = () => send(1_00, key, sender, recipients[index % 2])
          const [response, carriedOut] = await Promise.all([sendPayment(), wasCarriedOut(key, sender)])
          return { sending: sendPayment, sent: response.status, carriedOut }
        }),
      )
      let movedCount = 0
      for (const { sending: sendAgain, sent: status, carriedOut } of answers) {
        // A busy bank may refuse a payment with 503. The cancellation still counts.
        expect(carriedOut ? [200] : [409, 503]).toContain(status)
        if (carriedOut) movedCount += 1
        expect((await sendAgain()).status).toBe(carriedOut ? 200 : 409)
      }
      expect(await availableMinor(sender)).toBe(100_00 - movedCount * 1_00)
    },
  )

  test('belongs to its customer, and others cannot distinguish a used key from an unused one', async () => {
    const bob = await newPerson()
    const ask = (key: string) =>
      ann.browser.post('/api/v1/money-requests', { recipient: 'c@example.com', amountMinor: 1, asset: 'USD' }, { key })
    const [payment, request, withdrawn] = [randomUUID(), randomUUID(), randomUUID()]
    const first = await send(1_00, payment)
    expect((await ask(request)).status).toBe(200)
    expect(await wasCarriedOut(withdrawn)).toBe(false)
    for (const key of [payment, request, withdrawn, randomUUID()]) {
      for (let time = 0; time < 2; time += 1) {
        const answer = await cancel(key, bob)
        expect([answer.status, await answer.json()]).toEqual([200, { carriedOut: false }])
      }
      await expectRefusal(await send(1_00, key, bob), 'idempotency_key_reused')
    }
    expect(await (await send(1_00, payment)).json()).toEqual(await first.json())
    for (const key of [payment, request]) expect(await wasCarriedOut(key)).toBe(true)
    await expectRefusal(await server.browser().post(`/api/v1/requests/${payment}/cancel`), 'sign_in_required')
  })

  test('stays carried out permanently, even after the bank has deleted its response', async () => {
    const [key, bob] = [randomUUID(), await newPerson()]
    const ask = () =>
      ann.browser.post('/api/v1/money-requests', { recipient: 'c@example.com', amountMinor: 1, asset: 'USD' }, { key })
    expect((await ask()).status).toBe(200)
    await runAsOwner(server.database.ownerUrl, 'DELETE FROM bank.request WHERE key = $1', [key])
    expect(await wasCarriedOut(key)).toBe(true)
    expect(await wasCarriedOut(key, bob)).toBe(false)
    await expectRefusal(await ask(), 'idempotency_key_reused')
  })

  test('is stored for a day', async () => {
    const key = randomUUID()
    expect(await wasCarriedOut(key)).toBe(false)
    const rows = async () => {
      const { rows: storedKeys } = await server.deps.pool.query('SELECT key FROM bank.request WHERE key = $1', [key])
      return storedKeys.length
    }
    await purgeRequestsJob.work(server.deps)
    expect(await rows()).toBe(1)
    const dayLater = new Date(server.deps.clock.realNow().getTime() + 25 * 3_600_000)
    await purgeRequestsJob.work({ ...server.deps, clock: { ...server.deps.clock, realNow: () => dayLater } })
    expect(await rows()).toBe(0)
  })
})

test('an invalid key is refused', async () => {
  await expectRefusal(await cancel('none'), 'idempotency_key_invalid')
})

test('the number of cancellations is limited', async () => {
  const hasty = await newPerson()
  for (let count = 0; count < 60; count += 1) expect((await cancel(randomUUID(), hasty)).status).toBe(200)
  await expectRefusal(await cancel(randomUUID(), hasty), 'too_many_requests')
})
