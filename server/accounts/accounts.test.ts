import { randomUUID } from 'node:crypto'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { MAX_COUNTED, type Transaction, type TransactionDetail } from '#contract/accounts.ts'
import { readDashboard } from '#server/accounts/service.ts'
import { nameInWords } from '#server/test/line-texts.ts'
import { bringJobsForward } from '#server/test/moved-jobs.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { settleTopUpJob } from '#server/rails/jobs.ts'
import { incomingOperation } from '#server/payments/incoming.ts'
import { testClock } from '#server/test/bank.ts'
import { capturedPayment } from '#server/test/card-scheme.ts'
import { auditTestBooks, expectRefusal, type TestPerson, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { recordedStatements } from '#server/test/recorded-statements.ts'

const START = new Date('2026-08-28T09:41:00.000Z')
// Real time stands still, so that sessions do not expire while business days pass.
const clock = { ...testClock(START), realNow: () => START }
let server: PeopleServer
let ann: TestPerson
let round = 0

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  clock.set(START)
  round += 1
  ann = await server.person({ fullName: 'Ann Łuczak', email: `ann${round}@example.com` })
})

type TopUpAnswer = { transaction: Transaction; settlesAt: string | null }

const topUp = (person: TestPerson, body: unknown, key: string = randomUUID()) =>
  person.browser.post('/api/v1/top-ups', body, { key })

async function addMoney(method: string, amountMinor: number): Promise<TopUpAnswer> {
  const answer = await topUp(ann, { amountMinor, asset: 'USD', method })
  expect(answer.status).toBe(200)
  return (await answer.json()) as TopUpAnswer
}

describe('adding money', () => {
  test.each([
    ['card', 'Card deposit', 'Card'],
    ['wallet', 'Wallet deposit', 'Digital wallet'],
  ] as const)('by %s arrives at once', async (method, name, paymentMethod) => {
    const { transaction, settlesAt } = await addMoney(method, 25_00)
    expect(settlesAt).toBeNull()
    expect(transaction).toMatchObject({
      amountMinor: 25_00,
      category: 'top_up',
      status: 'completed',
      name: { code: `top_up.${method}`, params: {} },
      paymentMethod: { code: method, params: {} },
      balanceAfterMinor: 25_00,
    })
    expect(await ann.transactions()).toEqual([transaction])
    for (const q of [name, name.toUpperCase(), name.slice(2, 8), paymentMethod, '25.00']) {
      expect(await ann.transactions(`?q=${encodeURIComponent(q)}`), q).toEqual([transaction])
    }
    expect((await ann.dashboard()).account).toMatchObject({ availableMinor: 25_00, incomingMinor: 0 })
  })

  test('from a bank is pending until the next business day', async () => {
    const { transaction, settlesAt } = await addMoney('bank', 25_00)
    expect(settlesAt).toBe('2026-08-31T09:00:00.000Z')
    expect(transaction).toMatchObject({
      amountMinor: 25_00,
      category: 'top_up',
      status: 'pending',
      balanceAfterMinor: null,
    })
    expect(await ann.transactions()).toEqual([transaction])
    expect((await ann.dashboard()).account).toMatchObject({ availableMinor: 0, heldMinor: 0, incomingMinor: 25_00 })
  })

  test('settles once, under the same ids, even if the job runs repeatedly and in parallel', async () => {
    const { transaction } = await addMoney('bank', 25_00)
    clock.set(new Date('2026-08-31T09:00:00Z'))
    const job = () =>
      settleTopUpJob.run(server.deps, {
        operationId: transaction.id,
        customerId: ann.customer.id,
        amountMinor: 25_00,
      })
    await Promise.all([job(), job(), job()])
    await job()
    expect(await ann.balanceMinor()).toBe(25_00)
    expect((await ann.dashboard()).account).toMatchObject({ availableMinor: 25_00, incomingMinor: 0 })
    expect((await ann.dashboard()).unreadNotifications).toBe(1)
    expect(await ann.transactions()).toEqual([
      { ...transaction, status: 'completed', bookedAt: '2026-08-31T09:00:00.000Z', balanceAfterMinor: 25_00 },
    ])
  })

  test('is settled by the bank itself on its date', async () => {
    await addMoney('bank', 25_00)
    expect(await ann.balanceMinor()).toBe(0)
    const jobs = await startJobs(server.deps)
    try {
      // The database has no clock of its own here, so business time is real time and the job waits for 2026-08-31.
      const ms = Math.max(0, new Date('2026-08-31T09:00:00Z').getTime() - Date.now())
      await bringJobsForward(server.deps.db, ms)
      await expect.poll(() => ann.balanceMinor()).toBe(25_00)
    } finally {
      await jobs.stop()
    }
  })

  test('returns the same response to a repeated request, and refuses another request with the same key', async () => {
    for (const method of ['card', 'bank']) {
      const key = randomUUID()
      const body = { amountMinor: 5_00, asset: 'USD', method }
      const answers = await Promise.all(Array.from({ length: 6 }, async () => (await topUp(ann, body, key)).text()))
      expect(new Set(answers).size).toBe(1)
      const before = await auditTestBooks(server)
      await expectRefusal(await topUp(ann, { ...body, amountMinor: 6_00 }, key), 'idempotency_key_reused')
      await expectRefusal(await topUp(ann, { ...body, method: 'wallet' }, key), 'idempotency_key_reused')
      expect(await auditTestBooks(server)).toEqual(before)
    }
    expect((await ann.dashboard()).account).toMatchObject({ availableMinor: 5_00, incomingMinor: 5_00 })
  })

  test.each([
    ['no method', { method: undefined }, 'method_missing', 'method'],
    ['an unknown method', { method: 'cheque' }, 'method_missing', 'method'],
    ['no amount', { amountMinor: undefined }, 'amount_invalid', 'amountMinor'],
    ['neither', { amountMinor: 0, method: undefined }, 'amount_invalid', 'amountMinor'],
    ['an unknown key', { extra: true }, 'request_invalid', 'extra'],
  ] as const)('refuses %s', async (_, change, code, field) => {
    const before = await auditTestBooks(server)
    await expectRefusal(await topUp(ann, { amountMinor: 1_00, asset: 'USD', method: 'card', ...change }), code, field)
    expect(await auditTestBooks(server)).toEqual(before)
  })

  test('refuses an amount that no account can hold exactly', async () => {
    await addMoney('card', 1)
    const before = await auditTestBooks(server)
    const body = { amountMinor: Number.MAX_SAFE_INTEGER, asset: 'USD', method: 'card' }
    await expectRefusal(await topUp(ann, body), 'amount_too_large', 'amountMinor')
    expect(await auditTestBooks(server)).toEqual(before)
  })
})

const CARD = { type: 'debit', lastFour: '4821', kind: 'main' } as const

const day = (date: number) => new Date(Date.UTC(2026, 7, date, 12))

/** Books a salary and four purchases in five days, in the ledger's order. */
async function aWeek(): Promise<void> {
  const accountId = ann.customer.currentAccountId
  const card = { ...CARD, accountId }
  await server.deps.ledger.postAll([
    incomingOperation({ accountId, payerName: 'Northwind Payroll', amountMinor: 3_500_00, bookedAt: day(20) }),
    incomingOperation({
      accountId,
      payerName: 'Northwind Payroll',
      amountMinor: 100_00,
      bookedAt: day(24),
      note: 'Bonus 50%_off',
    }),
    capturedPayment({
      card,
      merchant: 'Café Łódź',
      mcc: '5814',
      amountMinor: 5_60,
      bookedAt: day(25),
    }),
    capturedPayment({
      card,
      merchant: 'Green Grocer',
      mcc: '5411',
      amountMinor: 72_90,
      bookedAt: day(26),
    }),
    capturedPayment({
      card,
      merchant: 'City Cabs',
      mcc: '4121',
      amountMinor: 23_50,
      bookedAt: day(27),
    }),
  ])
}

const namesOf = (transactions: Transaction[]) => transactions.map(({ name }) => nameInWords(name))

describe('the list', () => {
  beforeEach(aWeek)

  test('is newest first and shows how each transaction was paid', async () => {
    const list = await ann.transactions()
    expect(namesOf(list)).toEqual(['City Cabs', 'Green Grocer', 'Café Łódź', 'Northwind Payroll', 'Northwind Payroll'])
    expect(list[0]).toMatchObject({
      amountMinor: -23_50,
      category: 'transport',
      paymentMethod: { code: 'debit_card', params: { lastFour: '4821' } },
      status: 'completed',
    })
    expect(list[4]).toMatchObject({
      amountMinor: 3_500_00,
      category: 'income',
      paymentMethod: { code: 'bank_transfer', params: {} },
    })
  })

  test.each([
    ['?q=green', ['Green Grocer']],
    ['?q=GROCER', ['Green Grocer']],
    ['?q=%20caf%C3%A9%20', ['Café Łódź']],
    ['?q=72.90', ['Green Grocer']],
    ['?q=-%2472.90', ['Green Grocer']],
    ['?q=3%2C500', ['Northwind Payroll']],
    ['?q=4821', ['City Cabs', 'Green Grocer', 'Café Łódź']],
    ['?q=50%25_', ['Northwind Payroll']],
    ['?q=%25', ['Northwind Payroll']],
    ["?q='%20OR%201=1--", []],
    ['?q=TXN', []],
    ['?category=food', ['Green Grocer', 'Café Łódź']],
    ['?category=food&minMinor=1000', ['Green Grocer']],
    ['?minMinor=560&maxMinor=2350', ['City Cabs', 'Café Łódź']],
    ['?from=2026-08-26&to=2026-08-26', ['Green Grocer']],
    ['?from=2026-08-27', ['City Cabs']],
    ['?to=2026-08-20', ['Northwind Payroll']],
    ['?status=pending', []],
    ['?status=completed&category=transport', ['City Cabs']],
    ['?from=2026-09-01&to=2026-08-01', []],
  ])('%s', async (query, names) => {
    expect(namesOf(await ann.transactions(query))).toEqual(names)
  })

  test.each([
    ['', 5],
    ['?category=food', 2],
    ['?category=food&minMinor=1000', 1],
    ['?q=4821&to=2026-08-26', 2],
    ['?status=pending', 0],
  ])('counts and adds up the transactions that %s matches', async (query, count) => {
    const answer = await ann.browser.get(`/api/v1/transactions/count${query}`)
    const listed = (await ann.transactions(query)).map(({ amountMinor }) => amountMinor)
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
    const sums = {
      inMinor: sum(listed.filter((amount) => amount > 0)),
      outMinor: -sum(listed.filter((amount) => amount < 0)) || 0,
      asset: 'USD',
    }
    expect(await answer.json()).toEqual({ count, more: false, sums })
  })

  test('shows the exact count up to its limit, and shows that there are more beyond it', async () => {
    const { currentAccountId } = ann.customer
    await server.deps.ledger.postAll(
      Array.from({ length: MAX_COUNTED }, (_, index) =>
        incomingOperation({
          accountId: currentAccountId,
          payerName: `Payer ${index}`,
          amountMinor: 1,
          bookedAt: day(27),
        }),
      ),
    )
    const answer = await ann.browser.get('/api/v1/transactions/count')
    expect(await answer.json()).toEqual({ count: MAX_COUNTED, more: true, sums: null })
    const narrower = await ann.browser.get('/api/v1/transactions/count?category=food&cursor=x')
    expect(narrower.status).toBe(400)
  })

  test('finds a transaction by its id and reference, by the whole or the beginning, in any case', async () => {
    for (const { id, transactionId, reference } of await ann.transactions()) {
      for (const q of [
        transactionId,
        transactionId.toLowerCase(),
        transactionId.slice(0, 10),
        reference,
        reference.slice(0, 8),
      ]) {
        const page = await ann.transactions(`?q=${q}`)
        expect(
          page.map((row) => row.id),
          q,
        ).toContain(id)
        expect(page.length).toBeLessThan(5)
      }
    }
    expect(await ann.transactions('?q=TXN!!!')).toEqual([])
  })

  test('shows for a payment the month’s total in its category, and for other transactions none', async () => {
    await server.deps.ledger.postAll([
      capturedPayment({
        card: { ...CARD, accountId: ann.customer.currentAccountId },
        merchant: 'Corner Bakery',
        mcc: '5462',
        amountMinor: 1_50,
        bookedAt: day(28),
      }),
    ])
    const { transaction: pending } = await addMoney('bank', 25_00)
    const months = await Promise.all(
      [pending, ...(await ann.transactions('?status=completed'))].map(async ({ id }) => {
        const detail = (await (await ann.browser.get(`/api/v1/transactions/${id}`)).json()) as TransactionDetail
        return detail.monthInCategory
      }),
    )
    expect(months).toEqual([
      null,
      { count: 3, spentMinor: 80_00 },
      { count: 1, spentMinor: 23_50 },
      { count: 2, spentMinor: 78_50 },
      { count: 1, spentMinor: 5_60 },
      null,
      null,
    ])
  })

  test('finds pending money by its id, too', async () => {
    const { transaction } = await addMoney('bank', 25_00)
    expect(await ann.transactions(`?q=${transaction.transactionId}`)).toEqual([transaction])
    expect(await ann.transactions('?status=pending')).toEqual([transaction])
  })

  test('has pages without gaps or repetitions while new transactions arrive', async () => {
    const listedNames: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await ann.browser.get(`/api/v1/transactions?limit=2${cursor && `&cursor=${cursor}`}`)
      const page = (await answer.json()) as { transactions: Transaction[]; nextCursor: string | null }
      listedNames.push(...namesOf(page.transactions))
      cursor = page.nextCursor
      await ann.fund(1)
    }
    expect(listedNames).toEqual(['City Cabs', 'Green Grocer', 'Café Łódź', 'Northwind Payroll', 'Northwind Payroll'])
  })

  test.each([
    ['?cursor=x', 'cursor_invalid'],
    ['?cursor=', 'cursor_invalid'],
    ['?limit=0', 'request_invalid'],
    ['?limit=101', 'request_invalid'],
    ['?limit=x', 'request_invalid'],
    ['?minMinor=0', 'amount_invalid'],
    ['?minMinor=1.5', 'amount_invalid'],
    ['?from=2026-02-30', 'request_invalid'],
    ['?from=yesterday', 'request_invalid'],
    ['?category=fun', 'request_invalid'],
    ['?status=lost', 'request_invalid'],
    ['?q=%00', 'request_invalid'],
    ['?unknown=1', 'request_invalid'],
  ] as const)('refuses %s', async (query, code) => {
    const answer = await ann.browser.get(`/api/v1/transactions${query}`)
    expect(((await answer.json()) as { error: { code: string } }).error.code).toBe(code)
    expect(answer.status).toBe(400)
  })

  test('sums up the last seven days, without internal moves', async () => {
    await ann.fund(9_00)
    const answer = await ann.browser.get('/api/v1/transactions/summary')
    expect(await answer.json()).toEqual({
      days: 7,
      asset: 'USD',
      incomeMinor: 100_00,
      expensesMinor: 102_00,
      netMinor: -2_00,
    })
  })
})

describe('one transaction', () => {
  test('is not shown to another customer, and neither is its receipt', async () => {
    const { transaction } = await addMoney('card', 25_00)
    const eve = await server.person({ fullName: 'Eve Else', email: `eve${round}@example.com` })
    const malformed = [
      'x',
      '%00',
      randomUUID(),
      `${transaction.id}.1`,
      `${transaction.id}.0`,
      transaction.transactionId,
      '..%2f',
    ]
    for (const [person, id] of [[eve, transaction.id] as const, ...malformed.map((bad) => [ann, bad] as const)]) {
      await expectRefusal(await person.browser.get(`/api/v1/transactions/${id}`), 'transaction_not_found')
      await expectRefusal(await person.browser.get(`/api/v1/transactions/${id}/receipt`), 'transaction_not_found')
    }
    await expectRefusal(await server.browser().get(`/api/v1/transactions/${transaction.id}`), 'sign_in_required')
  })

  test('has a receipt that matches the ledger', async () => {
    await ann.fund(2_000_00)
    const response = await ann.browser.post('/api/v1/transfers', {
      recipient: `friend${round}@example.net`,
      amountMinor: 1_234_50,
      asset: 'USD',
      note: 'Rent & more',
    })
    const { transaction } = (await response.json()) as { transaction: Transaction }
    const answer = await ann.browser.get(`/api/v1/transactions/${transaction.id}/receipt`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="Alder-${transaction.transactionId}.pdf"`,
    )
    const bytes = new Uint8Array(await answer.arrayBuffer())
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
    const { text, totalPages } = await extractText(bytes, { mergePages: true })
    expect(totalPages).toBe(1)
    for (const expectedText of [
      'Ann Łuczak',
      `friend${round}@example.net`,
      '−$1,234.50 USD',
      'August 28, 2026 at 9:41 AM UTC',
      'Pending',
      'Transfer',
      'Alder transfer',
      'Rent & more',
      transaction.transactionId,
      transaction.reference,
    ]) {
      expect(text).toContain(expectedText)
    }
    expect(text).not.toContain('765.50')
  })
})

test('the dashboard of a new customer is empty and complete', async () => {
  expect(await ann.dashboard()).toEqual({
    customer: { fullName: 'Ann Łuczak', initials: 'AŁ' },
    now: START.toISOString(),
    account: {
      asset: 'USD',
      availableMinor: 0,
      heldMinor: 0,
      incomingMinor: 0,
      monthChangeMinor: 0,
      spentMinor: 0,
      spentLastMonthMinor: 0,
    },
    goal: null,
    recent: [],
    upcoming: null,
    owed: [],
    unanswered: [],
    unreadNotifications: 0,
  })
})

test('the dashboard is read with four statements', async () => {
  await addMoney('card', 25_00)
  const statements = await recordedStatements(() => readDashboard(server.deps, ann.customer))
  // Only reads count, because the bank records the session's use and announces the earlier payment at times of its own.
  expect(statements.filter(({ text }) => /^[\s(]*SELECT\b(?! pg_notify)/i.test(text))).toHaveLength(4)
})

test('the dashboard shows this month’s income minus spending', async () => {
  await aWeek()
  await ann.fund(9_00)
  const { account, recent } = await ann.dashboard()
  expect(account.monthChangeMinor).toBe(3_600_00 - 102_00)
  expect(recent).toHaveLength(5)
})

test.each([
  // In the earlier month, the whole day with the same number counts, and later days do not.
  ['2026-09-26T08:00:00Z', 5_60 + 72_90],
  ['2026-09-24T23:59:59Z', 0],
  // An earlier month without a day of that number counts as a whole.
  ['2026-09-30T12:00:00Z', 102_00],
  ['2026-10-28T12:00:00Z', 0],
])('on %s the spending is compared with the same days of last month', async (now, spentLastMonthMinor) => {
  await aWeek()
  clock.set(new Date(now))
  expect((await ann.dashboard()).account).toMatchObject({ spentMinor: 0, spentLastMonthMinor })
})
