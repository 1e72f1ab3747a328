import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestMandate } from '#server/direct-debits/mandates.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { backOff, inTransaction } from '#server/platform/db/run.ts'
import { findCollector } from '#server/rewards/collectors.ts'
import { testClock } from '#server/test/bank.ts'
import { controlPrices, investorOf } from '#server/test/investor.ts'
import { auditTestBooks, type TestPerson, peopleServer, type PeopleServer } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }

let server: PeopleServer
let ann: TestPerson
let ben: TestPerson
let round = 0

/** A request that would succeed; its preconditions have been set up. */
type TestRequest = { path: string; body?: unknown; by?: TestPerson }

const usd = (amountMinor: number) => ({ amountMinor, asset: 'USD' })
const post = ({ path, body, by: person = ann }: TestRequest, key: string = randomUUID()) =>
  person.browser.post(`/api/v1${path}`, body, { key })

async function postForJson(requestDetails: TestRequest): Promise<Record<string, { id: string }> & { id: string }> {
  const answer = await post(requestDetails)
  expect([requestDetails.path, answer.status, answer.ok || (await answer.clone().text())]).toEqual([
    requestDetails.path,
    200,
    true,
  ])
  return answer.json()
}

const goal = { name: 'Sea', icon: 'plane', targetMinor: 5_00, targetOn: null, lockedUntil: null }
const request = { recipient: 'ben@example.com', ...usd(1_00) }
const someone = { address: 'ben@example.com', name: 'Ben' }
const schedule = {
  recipient: 'ben@example.com',
  ...usd(1_00),
  every: 'month',
  startsOn: '2026-10-01',
  end: { kind: 'never' },
}
const order = {
  side: 'buy',
  asset: 'BTC',
  amountAsset: 'USD',
  amountMinor: 20_00,
  limitMicros: 1_000_000,
  expiresInDays: 7,
}
const virtualCard = { name: 'Web', kind: 'multi_use', limitMinor: 10_00, asset: 'USD' }

const goalOf = async () => (await postForJson({ path: '/goals', body: goal })).id
const filledGoal = async () => {
  const id = await goalOf()
  await postForJson({ path: `/goals/${id}/deposits`, body: usd(2_00) })
  return id
}
const moneyRequest = async (person = ann, recipient = 'ben@example.com') =>
  (await postForJson({ path: '/money-requests', body: { ...request, recipient }, by: person }))['request']?.id
const scheduled = async () => (await postForJson({ path: '/schedules', body: schedule }))['schedule']?.id
const group = async (person = ann, people = [someone]) =>
  (await postForJson({ path: '/bill-groups', body: { name: 'Trip', people }, by: person }))['group']?.id

async function mandate(approved: boolean): Promise<string> {
  const mandateRequest = { billerName: 'Brightwater Energy', reference: randomUUID(), category: 'bills' as const }
  const id = await inTransaction(server.deps.db, (trx) =>
    requestMandate(server.deps, trx, ann.customer, mandateRequest),
  )
  if (approved) await postForJson({ path: `/mandates/${id}/decision`, body: { decision: 'approve' } })
  return id
}

/** Builds a request that would succeed, for each route. */
const EXAMPLE_REQUESTS: Record<string, () => TestRequest | Promise<TestRequest>> = {
  '/top-ups': () => ({ path: '/top-ups', body: { ...usd(1_00), method: 'card' } }),
  '/transfers': () => ({ path: '/transfers', body: request }),
  '/transfers/{operationId}/cancel': async () => {
    const transfer = await postForJson({ path: '/transfers', body: { recipient: 'nobody@example.com', ...usd(1_00) } })
    return { path: `/transfers/${transfer['transaction']?.id}/cancel` }
  },
  '/schedules': () => ({ path: '/schedules', body: schedule }),
  '/schedules/{id}/cancel': async () => ({ path: `/schedules/${await scheduled()}/cancel` }),
  '/bills': () => ({ path: '/bills', body: { totalMinor: 4_00, asset: 'USD', division: 'equal', people: [someone] } }),
  '/bill-groups': () => ({ path: '/bill-groups', body: { name: 'Trip', people: [someone] } }),
  '/bill-groups/{id}/members': async () => ({
    path: `/bill-groups/${await group()}/members`,
    body: { people: [{ address: 'cleo@example.com', name: 'Cleo' }] },
  }),
  '/bill-groups/{id}/join': async () => ({
    path: `/bill-groups/${await group(ben, [{ address: ann.customer.email, name: 'Ann' }])}/join`,
  }),
  '/bill-groups/{id}/leave': async () => ({ path: `/bill-groups/${await group()}/leave` }),
  '/money-requests': () => ({ path: '/money-requests', body: request }),
  '/money-requests/{id}/decline': async () => ({
    path: `/money-requests/${await moneyRequest(ben, ann.customer.email)}/decline`,
  }),
  '/money-requests/{id}/cancel': async () => ({ path: `/money-requests/${await moneyRequest()}/cancel` }),
  '/money-requests/{id}/payments': async () => ({
    path: `/money-requests/${await moneyRequest(ben, ann.customer.email)}/payments`,
    body: usd(1_00),
  }),
  '/linked-accounts': () => ({
    path: '/linked-accounts',
    body: { bankName: 'First', holderName: 'Ann Lee', routingNumber: '021000021', accountNumber: '12345678' },
  }),
  '/mandates/{id}/decision': async () => ({
    path: `/mandates/${await mandate(false)}/decision`,
    body: { decision: 'approve' },
  }),
  '/goals': () => ({ path: '/goals', body: goal }),
  '/goals/{id}/deposits': async () => ({ path: `/goals/${await goalOf()}/deposits`, body: usd(1_00) }),
  '/goals/{id}/withdrawals': async () => ({ path: `/goals/${await filledGoal()}/withdrawals`, body: usd(1_00) }),
  '/goals/{id}/close': async () => ({ path: `/goals/${await filledGoal()}/close` }),
  '/loan-applications': () => ({ path: '/loan-applications', body: { ...usd(1_000_00), months: 12 } }),
  '/investing/orders': () => ({
    path: '/investing/orders',
    body: { side: 'buy', fund: 'FUND_BALANCED', ...usd(10_00) },
  }),
  '/investing/orders/{id}/cancel': async () => {
    const placedOrder = await postForJson({
      path: '/investing/orders',
      body: { side: 'buy', fund: 'FUND_BALANCED', ...usd(10_00) },
    })
    return { path: `/investing/orders/${placedOrder['order']?.id}/cancel` }
  },
  '/investing/plans': () => ({
    path: '/investing/plans',
    body: { fund: 'FUND_BALANCED', ...usd(10_00), every: 'month', startsOn: '2026-10-01' },
  }),
  '/crypto/orders': () => ({ path: '/crypto/orders', body: order }),
  '/crypto/recurring': () => ({
    path: '/crypto/recurring',
    body: { asset: 'BTC', amountMinor: 10_00, amountAsset: 'USD', every: 'month', startsOn: '2026-10-01' },
  }),
  '/cards': () => ({ path: '/cards', body: { ...virtualCard, loadMinor: 1_00 } }),
  '/cards/{id}/moves': async () => ({
    path: `/cards/${(await postForJson({ path: '/cards', body: virtualCard })).id}/moves`,
    body: { direction: 'to_card', ...usd(1_00) },
  }),
  '/cards/{id}/removal': async () => ({
    path: `/cards/${(await postForJson({ path: '/cards', body: virtualCard })).id}/removal`,
  }),
  '/rewards/redemptions': () => ({ path: '/rewards/redemptions', body: { reward: 'cashback' } }),
  '/rewards/premium': () => ({ path: '/rewards/premium', body: { priceMinor: 9_99, asset: 'USD' } }),
  '/advisor/questions': () => ({ path: '/advisor/questions', body: { question: 'What is my balance?' } }),
  '/sample/charges': () => ({ path: '/sample/charges', body: { amountMinor: 1_00 } }),
  '/sample/salary': () => ({ path: '/sample/salary', body: {} }),
  '/sample/requests': () => ({ path: '/sample/requests', body: {} }),
  '/sample/mandates': () => ({ path: '/sample/mandates', body: {} }),
  '/sample/transfers': () => ({
    path: '/sample/transfers',
    body: { payerName: 'Rosa Lind', amountMinor: 1_00, accountNumber: '4' },
  }),
  '/disputes': async () => {
    const { transaction } = await postForJson({ path: '/sample/charges', body: { amountMinor: 3_00 } })
    return { path: '/disputes', body: { transactionId: transaction?.id, reason: 'not_me' } }
  },
}

/** The routes whose preconditions take too much to set up here. Each uses `runOnce` or the ledger, as the tested ones do. */
const NOT_ASKED = [
  // Routes for clients that are not signed in.
  '/session/visit',
  '/customers',
  // Routes that need a mailed link.
  '/claims/{token}',
  '/request-links/{token}/payments',
  '/schedules/{id}/changes',
  '/schedules/{id}/skip',
  '/bills/{id}/cancel',
  '/bill-groups/{id}/bills',
  '/bill-groups/{id}/bills/{billId}/remove',
  '/bill-groups/{id}/settle',
  '/money-requests/{id}/reminders',
  '/money-requests/{id}/block',
  '/linked-accounts/{id}/verification',
  '/linked-accounts/{id}/payouts',
  '/linked-accounts/{id}/top-ups',
  '/direct-debits/{id}/claim-back',
  '/loan-applications/{id}/accept',
  '/loans/{id}/payments',
  '/loans/{id}/early-settlement',
  '/loans/{id}/withdrawal',
  '/loans/{id}/pause',
  '/crypto/trades',
  '/cards/main',
  '/carbon/offsets',
  '/disputes/{id}/withdraw',
  '/imports',
  '/kyc/submission',
  // Routes for a reviewer.
  '/review/disputes/{id}/decisions',
  '/review/cases/{id}/decisions',
  // Routes that change the bank for everyone, or replace the customer.
  '/sample/clock',
  '/sample/restart',
  '/sample/payments',
  '/sample/direct-debits',
  '/sample/payout-returns',
  '/sample/transfer-recalls',
]

type Document = { paths: Record<string, { post?: { parameters?: { name: string }[] } }> }

/** Returns all API routes that accept an Idempotency-Key. */
async function keyedRoutes(): Promise<string[]> {
  const { paths } = (await (await server.browser().get('/api/openapi.json')).json()) as Document
  const keyed = Object.entries(paths).filter(([, { post: operation }]) =>
    operation?.parameters?.some(({ name }) => name === 'Idempotency-Key'),
  )
  return keyed.map(([path]) => path.slice('/api/v1'.length))
}

async function customer(): Promise<TestPerson> {
  round += 1
  const person = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await person.fund(5_000_00)
  const { accountId: credit } = await findCollector(server.deps, person.customer.id)
  const leg = { kind: 'transfer' as const, debit: bankAccount('points_issued', 'POINTS'), credit, amountMinor: 5_000 }
  const id = randomUUID()
  await server.deps.ledger.post({ id, kind: 'rewards.test', fingerprint: 'test', bookedAt: START, legs: [leg] })
  await investorOf(person).prepare()
  await postForJson({ path: '/cards/main', by: person })
  return person
}

beforeAll(async () => {
  server = await peopleServer({ clock })
  const feed = controlPrices(server.deps, clock)
  for (const priced of ['FUND_BALANCED', 'BTC'] as const) feed.publish(priced, '2026-08-28T09:40:00Z', 20)
  ben = await server.person({ fullName: 'Ben May', email: 'ben@example.com' })
  await ben.fund(1_000_00)
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})

/** Rate limits are not tested here. */
const forgetLimits = () => server.deps.pool.query('DELETE FROM bank.rate_limit')

/** Returns 'done' or the code of the refusal. A busy bank gets the request again a little later, as from the app. */
async function outcome(requestDetails: TestRequest, key: string): Promise<string> {
  for (let time = 1; ; time += 1) {
    const answer = await post(requestDetails, key)
    if (answer.ok) return 'done'
    const { code } = ((await answer.json()) as { error: { code: string } }).error
    if (code !== 'unavailable' || time === 5) return code
    await backOff(time + 2)
  }
}

test('every route that requires a key is tested here, or is a known exception', async () => {
  expect([...Object.keys(EXAMPLE_REQUESTS), ...NOT_ASKED].toSorted()).toEqual((await keyedRoutes()).toSorted())
})

test('a key that one route has used is refused by every other, in either order, and repeated by its own', async () => {
  ann = await customer()
  const requestsByRoute = new Map<string, TestRequest & { key: string }>()
  for (const [route, ask] of Object.entries(EXAMPLE_REQUESTS)) {
    const keyedRequest = { ...(await ask()), key: randomUUID() }
    expect([route, await outcome(keyedRequest, keyedRequest.key)]).toEqual([route, 'done'])
    requestsByRoute.set(route, keyedRequest)
  }
  const faults: string[] = []
  for (const [firstRoute, { key }] of requestsByRoute) {
    const remainingRequests = [...requestsByRoute]
    // Only a few requests run at once, because they lock the same accounts.
    const ask = async (): Promise<void> => {
      for (let next = remainingRequests.shift(); next; next = remainingRequests.shift()) {
        const [secondRoute, secondRequest] = next
        const expected = firstRoute === secondRoute ? 'done' : 'idempotency_key_reused'
        const outcomeCode = await outcome(secondRequest, key)
        if (outcomeCode !== expected) faults.push(`${firstRoute}, then ${secondRoute}: ${outcomeCode}`)
      }
    }
    await Promise.all(Array.from({ length: 4 }, ask))
    await forgetLimits()
  }
  expect(faults.join('; ')).toBe('')
}, 300_000)

/**
 * Sends each pair of requests with one key at the same time. Returns the pairs whose outcomes are not one 'done' and one
 * refusal.
 */
async function wrongAtOnce(routes: readonly (readonly [string, string])[]): Promise<string[]> {
  ann = await customer()
  const faults: string[] = []
  for (const pair of routes) {
    await forgetLimits()
    const pairRequests = []
    for (const route of pair) pairRequests.push(await requestOf(route))
    const key = randomUUID()
    const answers = await Promise.all(pairRequests.map((pairRequest) => outcome(pairRequest, key)))
    const outcomes = answers.toSorted().join(', ')
    if (outcomes !== 'done, idempotency_key_reused') faults.push(`${pair.join(' and ')}: ${outcomes}`)
  }
  return faults
}

const requestOf = async (route: string): Promise<TestRequest> => {
  const ask = EXAMPLE_REQUESTS[route]
  if (!ask) throw new Error(`${route} has no example request`)
  return ask()
}

const NAMES = Object.keys(EXAMPLE_REQUESTS)
const pairsWith = (route: string) => NAMES.filter((name) => name !== route).map((name) => [name, route] as const)

test.each(['/transfers', '/sample/mandates', '/sample/salary'])(
  'of two routes that get one key at the same moment exactly one executes: with %s',
  async (route) => expect((await wrongAtOnce(pairsWith(route))).join('; ')).toBe(''),
  300_000,
)

test('each pair of other routes also executes exactly one', async () => {
  const pairs = NAMES.flatMap((name, index) => (index % 2 ? [[name, NAMES[index - 1] ?? ''] as const] : []))
  expect((await wrongAtOnce(pairs)).join('; ')).toBe('')
}, 300_000)
