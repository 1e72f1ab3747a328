import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Conversation, AdvisorExchange, AdvisorStatement } from '#contract/advisor.ts'
import { EXCHANGES_KEPT, MAX_QUESTION } from '#contract/advisor-terms.ts'
import { clearConversation } from '#server/advisor/service.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { runOn } from '#server/platform/db/run.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import type { Browser } from '#server/test/browser.ts'
import { auditTestBooks, expectRefusal, peopleServer, type PeopleServer } from '#server/test/people.ts'
import { signInCookie } from '#server/test/sign-in.ts'

let server: PeopleServer
let sample: Browser
let sampleId: string

beforeAll(async () => {
  server = await peopleServer()
  const customer = await openSampleCustomer(server.deps)
  sampleId = customer.id
  sample = server.browser(await signInCookie(server.deps, customer.id))
})
afterAll(() => server.close())

const person = (name: string) =>
  server.person({ fullName: name, email: `${name.toLowerCase().replace(' ', '.')}.${randomUUID()}@example.com` })

async function ask(browser: Browser, question: string, key?: string): Promise<AdvisorExchange> {
  const answer = await browser.post('/api/v1/advisor/questions', { question }, key === undefined ? {} : { key })
  expect(answer.status).toBe(200)
  return (await answer.json()) as AdvisorExchange
}

const conversation = async (browser: Browser): Promise<Conversation> =>
  (await (await browser.get('/api/v1/advisor')).json()) as Conversation

const askForStatements = async (question: string): Promise<AdvisorStatement[]> => {
  await server.deps.pool.query('DELETE FROM bank.rate_limit')
  return (await ask(sample, question)).statements
}

const codes = async (question: string) => (await askForStatements(question)).map(({ code }) => code)

test('the sample customer can set aside $200 a month, and spends 15% more on dining', async () => {
  const { statements } = await ask(sample, 'How can I save more?')
  expect(statements).toEqual([
    { code: 'set_aside', amountMinor: 200_00, link: { screen: 'savings' } },
    {
      code: 'dining_up',
      percent: 15,
      nowMinor: 255_30,
      beforeMinor: 222_00,
      link: { screen: 'transactions', category: 'food', from: '2026-08-01', to: '2026-08-31' },
      card: {
        kind: 'compared',
        from: '2026-08-01',
        to: '2026-08-31',
        parts: [{ category: null, nowMinor: 255_30, beforeMinor: 222_00 }],
      },
    },
  ])
})

test('the payments behind a figure add up to the figure', async () => {
  const [statement] = await askForStatements('How much did I spend on shopping?')
  expect(statement).toMatchObject({ code: 'category', category: 'shopping', nowMinor: 380_00 })
  const { screen: _screen, ...filters } = statement?.link ?? { screen: 'transactions' }
  const search = new URLSearchParams({ ...filters, limit: '100' } as Record<string, string>)
  const page = await (await sample.get(`/api/v1/transactions?${search}`)).json()
  const sum = (page.transactions as { amountMinor: number }[]).reduce(
    (total, { amountMinor }) => total + amountMinor,
    0,
  )
  expect(sum).toBe(-380_00)
})

test('answers about twenty kinds of questions from the ledger', async () => {
  expect(await askForStatements("What's my balance?")).toMatchObject([{ code: 'balance', amountMinor: 12_458_50 }])
  expect(await askForStatements('How much did I spend this month?')).toMatchObject([
    { code: 'spent_so_far', spentMinor: 1_500_00, percent: -8.5 },
    { code: 'largest_category', category: 'food', spentMinor: 520_00, percent: 35 },
  ])
  expect(await askForStatements('How much did I spend last month?')).toMatchObject([
    { code: 'spent_in', spentMinor: 1_639_34, month: '2026-07' },
    { code: 'largest_category' },
  ])
  expect(await askForStatements('What is my income?')).toMatchObject([
    { code: 'income_in', incomeMinor: 3_840_00, month: '2026-08' },
  ])
  expect((await codes('Reduce my spending')).slice(0, 2)).toEqual(['largest_category', 'cut_by_tenth'])
  expect(await codes('Investment tips')).toEqual(['cushion_there', 'set_aside', 'invest_risk'])
  expect(await askForStatements('How are my savings goals?')).toMatchObject([
    {
      code: 'saved_in_goals',
      amountMinor: 14_150_00,
      card: {
        kind: 'goals',
        goals: [
          { name: 'Vacation Fund', icon: 'plane', savedMinor: 2_450_00, targetMinor: 5_000_00, percent: 49 },
          { name: 'Emergency Fund' },
          { name: 'New Car' },
        ],
      },
    },
  ])
  expect(await askForStatements('How is my Vacation Fund?')).toMatchObject([
    {
      code: 'goal',
      name: 'Vacation Fund',
      savedMinor: 2_450_00,
      targetMinor: 5_000_00,
      percent: 49,
      link: { screen: 'savings' },
      card: { kind: 'goals', goals: [{ name: 'Vacation Fund' }] },
    },
  ])
  await server.deps.pool.query(`UPDATE bank.goal SET target_on = '2027-06-30' WHERE name = 'Vacation Fund'`)
  // The earlier questions were about payments, and one of the payments goes into the goal.
  await askForStatements('How much did I spend on groceries last month?')
  expect(await askForStatements('How much is in my Vacation Fund?')).toMatchObject([
    { code: 'goal' },
    { code: 'goal_need', name: 'Vacation Fund', on: '2027-06-30' },
  ])
  await server.deps.pool.query(`UPDATE bank.goal SET target_on = NULL WHERE name = 'Vacation Fund'`)
  expect((await codes('How much is in my Emergency Fund?'))[0]).toBe('goal')
  expect(await codes('How close am I to my goal?')).toEqual(['saved_in_goals'])
  expect(await askForStatements('What if I save $300 a month for my Vacation Fund?')).toMatchObject([
    { code: 'goal_when', name: 'Vacation Fund', amountMinor: 300_00, month: '2027-05' },
  ])
  expect(await codes('What was my largest payment?')).toEqual(['largest'])
  expect(await askForStatements('Show my latest transactions')).toMatchObject([{ code: 'latest', count: 5 }])
  expect(await askForStatements('How many points do I have?')).toMatchObject([{ code: 'points', points: 2_450 }])
  expect(await askForStatements("What's my credit score?")).toMatchObject([{ code: 'credit_score', score: 742 }])
  expect((await codes('Compare with last month')).slice(0, 2)).toEqual(['spent_so_far', 'spent_in'])
  expect((await codes('What will I have at the end of the month?'))[0]).toBe('forecast')
  expect(await codes('Can I afford something for $100?')).toEqual(['afford_yes'])
  expect(await codes('Can I afford something for $9,000,000?')).toEqual(['afford_no'])
  expect((await codes('What did I pay Copper Kettle Coffee?'))[0]).toBe('spent_at')
})

test('answers everyday questions in everyday words', async () => {
  const coffee = await askForStatements('What did coffee cost me last month?')
  expect(coffee).toMatchObject([
    { code: 'understood', kind: 'coffee', period: '2026-07' },
    { code: 'in_all', link: { category: 'food', from: '2026-07-01', to: '2026-07-31' } },
  ])
  const food = await askForStatements('How much did I spend on food in July?')
  const minorOf = (statement: AdvisorStatement | undefined, name: string): number =>
    Number(new Map<string, unknown>(Object.entries(statement ?? {})).get(name) ?? 0)
  // Coffee is narrower than the category of food.
  expect(minorOf(coffee[1], 'amountMinor')).toBeGreaterThan(0)
  expect(minorOf(coffee[1], 'amountMinor')).toBeLessThan(minorOf(food[0], 'spentMinor'))
  expect(await askForStatements('and in June?')).toMatchObject([
    { code: 'category_in', category: 'food', month: '2026-06' },
  ])
  expect(await askForStatements('and for shopping?')).toMatchObject([
    { code: 'category_in', category: 'shopping', month: '2026-06' },
  ])
  const [largest] = await askForStatements('What was my largest payment?')
  const usd = (minorOf(largest, 'amountMinor') / 100).toFixed(2)
  expect(await codes(`Why was I charged ${usd}?`)).toEqual(['understood', 'latest', 'article'])
  expect(await codes('Why was I charged 15.99')).toContain('understood')
  expect((await codes('What subscriptions do I have'))[0]).toBe('recurring')
  expect(await askForStatements('When do I get paid')).toMatchObject([{ code: 'due', amountMinor: expect.any(Number) }])
  expect(await askForStatements('cancel my loan')).toEqual([{ code: 'loan_end', link: { screen: 'loans' } }])
  expect(await askForStatements('how do I dispute a payment')).toEqual([
    { code: 'article', article: 'report_payment', link: { screen: 'helpArticle', id: 'report_payment' } },
  ])
  expect(await codes('can I afford 600 in October')).toEqual(['counted_on', 'afford_yes'])
  expect(await codes('How much did I pay Copper Kettle Coffee this year')).toEqual(['understood', 'in_all'])
  expect(await askForStatements('How much did I spend this year?')).toMatchObject([
    { code: 'understood', period: '2026' },
    { code: 'in_all', link: { from: '2026-01-01', to: '2026-12-31' } },
  ])
  expect(await codes('How much did I spend last week?')).toEqual(['understood', 'in_all'])
  expect(await codes('How much did I earn this year?')).toEqual(['understood', 'came_in'])
  expect(await codes("What's my balance and when do I get paid?")).toEqual(['balance', 'due'])
})

test('shows the sources of an answer as data of the ledger', async () => {
  const cardOf = async (question: string) => (await askForStatements(question)).find(({ card }) => card)?.card
  expect(await cardOf('How much did I spend this month?')).toEqual({
    kind: 'categories',
    from: '2026-08-01',
    to: '2026-08-31',
    parts: [
      { category: 'food', amountMinor: 520_00, percent: 35 },
      { category: 'shopping', amountMinor: 380_00, percent: 25 },
      { category: 'transport', amountMinor: 210_00, percent: 14 },
      { category: 'bills', amountMinor: 210_00, percent: 14 },
      { category: 'entertainment', amountMinor: 180_00, percent: 12 },
    ],
  })
  expect(await cardOf('What subscriptions do I have?')).toMatchObject({
    kind: 'due',
    incoming: false,
    payments: [
      { name: { code: 'name', params: { name: 'Brightwater Energy' } }, amountMinor: 145_00, on: '2026-09-08' },
      { name: { params: { name: 'Fernline Broadband' } }, amountMinor: 65_00, on: '2026-09-14' },
    ],
  })
  expect(await cardOf('When do I get paid?')).toMatchObject({ kind: 'due', incoming: true })
  expect(await cardOf('How much did I pay Sarah this year?')).toEqual({
    kind: 'paid',
    name: 'Sarah Johnson',
    isPerson: true,
    amountMinor: 45_00,
    count: 1,
    from: '2026-01-01',
    to: '2026-12-31',
  })
  expect(await cardOf('Why was I charged 15.99?')).toMatchObject({
    kind: 'payments',
    payments: [{ name: { params: { name: 'Streamly' } }, amountMinor: -15_99, status: 'completed' }],
  })
  const forecastCard = await cardOf('What will I have at the end of the month?')
  if (forecastCard?.kind !== 'forecast') throw new Error('No forecast')
  expect(forecastCard).toMatchObject({ nowMinor: 12_458_50, on: '2026-08-31', spendMinor: null })
  expect(forecastCard.nowMinor + forecastCard.inMinor - forecastCard.outMinor).toBe(forecastCard.balanceMinor)
  expect(await cardOf('How much did I spend this year?')).toMatchObject({ kind: 'months' })
  expect(await cardOf('Compare with last month')).toMatchObject({ kind: 'compared' })
  expect(await cardOf("What's my balance?")).toEqual({ kind: 'balance', amountMinor: 12_458_50 })
})

test('offers follow-up questions, and shows what it understood of a question that it cannot answer', async () => {
  const { next } = await ask(sample, 'How much did I spend this month?')
  expect(next).toEqual(['last_month', 'compare', 'largest'])
  expect(await askForStatements('And last month?')).toMatchObject([{ code: 'spent_in', month: '2026-07' }, {}])
  const unknown = await ask(sample, 'Did I spend more than $500 on food?')
  expect(unknown.statements.slice(0, 2)).toEqual([
    { code: 'not_understood' },
    { code: 'about', category: 'food', amountMinor: 500_00 },
  ])
  expect(unknown.next[0]).toBe('compare')
  expect((await conversation(sample)).exchanges.at(-1)?.next).toEqual(unknown.next)
})

test('reports the money sent to a person, the bank’s fees, and how the money is protected', async () => {
  for (const question of ['How much did I send to Sarah?', 'How much have I sent Sarah this year?'])
    expect([question, (await askForStatements(question)).at(-1)?.card]).toMatchObject([question, { kind: 'paid' }])
  expect((await codes('How much did Sarah send me?')).slice(0, 2)).toEqual(['not_understood', 'about'])
  expect(await askForStatements('What are my fees?')).toMatchObject([
    { code: 'fees', coinBps: 100, premiumMinor: 9_99 },
    { code: 'article', article: 'cashback' },
  ])
  expect(await codes('Is my money safe?')).toEqual(['article', 'article'])
})

test('adds up more payments than one page contains, and finds the largest payment among them', async () => {
  const { browser, customer } = await person('Bea Busy')
  const pay = (
    amountMinor: number,
    debit: number,
    credit: number,
    names: { debitName?: string; creditName?: string },
  ) =>
    server.deps.ledger.post({
      id: randomUUID(),
      kind: 'top_up.card',
      fingerprint: 'busy',
      bookedAt: server.deps.clock.businessNow(),
      legs: [
        {
          kind: 'transfer',
          debit,
          credit,
          amountMinor,
          detail: { ...names, category: 'food', method: 'card' },
        },
      ],
    })
  const [bank, currentAccount] = [bankAccount('card_acquiring'), customer.currentAccountId]
  await pay(1_000_00, bank, currentAccount, { creditName: 'Top-up' })
  await pay(50_00, currentAccount, bank, { debitName: 'Corner Bakery' })
  for (let paid = 0; paid < 104; paid += 1) await pay(1_00, currentAccount, bank, { debitName: 'Corner Bakery' })
  expect((await ask(browser, 'What did I pay Corner Bakery?')).statements).toMatchObject([
    { code: 'spent_at', amountMinor: 154_00, count: 105 },
  ])
  expect((await ask(browser, 'What was my largest payment?')).statements).toMatchObject([
    { code: 'largest', amountMinor: 50_00 },
  ])
})

test('moves no money, and states clearly which actions it does not support', async () => {
  const before = await auditTestBooks(server)
  expect(await askForStatements('Send $50 to Emma')).toEqual([{ code: 'no_moves', link: { screen: 'transfer' } }])
  expect(await codes('Freeze my card')).toEqual(['no_moves'])
  expect(await codes('Do I have to pay tax?')).toEqual(['not_advised', 'can_answer'])
  expect(await codes('xyzzy')).toEqual(['not_understood', 'can_answer'])
  expect(await auditTestBooks(server)).toEqual(before)
})

test('states clearly which subjects it has no data on, and answers for the month of the named year', async () => {
  for (const question of [
    'How much did I spend in December 2026?',
    'What if I save $-5 a month?',
    'Can I afford -$5?',
    'Compare this month with February 2020',
    'What was my balance in 2019?',
  ])
    expect([question, (await codes(question))[0]]).toEqual([question, 'not_understood'])
  expect(await askForStatements('How much did I spend in 2019?')).toEqual([
    { code: 'understood', period: '2019' },
    { code: 'payments_none', link: { screen: 'transactions', from: '2019-01-01', to: '2019-12-31' } },
  ])
  expect(await codes('Show my latest transactions of 2019')).toEqual(['understood', 'payments_none'])
  expect(await askForStatements('How much did I spend in February 2020?')).toEqual([
    { code: 'understood', period: '2020-02' },
    { code: 'payments_none', link: { screen: 'transactions', from: '2020-02-01', to: '2020-02-29' } },
  ])
  expect(await codes('What was my largest payment in February 2020?')).toEqual(['understood', 'payments_none'])
  expect(await codes('What was my income in February 2020?')).toEqual(['understood', 'payments_none'])
  expect(await askForStatements('How much did I spend in July 2026?')).toMatchObject([
    { code: 'spent_in', spentMinor: 1_639_34, month: '2026-07' },
    { code: 'largest_category' },
  ])
  for (const payee of ['constructor', 'Foo Bar'])
    expect(await askForStatements(`How much did I spend at ${payee}?`)).toEqual([
      { code: 'understood', name: payee },
      { code: 'payments_none', link: { screen: 'transactions', q: payee } },
    ])
  expect(await codes('When will I reach my goal in 2027?')).not.toContain('not_understood')
})

test('a customer without any money gets a reply that says so, without a division by zero', async () => {
  const { browser } = await person('Nina New')
  for (const [question, code] of [
    ['How can I save more?', 'nothing_to_set_aside'],
    ['Investment tips', 'cushion_first'],
    ['Reduce my spending', 'nothing_to_set_aside'],
    ['How much did I spend this month?', 'spent_so_far'],
    ['My savings goals', 'goals_none'],
    ['What if I save $50?', 'goals_none'],
    ['What was my largest payment?', 'payments_none'],
    ['Show my latest transactions', 'payments_none'],
    ['Which subscriptions do I have?', 'recurring_none'],
    ['What payments are coming up?', 'due_none'],
    ['End of the month?', 'forecast'],
  ] as const) {
    expect([question, (await ask(browser, question)).statements[0]?.code]).toEqual([question, code])
  }
})

test('keeps the conversation for its own customer, in order, until it is cleared', async () => {
  const [ann, ben] = [await person('Ann Lee'), await person('Ben Roe')]
  const first = await ask(ann.browser, 'What can you do?')
  const second = await ask(ann.browser, '  Thank you  ')
  expect(second.question).toBe('Thank you')
  expect((await conversation(ann.browser)).exchanges).toEqual([first, second])
  expect((await conversation(ben.browser)).exchanges).toEqual([])
  expect((await ben.browser.delete('/api/v1/advisor')).status).toBe(204)
  expect((await conversation(ann.browser)).exchanges).toHaveLength(2)
  expect((await ann.browser.delete('/api/v1/advisor')).status).toBe(204)
  expect((await conversation(ann.browser)).exchanges).toEqual([])
})

test('keeps only the latest questions', async () => {
  const { customer, browser } = await person('Max Long')
  await runOn(server.deps.pool)(
    `INSERT INTO bank.advisor_exchange (customer_id, question, asked_at, statements)
     SELECT $1, 'old ' || n, now(), '[]' FROM generate_series(1, $2::int) n`,
    [customer.id, EXCHANGES_KEPT + 5],
  )
  await ask(browser, 'Hello')
  const { exchanges } = await conversation(browser)
  expect(exchanges).toHaveLength(EXCHANGES_KEPT)
  expect(exchanges.at(-1)?.question).toBe('Hello')
  const { rows } = await runOn(server.deps.pool)(
    'SELECT count(*)::int AS kept FROM bank.advisor_exchange WHERE customer_id = $1',
    [customer.id],
  )
  expect(rows[0]?.['kept']).toBe(EXCHANGES_KEPT)
})

test('a question sent again with its key is stored once, and another question with that key is refused', async () => {
  const { browser } = await person('Rae Peat')
  const key = randomUUID()
  const answers = await Promise.all(Array.from({ length: 4 }, () => ask(browser, 'Hello', key)))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect((await conversation(browser)).exchanges).toHaveLength(1)
  const other = await browser.post('/api/v1/advisor/questions', { question: 'Bye' }, { key })
  await expectRefusal(other, 'idempotency_key_reused')
  await expectRefusal(
    await browser.post('/api/v1/advisor/questions', { question: 'Bye' }, { key: null }),
    'idempotency_key_missing',
  )
  await clearConversation(server.deps, (await person('Nobody Else')).customer.id)
  await browser.delete('/api/v1/advisor')
  await expectRefusal(await browser.post('/api/v1/advisor/questions', { question: 'Hello' }, { key }), 'not_found')
})

test('refuses questions that are blank, too long or not text, and stores nothing', async () => {
  const { browser } = await person('Bad Input')
  const invalidQuestions = ['', '   ', '\n\t', 'a'.repeat(MAX_QUESTION + 1), 'a\0b', '\uD800', 7, null, ['a'], {}]
  for (const question of invalidQuestions) {
    await expectRefusal(await browser.post('/api/v1/advisor/questions', { question }), 'request_invalid', 'question')
  }
  await expectRefusal(
    await browser.post('/api/v1/advisor/questions', { question: 'Hello', customerId: sampleId }),
    'request_invalid',
    'customerId',
  )
  expect((await conversation(browser)).exchanges).toEqual([])
  // Questions of the maximum length, in various scripts.
  for (const question of [
    'a'.repeat(MAX_QUESTION),
    '\u202E<script>',
    "'; DROP TABLE bank.customer; --",
    '🙂'.repeat(9),
  ]) {
    expect((await ask(browser, question)).question).toBe(question)
  }
})

test('a customer who sends too many questions waits, and other customers do not', async () => {
  const { browser } = await person('Ted Talker')
  const statuses: number[] = []
  for (let count = 0; count < 41; count += 1) {
    statuses.push((await browser.post('/api/v1/advisor/questions', { question: 'Hello' })).status)
  }
  expect(statuses.slice(0, 40).every((status) => status === 200)).toBe(true)
  expect(statuses.at(-1)).toBe(429)
  await ask((await person('Una Else')).browser, 'Hello')
})

test('the conversation is in the export, and is deleted when the customer closes', async () => {
  const { browser, customer } = await person('Leo Leaver')
  await ask(browser, 'How can I save more?')
  const exported = await (await browser.get('/api/v1/profile/export')).json()
  expect(exported.advisor).toMatchObject([
    { question: 'How can I save more?', statements: [{ code: 'nothing_to_set_aside' }] },
  ])
  await server.deps.db.transaction().execute(async (trx) => {
    for (const slice of server.deps.slices) if (slice.name === 'advisor') await slice.closeCustomer?.(trx, customer.id)
  })
  expect((await conversation(browser)).exchanges).toEqual([])
})
