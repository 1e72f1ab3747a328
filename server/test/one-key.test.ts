import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestMandate } from '#server/direct-debits/mandates.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { backOff, inTransaction } from '#server/platform/db/run.ts'
import { findCollector } from '#server/rewards/collectors.ts'
import { testClock } from '#server/test/bank.ts'
import { controlPrices, investorOf } from '#server/test/investor.ts'
import { books, type Person, peopleServer, type PeopleServer } from '#server/test/people.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }

let server: PeopleServer
let ann: Person
let ben: Person
let round = 0

/** A request that would be carried out; whatever it takes is made ready by then. */
type Asked = { path: string; body?: unknown; by?: Person }

const usd = (amountMinor: number) => ({ amountMinor, asset: 'USD' })
const post = ({ path, body, by = ann }: Asked, key: string = randomUUID()) =>
  by.browser.post(`/api/v1${path}`, body, { key })

async function made(asked: Asked): Promise<Record<string, { id: string }> & { id: string }> {
  const answer = await post(asked)
  expect([asked.path, answer.status, answer.ok || (await answer.clone().text())]).toEqual([asked.path, 200, true])
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
const virtual = { name: 'Web', kind: 'multi_use', limitMinor: 10_00, asset: 'USD' }

const goalOf = async () => (await made({ path: '/goals', body: goal })).id
const filledGoal = async () => {
  const id = await goalOf()
  await made({ path: `/goals/${id}/deposits`, body: usd(2_00) })
  return id
}
const asking = async (by = ann, recipient = 'ben@example.com') =>
  (await made({ path: '/money-requests', body: { ...request, recipient }, by }))['request']?.id
const scheduled = async () => (await made({ path: '/schedules', body: schedule }))['schedule']?.id
const grouped = async (by = ann, people = [someone]) =>
  (await made({ path: '/bill-groups', body: { name: 'Trip', people }, by }))['group']?.id

async function mandate(approved: boolean): Promise<string> {
  const asks = { billerName: 'Brightwater Energy', reference: randomUUID(), category: 'bills' as const }
  const id = await inTransaction(server.deps.db, (trx) => requestMandate(server.deps, trx, ann.customer, asks))
  if (approved) await made({ path: `/mandates/${id}/decision`, body: { decision: 'approve' } })
  return id
}

/** How each route is asked for something that it would do. */
const ASKED: Record<string, () => Asked | Promise<Asked>> = {
  '/top-ups': () => ({ path: '/top-ups', body: { ...usd(1_00), method: 'card' } }),
  '/transfers': () => ({ path: '/transfers', body: request }),
  '/transfers/{operationId}/cancel': async () => {
    const sent = await made({ path: '/transfers', body: { recipient: 'nobody@example.com', ...usd(1_00) } })
    return { path: `/transfers/${sent['transaction']?.id}/cancel` }
  },
  '/schedules': () => ({ path: '/schedules', body: schedule }),
  '/schedules/{id}/cancel': async () => ({ path: `/schedules/${await scheduled()}/cancel` }),
  '/bills': () => ({ path: '/bills', body: { totalMinor: 4_00, asset: 'USD', division: 'equal', people: [someone] } }),
  '/bill-groups': () => ({ path: '/bill-groups', body: { name: 'Trip', people: [someone] } }),
  '/bill-groups/{id}/members': async () => ({
    path: `/bill-groups/${await grouped()}/members`,
    body: { people: [{ address: 'cleo@example.com', name: 'Cleo' }] },
  }),
  '/bill-groups/{id}/join': async () => ({
    path: `/bill-groups/${await grouped(ben, [{ address: ann.customer.email, name: 'Ann' }])}/join`,
  }),
  '/bill-groups/{id}/leave': async () => ({ path: `/bill-groups/${await grouped()}/leave` }),
  '/money-requests': () => ({ path: '/money-requests', body: request }),
  '/money-requests/{id}/decline': async () => ({
    path: `/money-requests/${await asking(ben, ann.customer.email)}/decline`,
  }),
  '/money-requests/{id}/cancel': async () => ({ path: `/money-requests/${await asking()}/cancel` }),
  '/money-requests/{id}/payments': async () => ({
    path: `/money-requests/${await asking(ben, ann.customer.email)}/payments`,
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
    const placed = await made({
      path: '/investing/orders',
      body: { side: 'buy', fund: 'FUND_BALANCED', ...usd(10_00) },
    })
    return { path: `/investing/orders/${placed['order']?.id}/cancel` }
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
  '/cards': () => ({ path: '/cards', body: { ...virtual, loadMinor: 1_00 } }),
  '/cards/{id}/moves': async () => ({
    path: `/cards/${(await made({ path: '/cards', body: virtual })).id}/moves`,
    body: { direction: 'to_card', ...usd(1_00) },
  }),
  '/cards/{id}/removal': async () => ({ path: `/cards/${(await made({ path: '/cards', body: virtual })).id}/removal` }),
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
    const { transaction } = await made({ path: '/sample/charges', body: { amountMinor: 3_00 } })
    return { path: '/disputes', body: { transactionId: transaction?.id, reason: 'not_me' } }
  },
}

/** What would take too much to make ready here. Each goes through `once` or the ledger, as those above do. */
const NOT_ASKED = [
  // By who is not signed in.
  '/session/visit',
  '/customers',
  // With a link that was mailed.
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
  // By a reviewer.
  '/review/disputes/{id}/decisions',
  '/review/cases/{id}/decisions',
  // These change the bank for everybody, or make the customer another one.
  '/sample/clock',
  '/sample/restart',
  '/sample/payments',
  '/sample/direct-debits',
  '/sample/payout-returns',
  '/sample/transfer-recalls',
]

type Document = { paths: Record<string, { post?: { parameters?: { name: string }[] } }> }

/** Every route of the API that takes an Idempotency-Key. */
async function keyedRoutes(): Promise<string[]> {
  const { paths } = (await (await server.browser().get('/api/openapi.json')).json()) as Document
  const keyed = Object.entries(paths).filter(([, { post: asked }]) =>
    asked?.parameters?.some(({ name }) => name === 'Idempotency-Key'),
  )
  return keyed.map(([path]) => path.slice('/api/v1'.length))
}

async function customer(): Promise<Person> {
  round += 1
  const person = await server.person({ fullName: 'Ann Lee', email: `ann${round}@example.com` })
  await person.fund(5_000_00)
  const { accountId: credit } = await findCollector(server.deps, person.customer.id)
  const leg = { kind: 'transfer' as const, debit: bankAccount('points_issued', 'POINTS'), credit, amountMinor: 5_000 }
  const id = randomUUID()
  await server.deps.ledger.post({ id, kind: 'rewards.test', fingerprint: 'test', bookedAt: START, legs: [leg] })
  await investorOf(person).prepare()
  await made({ path: '/cards/main', by: person })
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
  await books(server)
  await server.close()
})

/** The limits on how often are not what is tested here. */
const forgetLimits = () => server.deps.pool.query('DELETE FROM bank.rate_limit')

/** What a request comes to: 'done', or the code of the refusal. A busy bank is asked again a little later, as the app does. */
async function outcome(asked: Asked, key: string): Promise<string> {
  for (let time = 1; ; time += 1) {
    const answer = await post(asked, key)
    if (answer.ok) return 'done'
    const { code } = ((await answer.json()) as { error: { code: string } }).error
    if (code !== 'unavailable' || time === 5) return code
    await backOff(time + 2)
  }
}

test('every route that takes a key is asked here, or is known not to be', async () => {
  expect([...Object.keys(ASKED), ...NOT_ASKED].toSorted()).toEqual((await keyedRoutes()).toSorted())
})

test('a key that one route has taken is refused by every other, in either order, and answered again by its own', async () => {
  ann = await customer()
  const asked = new Map<string, Asked & { key: string }>()
  for (const [route, ask] of Object.entries(ASKED)) {
    const one = { ...(await ask()), key: randomUUID() }
    expect([route, await outcome(one, one.key)]).toEqual([route, 'done'])
    asked.set(route, one)
  }
  const wrong: string[] = []
  for (const [first, { key }] of asked) {
    const others = [...asked]
    // A few at a time: they lock the same accounts.
    const ask = async (): Promise<void> => {
      for (let next = others.shift(); next; next = others.shift()) {
        const [second, other] = next
        const wanted = first === second ? 'done' : 'idempotency_key_reused'
        const answered = await outcome(other, key)
        if (answered !== wanted) wrong.push(`${first}, then ${second}: ${answered}`)
      }
    }
    await Promise.all(Array.from({ length: 4 }, ask))
    await forgetLimits()
  }
  expect(wrong.join('; ')).toBe('')
}, 300_000)

/** What was answered otherwise than once 'done' and once refused, for each pair of routes that is given one key. */
async function wrongAtOnce(routes: readonly (readonly [string, string])[]): Promise<string[]> {
  ann = await customer()
  const wrong: string[] = []
  for (const pair of routes) {
    await forgetLimits()
    const asked = []
    for (const route of pair) asked.push(await askedOf(route))
    const key = randomUUID()
    const answers = await Promise.all(asked.map((one) => outcome(one, key)))
    const both = answers.toSorted().join(', ')
    if (both !== 'done, idempotency_key_reused') wrong.push(`${pair.join(' and ')}: ${both}`)
  }
  return wrong
}

const askedOf = async (route: string): Promise<Asked> => {
  const ask = ASKED[route]
  if (!ask) throw new Error(`${route} is not asked here`)
  return ask()
}

const NAMES = Object.keys(ASKED)
const pairsWith = (one: string) => NAMES.filter((name) => name !== one).map((name) => [name, one] as const)

test.each(['/transfers', '/sample/mandates', '/sample/salary'])(
  'of two routes that are given one key at the same moment exactly one does what it is asked: with %s',
  async (one) => expect((await wrongAtOnce(pairsWith(one))).join('; ')).toBe(''),
  300_000,
)

test('and each with another', async () => {
  const pairs = NAMES.flatMap((name, at) => (at % 2 ? [[name, NAMES[at - 1] ?? ''] as const] : []))
  expect((await wrongAtOnce(pairs)).join('; ')).toBe('')
}, 300_000)
