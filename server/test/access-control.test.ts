import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendMail } from '#server/mail/service.ts'
import { notify } from '#server/notifications/service.ts'
import { runOn } from '#server/platform/db/run.ts'
import { type TestPerson, peopleServer, type PeopleServer } from '#server/test/people.ts'

/** The routes that respond without a session. A new one must be added here deliberately. */
const PUBLIC = new Set([
  'GET /session',
  'POST /session/visit',
  'POST /session',
  'DELETE /session',
  'POST /session/second-factor',
  'POST /session/biometric',
  'POST /session/passkey/options',
  'POST /session/passkey',
  'POST /customers',
  'POST /password-resets',
  'POST /passwords',
  'POST /email-confirmations',
  'GET /claims/{token}',
])

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

type Schema = { additionalProperties?: unknown; anyOf?: Schema[]; oneOf?: Schema[]; $ref?: string }
type Operation = {
  security?: unknown[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
type Route = { name: string; method: string; path: string; operation: Operation }

let server: PeopleServer
let routes: Route[]

beforeAll(async () => {
  server = await peopleServer()
  const document = await (await server.browser().get('/api/openapi.json')).json()
  const paths = document.paths as Record<string, Partial<Record<(typeof METHODS)[number], Operation>>>
  routes = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/v1/'))
    .flatMap(([path, operations]) =>
      METHODS.flatMap((key) => {
        const operation = operations[key]
        const method = key.toUpperCase()
        return operation ? [{ name: `${method} ${path.slice('/api/v1'.length)}`, method, path, operation }] : []
      }),
    )
})
afterAll(() => server.close())

const fillPath = (path: string, ids: Record<string, string> = {}) =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? randomUUID())

/** Returns the number and digest of the rows of every table, except rate limits and the times of last use. */
async function digestTables(): Promise<Map<string, unknown>> {
  const run = runOn(server.deps.pool)
  const { rows: tables } = await run(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
      WHERE table_schema IN ('bank', 'ledger') AND table_type = 'BASE TABLE' AND table_name <> 'rate_limit'
        AND has_table_privilege(format('%I.%I', table_schema, table_name), 'SELECT')`,
    [],
  )
  const digestsByTable = new Map<string, unknown>()
  for (const { name } of tables) {
    const { rows } = await run(
      `SELECT count(*) AS rows, md5(string_agg(content, ',' ORDER BY content)) AS digest
         FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS content FROM ${name as string} t) all_rows`,
      [],
    )
    digestsByTable.set(name as string, rows[0])
  }
  return digestsByTable
}

test('without a session every route that is not public answers 401, and writes nothing', async () => {
  const digestsBefore = await digestTables()
  const guarded = routes.filter(({ name }) => !PUBLIC.has(name))
  expect(guarded.length).toBeGreaterThan(20)
  for (const { name, method, path } of guarded) {
    const body = method === 'GET' || method === 'DELETE' ? undefined : '{}'
    const answer = await server.browser().send(method, fillPath(path), body)
    expect([name, answer.status, (await answer.json()).error?.code]).toEqual([name, 401, 'sign_in_required'])
  }
  expect(await digestTables()).toEqual(digestsBefore)
})

test('the routes declared as public are the known ones', () => {
  const open = routes.filter(({ operation }) => operation.security?.length === 0).map(({ name }) => name)
  expect(new Set(open)).toEqual(PUBLIC)
})

test('no JSON body accepts fields that its route does not declare', () => {
  const schemas = routes.flatMap(({ name, operation }) => {
    const schema = operation.requestBody?.content['application/json']?.schema
    return (schema ? (schema.anyOf ?? schema.oneOf ?? [schema]) : []).map((schemaPart) => [
      name,
      schemaPart.additionalProperties,
    ])
  })
  expect(schemas.length).toBeGreaterThan(10)
  expect(schemas.filter(([, additional]) => additional !== false)).toEqual([])
})

/**
 * The request for each route with an id; the ids belong to Ann. A claim has no owner, because its token alone grants access to
 * it.
 */
type Owned = Record<string, { ids: Record<string, string>; query?: string; body?: unknown }>

async function annsPaymentMethods(ann: TestPerson): Promise<Owned> {
  const numbers = { routingNumber: '011000015', accountNumber: '1234567' }
  const linked = await ann.browser.post('/api/v1/linked-accounts', { bankName: 'B', holderName: 'Ann Lee', ...numbers })
  const accountIds = { id: (await linked.json()).account.id as string }
  await ann.browser.post('/api/v1/sample/mandates')
  const mandate = async () => (await (await ann.browser.get('/api/v1/mandates')).json()).mandates[0]
  const mandateIds = { id: (await mandate()).id as string }
  await ann.browser.post(`/api/v1/mandates/${mandateIds.id}/decision`, { decision: 'approve' })
  const debitIds = { id: (await mandate()).upcoming[0].id as string }
  const cents = { amountMinor: 1, asset: 'USD' }
  return {
    'POST /linked-accounts/{id}/verification': { ids: accountIds, body: { firstMinor: 1, secondMinor: 1 } },
    'POST /linked-accounts/{id}/payouts': { ids: accountIds, body: cents },
    'POST /linked-accounts/{id}/top-ups': { ids: accountIds, body: cents },
    'DELETE /linked-accounts/{id}': { ids: accountIds },
    'POST /mandates/{id}/decision': { ids: mandateIds, body: { decision: 'approve' } },
    'POST /mandates/{id}/cancel': { ids: mandateIds },
    'POST /direct-debits/{id}/claim-back': { ids: debitIds },
  }
}

async function annsCoins(ann: TestPerson): Promise<Owned> {
  const coins = { asset: 'BTC', amountMinor: 5_00, amountAsset: 'USD' }
  const order = { ...coins, side: 'buy', limitMicros: 1_000_000, expiresInDays: null }
  const orderAnswer = await ann.browser.post('/api/v1/crypto/orders', order)
  const recurring = { ...coins, every: 'month', startsOn: '2026-09-01' }
  const recurringAnswer = await ann.browser.post('/api/v1/crypto/recurring', recurring)
  return {
    'POST /crypto/orders/{id}/cancel': { ids: { id: (await orderAnswer.json()).order.id as string } },
    'DELETE /crypto/recurring/{id}': { ids: { id: (await recurringAnswer.json()).recurring.id as string } },
  }
}

async function annsInvestments(ann: TestPerson): Promise<Owned> {
  const answers = { horizon: 'over_five_years', loss: 'wait', reserves: 'three_to_six_months' }
  await ann.browser.send('PUT', '/api/v1/investing/suitability', JSON.stringify(answers))
  await ann.browser.send('PUT', '/api/v1/investing/risk-notice', JSON.stringify({ version: 1 }))
  const purchase = { fund: 'FUND_BALANCED', amountMinor: 10_00, asset: 'USD' }
  const { order } = await (await ann.browser.post('/api/v1/investing/orders', { side: 'buy', ...purchase })).json()
  const planBody = { ...purchase, every: 'month', startsOn: '2026-09-01' }
  const { plan } = await (await ann.browser.post('/api/v1/investing/plans', planBody)).json()
  const planIds = { id: plan.id as string }
  return {
    'POST /investing/orders/{id}/cancel': { ids: { id: order.id as string } },
    'POST /investing/plans/{id}/pause': { ids: planIds },
    'POST /investing/plans/{id}/resume': { ids: planIds },
    'POST /investing/plans/{id}/cancel': { ids: planIds },
  }
}

/** This id belongs to no customer; server/loans/loans.test.ts uses ids of other customers for most of these routes. */
const loanIds = { id: randomUUID() }
const LOANS: Owned = {
  'GET /loan-applications/{id}': { ids: loanIds },
  'POST /loan-applications/{id}/withdraw': { ids: loanIds },
  'POST /loan-applications/{id}/accept': { ids: loanIds },
  'GET /loans/{id}': { ids: loanIds },
  'POST /loans/{id}/payments': { ids: loanIds, body: { amountMinor: 100, asset: 'USD' } },
  'POST /loans/{id}/quotes': { ids: loanIds },
  'POST /loans/{id}/early-settlement': { ids: loanIds, body: { quoteId: randomUUID() } },
  'POST /loans/{id}/withdrawal': { ids: loanIds, body: { amountMinor: 100, asset: 'USD' } },
  'POST /loans/{id}/pause': {
    ids: loanIds,
    body: {
      months: 1,
      terms: { nextDueOn: '2026-10-28', lastDueOn: '2027-10-28', lastAmountMinor: 100, extraMinor: 1 },
    },
  },
  'GET /loans/{id}/pause': { ids: loanIds },
  'GET /loans/{id}/statement': { ids: loanIds },
}

async function annsOwn(ann: TestPerson): Promise<Owned> {
  const transferAnswer = await ann.browser.post('/api/v1/transfers', {
    recipient: 'not.a.customer@example.com',
    amountMinor: 100,
    asset: 'USD',
  })
  const { transaction } = await transferAnswer.json()
  // The contact is written a moment after the response to Ann's payment. The test waits for it, because the write is not Bob's.
  const contacts = async () => (await (await ann.browser.get('/api/v1/contacts')).json()).contacts
  await expect.poll(contacts).toHaveLength(1)
  await sendMail(server.deps, server.deps.db, {
    to: 'ann@example.com',
    customerId: ann.customer.id,
    kind: 'welcome',
    params: {},
  })
  await notify(server.deps, server.deps.db, {
    customerId: ann.customer.id,
    kind: 'top_up_settled',
    params: { amountMinor: 100, asset: 'USD', method: 'bank' },
  })
  const [notice] = (await (await ann.browser.get('/api/v1/notifications')).json()).notices
  const [mail] = (await (await ann.browser.get('/api/v1/sample/mail')).json()).mails
  const scheduleAnswer = await ann.browser.post('/api/v1/schedules', {
    recipient: 'bob@example.com',
    amountMinor: 100,
    asset: 'USD',
    every: 'once',
    startsOn: '2026-09-01',
    end: { kind: 'never' },
  })
  const { schedule } = await scheduleAnswer.json()
  const scheduleIds = { id: schedule.id as string }
  const change = { version: 1, amountMinor: 100, note: null, nextOn: '2026-09-02', end: { kind: 'never' } }
  const { devices } = await (await ann.browser.get('/api/v1/sessions')).json()
  const specimen = await ann.browser.post('/api/v1/kyc/specimens/id', { type: 'passport' })
  const [document] = (await specimen.json()).documents
  const goalBody = { name: 'Sea', icon: 'plane', targetMinor: 500, targetOn: null }
  const goal = await (await ann.browser.post('/api/v1/goals', { ...goalBody, lockedUntil: null })).json()
  const goalIds = { id: goal.id as string }
  const goalMove = { amountMinor: 100, asset: 'USD' }
  await ann.browser.post('/api/v1/cards/main')
  const [card] = (await (await ann.browser.get('/api/v1/cards')).json()).cards
  const cardIds = { id: card.id as string }
  const newCard = { name: 'Shops', kind: 'multi_use', limitMinor: 100, asset: 'USD' }
  const virtualIds = { id: (await (await ann.browser.post('/api/v1/cards', newCard)).json()).id as string }
  const response = await ann.browser.post('/api/v1/money-requests', { amountMinor: 100, asset: 'USD' })
  const requestIds = { id: (await response.json()).request.id as string }
  const transactionIds = { id: transaction.id }
  const caseIds = { id: randomUUID(), documentId: document.id as string }
  const people = [{ name: 'Cat', address: 'cat@example.com' }]
  const split = { totalMinor: 10_00, asset: 'USD', division: 'equal', people }
  const billIds = { id: (await (await ann.browser.post('/api/v1/bills', split)).json()).bill.id as string }
  await expect.poll(contacts).toHaveLength(2)
  const opened = await ann.browser.post('/api/v1/bill-groups', { name: 'Trip', people })
  const groupIds = { id: (await opened.json()).group.id as string, billId: randomUUID() }
  const content = Buffer.from('Date,Name,Amount\n2026-08-01,Shop,-1.00\n').toString('base64')
  const imported = await ann.browser.post('/api/v1/imports', { fileName: 'a.csv', content, mapping: null })
  const importIds = { id: (await imported.json()).id as string }
  const groupBill = { totalMinor: 10_00, asset: 'USD', division: 'equal', people: [{ memberId: randomUUID() }] }
  return {
    'GET /transactions/{id}/dispute': { ids: transactionIds },
    'POST /disputes/{id}/withdraw': { ids: { id: randomUUID() } },
    'POST /review/disputes/{id}/decisions': { ids: { id: randomUUID() }, body: { decision: 'uphold' } },
    ...LOANS,
    'GET /bills/{id}': { ids: billIds },
    'POST /bills/{id}/cancel': { ids: billIds },
    'GET /bill-groups/{id}': { ids: groupIds },
    'POST /bill-groups/{id}/members': { ids: groupIds, body: { people } },
    'POST /bill-groups/{id}/join': { ids: groupIds },
    'POST /bill-groups/{id}/leave': { ids: groupIds },
    'POST /bill-groups/{id}/bills': { ids: groupIds, body: groupBill },
    'POST /bill-groups/{id}/bills/{billId}/remove': { ids: groupIds },
    'POST /bill-groups/{id}/settle': { ids: groupIds },
    // This id belongs to no customer; server/carbon/carbon.test.ts uses ids of other customers.
    'GET /carbon/certificates/{id}/pdf': { ids: { id: randomUUID() } },
    'PUT /analytics/payments/{id}/category': { ids: transactionIds, body: { category: 'bills', scope: 'once' } },
    'GET /transactions/{id}': { ids: transactionIds },
    'GET /transactions/{id}/receipt': { ids: transactionIds },
    'PUT /transactions/{id}/note': { ids: transactionIds, body: { note: 'Mine' } },
    'GET /transactions/{id}/photo': { ids: transactionIds },
    'PUT /transactions/{id}/photo': { ids: transactionIds },
    'DELETE /transactions/{id}/photo': { ids: transactionIds },
    'POST /transfers/{operationId}/cancel': { ids: { operationId: transaction.id } },
    ...(await annsPaymentMethods(ann)),
    ...(await annsCoins(ann)),
    ...(await annsInvestments(ann)),
    'POST /schedules/{id}/changes': { ids: scheduleIds, body: change },
    'POST /schedules/{id}/skip': { ids: scheduleIds, body: { version: 1 } },
    'POST /schedules/{id}/cancel': { ids: scheduleIds },
    'PUT /goals/{id}': { ids: goalIds, body: goalBody },
    'POST /goals/{id}/deposits': { ids: goalIds, body: goalMove },
    'POST /goals/{id}/withdrawals': { ids: goalIds, body: goalMove },
    'POST /goals/{id}/close': { ids: goalIds },
    'PUT /goals/{id}/lock': { ids: goalIds, body: { lockedUntil: '2030-01-01' } },
    'POST /goals/{id}/unlock': { ids: goalIds },
    'PUT /goals/{id}/monthly': { ids: goalIds, body: { ...goalMove, dayOfMonth: 1 } },
    'DELETE /goals/{id}/monthly': { ids: goalIds },
    'GET /goals/{id}/activity': { ids: goalIds },
    'PATCH /cards/{id}': { ids: cardIds, body: { online: false } },
    'POST /cards/{id}/details': { ids: cardIds },
    'POST /cards/{id}/freeze': { ids: cardIds },
    'POST /cards/{id}/unfreeze': { ids: cardIds },
    'POST /cards/{id}/moves': { ids: cardIds, body: { direction: 'to_card', amountMinor: 100, asset: 'USD' } },
    'GET /cards/{id}/transactions': { ids: virtualIds },
    'POST /cards/{id}/removal': { ids: cardIds },
    'GET /money-requests/{id}': { ids: requestIds },
    'POST /money-requests/{id}/payments': { ids: requestIds, body: { amountMinor: 1, asset: 'USD' } },
    'POST /money-requests/{id}/decline': { ids: requestIds },
    'POST /money-requests/{id}/cancel': { ids: requestIds },
    'POST /money-requests/{id}/reminders': { ids: requestIds },
    'POST /money-requests/{id}/block': { ids: requestIds, body: { report: false } },
    'DELETE /request-blocks/{id}': { ids: { id: randomUUID() } },
    'DELETE /sessions/{id}': { ids: { id: devices[0].id } },
    'DELETE /passkeys/{id}': { ids: { id: 'Y3JlZGVudGlhbA' } },
    'POST /notifications/{id}/read': { ids: { id: notice.id } },
    'GET /statements/{id}': { ids: virtualIds, query: '?from=2026-08-01&to=2026-08-02' },
    'GET /statements/{id}/file': { ids: virtualIds, query: '?from=2026-08-01&to=2026-08-02&format=csv' },
    'DELETE /imports/{id}': { ids: importIds },
    'GET /sample/mail/{id}': { ids: { id: mail.id } },
    'GET /kyc/documents/{id}': { ids: { id: document.id } },
    'GET /review/cases/{id}': { ids: caseIds },
    'GET /review/cases/{id}/documents/{documentId}': { ids: caseIds },
    'GET /review/cases/{id}/history': { ids: caseIds },
    'POST /review/cases/{id}/unlock': { ids: caseIds },
    'POST /review/cases/{id}/decisions': { ids: caseIds, body: { decision: 'approve', digest: 'x' } },
  }
}

/** Parameters that are not ids of rows. Only the client that made a key has it, so a key's existence reveals nothing. */
const NOT_IDS = /\{(step|token|key|asset)\}/

test('another customer’s ids are not found, and nothing is written', async () => {
  const ann = await server.person({ fullName: 'Ann Lee', email: 'ann@example.com' })
  const bob = await server.person({ fullName: 'Bob May', email: 'bob@example.com' })
  await ann.fund(50_00)
  const owned = await annsOwn(ann)
  const withIds = routes.filter(({ path }) => path.includes('{') && !NOT_IDS.test(path))
  expect(new Set(withIds.map(({ name }) => name))).toEqual(new Set(Object.keys(owned)))
  const digestsBefore = await digestTables()
  for (const { name, method, path } of withIds) {
    const { ids, query = '', body } = owned[name] ?? { ids: {} }
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await bob.browser.send(method, fillPath(path, ids) + query, text)
    expect([name, answer.status]).toEqual([name, 404])
    // A text that PostgreSQL cannot store is not an id.
    const nobodys = Object.fromEntries(Object.keys(ids).map((key) => [key, '%00']))
    const unkept = await bob.browser.send(method, fillPath(path, nobodys) + query, text)
    expect([name, unkept.status]).toEqual([name, 404])
  }
  expect(await digestTables()).toEqual(digestsBefore)
})
