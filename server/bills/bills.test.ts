import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bill } from '#contract/bills.ts'
import { expireRequestsJob } from '#server/requests/end-request.ts'
import { testClock } from '#server/test/bank.ts'
import { auditTestBooks, expectRefusal, type TestPerson, peopleServer, type PeopleServer } from '#server/test/people.ts'
import { runIfDue } from '#server/test/run-if-due.ts'

const START = new Date('2026-08-28T09:41:00Z')
const DAY_MS = 86_400_000

let server: PeopleServer
let clock: ReturnType<typeof testClock>
let ann: TestPerson
let ben: TestPerson
let cat: TestPerson

beforeAll(async () => {
  clock = testClock(START)
  server = await peopleServer({ clock: { ...clock, realNow: () => START } })
  ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  ben = await server.person({ fullName: 'Ben May', email: 'ben@example.com' })
  cat = await server.person({ fullName: 'Cat Orr', email: 'cat@example.com' })
  for (const person of [ann, ben, cat]) await person.fund(500_00)
})
afterAll(() => server.close())

const people = (...names: string[]) => names.map((name) => ({ name, address: `${name.toLowerCase()}@example.com` }))
const equal = (totalMinor: number, ...names: string[]) => ({
  totalMinor,
  asset: 'USD',
  division: 'equal',
  people: people(...names),
})

const split = (person: TestPerson, body: object, key?: string) =>
  person.browser.post('/api/v1/bills', body, key === undefined ? {} : { key })
const billOf = async (answer: Response): Promise<Bill> => {
  expect(answer.status).toBe(200)
  return (await answer.json()).bill
}
const readBill = async (person: TestPerson, id: string) => billOf(await person.browser.get(`/api/v1/bills/${id}`))
const pay = (person: TestPerson, requestId: string, amountMinor: number) =>
  person.browser.post(`/api/v1/money-requests/${requestId}/payments`, { amountMinor, asset: 'USD' })

test('a bill is split, paid and settles itself', async () => {
  const bill = await billOf(await split(ann, { ...equal(100_01, 'Ben', 'Cat'), description: 'Dinner' }))
  expect(bill).toMatchObject({
    totalMinor: 100_01,
    ownMinor: 33_35,
    paidMinor: 0,
    status: 'open',
    description: 'Dinner',
  })
  expect(bill.shares.map(({ name, amountMinor, status }) => [name, amountMinor, status])).toEqual([
    ['Ben', 33_33, 'open'],
    ['Cat', 33_33, 'open'],
  ])
  const [bens = '', cats = ''] = bill.shares.map(({ requestId }) => requestId)
  expect((await pay(ben, bens, 33_33)).status).toBe(200)
  expect(await readBill(ann, bill.id)).toMatchObject({ paidMinor: 33_33, status: 'open' })
  expect((await pay(cat, cats, 33_33)).status).toBe(200)
  expect(await readBill(ann, bill.id)).toMatchObject({ paidMinor: 66_66, status: 'settled' })
  expect(await ann.balanceMinor()).toBe(566_66)
  await auditTestBooks(server)
})

test('a declined share ends the bill unsettled, and paid shares stay paid', async () => {
  const bill = await billOf(await split(ann, equal(30_00, 'Ben', 'Cat')))
  const [bens = '', cats = ''] = bill.shares.map(({ requestId }) => requestId)
  await pay(ben, bens, 10_00)
  expect((await cat.browser.post(`/api/v1/money-requests/${cats}/decline`, {})).status).toBe(200)
  expect(await readBill(ann, bill.id)).toMatchObject({ paidMinor: 10_00, status: 'ended' })
  await expectRefusal(await ann.browser.post(`/api/v1/bills/${bill.id}/cancel`), 'bill_not_open')
})

test('an unpaid share can be taken back, once', async () => {
  const bill = await billOf(await split(ann, equal(30_00, 'Ben', 'Cat')))
  const [bens = ''] = bill.shares.map(({ requestId }) => requestId)
  await pay(ben, bens, 4_00)
  const cancels = await Promise.all([1, 2, 3].map(() => ann.browser.post(`/api/v1/bills/${bill.id}/cancel`)))
  expect(cancels.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect(await readBill(ann, bill.id)).toMatchObject({ paidMinor: 4_00, status: 'ended' })
  await expectRefusal(await pay(ben, bens, 6_00), 'request_not_open')
  await auditTestBooks(server)
})

test('a repeated request returns the same bill', async () => {
  const key = randomUUID()
  const [first, again] = [
    await billOf(await split(ann, equal(9_00, 'Ben'), key)),
    await billOf(await split(ann, equal(9_00, 'Ben'), key)),
  ]
  expect(again).toEqual(first)
  await expectRefusal(await split(ann, equal(9_01, 'Ben'), key), 'idempotency_key_reused')
})

test('shares can be given by amount and by percent', async () => {
  const [bensShare] = people('Ben')
  const amounts = await billOf(
    await split(ann, {
      totalMinor: 50_00,
      asset: 'USD',
      division: 'amounts',
      people: [{ ...bensShare, amountMinor: 20_00 }],
      ownMinor: 30_00,
    }),
  )
  expect(amounts).toMatchObject({ ownMinor: 30_00, shares: [{ amountMinor: 20_00 }] })
  const percents = await billOf(
    await split(ann, {
      totalMinor: 10_01,
      asset: 'USD',
      division: 'percents',
      people: [{ ...bensShare, basisPoints: 5_000 }],
      ownBasisPoints: 5_000,
    }),
  )
  expect(percents.ownMinor + (percents.shares[0]?.amountMinor ?? 0)).toBe(10_01)
})

test.each([
  ['nobody', 'people_missing', 'people', equal(10_00)],
  [
    'the same person twice, in two spellings',
    'people_twice',
    'people',
    { ...equal(10_00), people: [...people('Ben'), { name: 'B', address: ' BEN@example.com' }] },
  ],
  ['oneself', 'request_to_self', 'recipient', equal(10_00, 'Ann')],
  ['no address', 'recipient_invalid', 'people', { ...equal(10_00), people: [{ name: 'Ben', address: 'ben' }] }],
  ['less than a cent each', 'amount_invalid', 'totalMinor', equal(1, 'Ben')],
  ['nothing', 'amount_invalid', 'totalMinor', equal(0, 'Ben')],
  ['a negative amount', 'amount_invalid', 'totalMinor', equal(-5_00, 'Ben')],
  [
    'another customer’s payment',
    'transaction_not_found',
    undefined,
    { ...equal(10_00, 'Ben'), transactionId: randomUUID() },
  ],
  [
    'shares that do not add up',
    'shares_differ',
    'people',
    {
      totalMinor: 10_00,
      asset: 'USD',
      division: 'amounts',
      people: [{ name: 'Ben', address: 'ben@example.com', amountMinor: 5_00 }],
      ownMinor: 5_01,
    },
  ],
] as const)('a bill with %s is refused, and no participant gets a request', async (_what, code, field, body) => {
  const before = await auditTestBooks(server)
  const receivedCount = (await (await ben.browser.get('/api/v1/money-requests')).json()).received.length
  await expectRefusal(await split(ann, body), code, field)
  expect((await (await ben.browser.get('/api/v1/money-requests')).json()).received).toHaveLength(receivedCount)
  expect(await auditTestBooks(server)).toEqual(before)
})

test('a bill for 10,001 people is refused', async () => {
  const tooManyPeople = Array.from({ length: 10_001 }, (_, index) => ({
    name: `P${index}`,
    address: `p${index}@example.com`,
  }))
  const answer = await split(ann, { ...equal(20_000_00), people: tooManyPeople })
  expect([413, 422]).toContain(answer.status)
  const fewerPeople = tooManyPeople.slice(0, 51)
  await expectRefusal(await split(ann, { ...equal(20_000_00), people: fewerPeople }), 'people_too_many', 'people')
})

test('another customer’s bill is not found', async () => {
  const bill = await billOf(await split(ann, equal(9_00, 'Ben')))
  await expectRefusal(await ben.browser.get(`/api/v1/bills/${bill.id}`), 'not_found')
  await expectRefusal(await ben.browser.post(`/api/v1/bills/${bill.id}/cancel`), 'not_found')
  await expectRefusal(await ann.browser.get('/api/v1/bills?cursor=x'), 'cursor_invalid', 'cursor')
})

test('bills are listed newest first, page by page', async () => {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const page: { bills: Bill[]; nextCursor: string | null } = await (
      await ann.browser.get(`/api/v1/bills?limit=2${cursor ? `&cursor=${cursor}` : ''}`)
    ).json()
    ids.push(...page.bills.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor)
  const allBills: Bill[] = (await (await ann.browser.get('/api/v1/bills?limit=100')).json()).bills
  expect(ids).toEqual(allBills.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
})

test('a share that is not paid in time expires, and the bill ends', async () => {
  const bill = await billOf(await split(ann, equal(9_00, 'Ben')))
  clock.set(new Date(START.getTime() + 15 * DAY_MS))
  expect(await readBill(ann, bill.id)).toMatchObject({ status: 'ended', shares: [{ status: 'expired' }] })
  await runIfDue(expireRequestsJob, server.deps)
  expect(await readBill(ann, bill.id)).toMatchObject({ status: 'ended', shares: [{ status: 'expired' }] })
  clock.set(START)
})
