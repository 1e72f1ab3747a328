import { DAY_MS } from '#server/platform/durations.ts'
import { randomUUID } from 'node:crypto'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { repaymentsOf } from '#contract/loan-terms.ts'
import type {
  LoanApplication,
  LoanDetails,
  LoanOverview,
  LoanPaymentResult,
  LoanPauseOptions,
  LoanPauseTerms,
  SettlementQuote,
} from '#contract/loans.ts'
import { formatAmount } from '#contract/money.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { decideJob, expireOfferJob } from '#server/loans/offers/decide.ts'
import { bringUpToDate } from '#server/loans/repaying/collect.ts'
import { collectInstallmentsJob, dailyJob } from '#server/loans/repaying/jobs.ts'
import { runOn } from '#server/platform/db/run.ts'
import { policyFor } from '#server/bank/policy.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import { testClock } from '#server/test/bank.ts'
import type { Browser } from '#server/test/browser.ts'
import { auditTestBooks, expectRefusal, type PeopleServer, peopleServer } from '#server/test/people.ts'
import { signInCookie } from '#server/test/sign-in.ts'

/** A Friday. */
const START = new Date('2026-08-28T09:41:00.000Z')
const clock = { ...testClock(START), realNow: () => START }

let server: PeopleServer
let ann: Borrower

type Borrower = { customer: Customer; browser: Browser }

/** Opens a customer with the sample history: a score of 742 and a limit of $50,000. */
async function borrower(on: PeopleServer = server): Promise<Borrower> {
  const customer = await openSampleCustomer(on.deps)
  return { customer, browser: on.browser(await signInCookie(on.deps, customer.id)) }
}

beforeAll(async () => {
  server = await peopleServer({ clock })
})
afterAll(async () => {
  await auditTestBooks(server)
  await server.close()
})
beforeEach(async () => {
  clock.set(START)
  ann = await borrower()
})

/** Returns the path of a loan or of an application. */
const urlOf = (path: string) => `/api/v1/${path.startsWith('loan-applications') ? '' : 'loans'}${path}`
const post = (who: Borrower, path: string, body?: unknown, key: string = randomUUID()) =>
  who.browser.post(urlOf(path), body, { key })
const get = async <Body>(who: Borrower, path = ''): Promise<Body> =>
  (await (await who.browser.get(urlOf(path))).json()) as Body
const applicationBody = (amountMinor: number, months = 24) => ({ amountMinor, asset: 'USD', months })
const apply = (who: Borrower, amountMinor: number, months?: number, key?: string) =>
  post(who, 'loan-applications', applicationBody(amountMinor, months), key)

async function answered<Body>(answer: Response): Promise<Body> {
  expect([answer.status, answer.status === 200 || (await answer.clone().text())]).toEqual([200, true])
  return (await answer.json()) as Body
}

async function offer(who: Borrower, amountMinor = 5_000_00, months = 24, on = server): Promise<string> {
  const { id } = await answered<{ id: string }>(await apply(who, amountMinor, months))
  await decideJob.run(on.deps, { applicationId: id })
  return id
}

async function borrow(who: Borrower, amountMinor = 5_000_00, months = 24, on = server): Promise<string> {
  const id = await offer(who, amountMinor, months, on)
  return (await answered<{ loanId: string }>(await post(who, `loan-applications/${id}/accept`))).loanId
}

const details = (who: Borrower, id: string) => get<LoanDetails>(who, `/${id}`)

/** Returns the terms of a pause for a number of months, as the screen shows them. */
async function pauseTerms(person: Borrower, id: string, months: number): Promise<LoanPauseTerms> {
  const { options } = await answered<LoanPauseOptions>(await person.browser.get(`/api/v1/loans/${id}/pause`))
  const option = options.find((candidate) => candidate.months === months)
  if (!option) throw new Error('There is no such pause')
  const { months: _, ...terms } = option
  return terms
}
const pause = (who: Borrower, id: string, months: number, terms: LoanPauseTerms, key?: string) =>
  post(who, `/${id}/pause`, { months, terms }, key)
/** Withdraws from a loan at the amount that the screen just showed. */
const withdraw = async (who: Borrower, id: string) =>
  post(who, `/${id}/withdrawal`, { amountMinor: (await details(who, id)).owed.totalMinor, asset: 'USD' })
const toPay = ({ schedule }: LoanDetails) => schedule.reduce((sum, installment) => sum + installment.amountMinor, 0)
/** Runs the jobs of a day, after its installments. */
async function daily(): Promise<void> {
  await dailyJob.run(server.deps, {})
  const { rows } = await runOn(server.deps.pool)('SELECT id, customer_id FROM bank.loan WHERE closed_at IS NULL')
  for (const { id, customer_id: customerId } of rows)
    await collectInstallmentsJob.run(server.deps, { customerId: String(customerId), loanId: String(id) })
}
const inDays = (days: number) => clock.set(new Date(START.getTime() + days * DAY_MS))

/** Returns the balance of a person's current account, in cents. */
async function balance({ customer }: Borrower, bank = server): Promise<number> {
  const { rows } = await runOn(bank.deps.pool)('SELECT balance_minor FROM ledger.account WHERE id = $1', [
    customer.currentAccountId,
  ])
  return Number(rows[0]?.['balance_minor'])
}

/** Moves money out of a person's account, or into it, as a payment rail would. */
async function move({ customer }: Borrower, amountMinor: number): Promise<void> {
  const [current, outside] = [customer.currentAccountId, bankAccount('ach_clearing')]
  const [debit, credit] = amountMinor < 0 ? [current, outside] : [outside, current]
  const detail = { label: 'top_up.bank', category: 'top_up' } as const
  await server.deps.ledger.post({
    id: randomUUID(),
    kind: 'top_up.bank',
    fingerprint: 'test',
    bookedAt: clock.businessNow(),
    legs: [{ kind: 'transfer', debit, credit, amountMinor: Math.abs(amountMinor), detail }],
  })
}
const empty = async (who: Borrower) => move(who, -(await balance(who)))

/** Returns the loan interest that the bank has earned, in cents. */
async function interestEarned(bank: PeopleServer): Promise<number> {
  const { rows } = await runOn(bank.deps.pool)('SELECT balance_minor FROM ledger.account WHERE id = $1', [
    bankAccount('loan_interest'),
  ])
  return Number(rows[0]?.['balance_minor'])
}

const noticesOf = async ({ customer }: Borrower) =>
  (
    await runOn(server.deps.pool)('SELECT kind FROM bank.notification WHERE customer_id = $1 ORDER BY created_at, id', [
      customer.id,
    ])
  ).rows
    .map(({ kind }) => String(kind))
    .filter((kind) => kind.startsWith('loan_'))

test('a loan is applied for, offered with its schedule, accepted, and paid out', async () => {
  expect(await get(ann, '/pre-approval')).toMatchObject({
    score: 742,
    band: 'good',
    limitMinor: 50_000_00,
    reasons: [],
  })
  const id = await offer(ann)
  const application = await get<LoanApplication>(ann, `loan-applications/${id}`)
  expect(application).toMatchObject({ status: 'offered', decision: { score: 742, band: 'good' }, loanId: null })
  const { totalMinor, interestMinor, instalmentMinor } = repaymentsOf(5_000_00, 24)
  expect(application.offer).toMatchObject({ aprBps: 690, totalMinor, interestMinor, instalmentMinor })
  expect(application.offer?.schedule).toHaveLength(24)
  expect(application.offer?.schedule[0]?.dueOn).toBe('2026-09-28')
  const before = await balance(ann)
  const key = randomUUID()
  const accepted = await answered(await post(ann, `loan-applications/${id}/accept`, undefined, key))
  expect(accepted).toEqual({ loanId: key, amountMinor: 5_000_00, asset: 'USD' })
  expect(await balance(ann)).toBe(before + 5_000_00)
  const overview = await get<LoanOverview>(ann)
  expect(overview).toMatchObject({
    application: null,
    loans: [{ id: key, status: 'active', next: { dueOn: '2026-09-28' } }],
  })
  expect(overview.loans[0]?.owed).toEqual({
    principalMinor: 5_000_00,
    interestMinor: 0,
    feesMinor: 0,
    totalMinor: 5_000_00,
  })
  expect(await noticesOf(ann)).toEqual(['loan_offered', 'loan_disbursed'])
  clock.set(new Date('2026-09-01T09:00:00Z'))
  const { upcoming } = (await (await ann.browser.get('/api/v1/dashboard')).json()) as { upcoming: { next: unknown[] } }
  expect(upcoming.next).toContainEqual(expect.objectContaining({ kind: 'loan', amountMinor: instalmentMinor }))
})

test('a loan is repaid on its dates to exactly zero, at the interest of the calculator', async () => {
  const id = await borrow(ann, 10_000_00, 6)
  await move(ann, 20_000_00)
  for (let day = 1; day <= 190; day += 3) {
    inDays(day)
    await bringUpToDate(server.deps, ann.customer.id, id)
  }
  const loan = await details(ann, id)
  expect(loan).toMatchObject({ status: 'repaid', next: null, schedule: [], owed: { totalMinor: 0 } })
  const { totalMinor, interestMinor } = repaymentsOf(10_000_00, 6)
  expect(loan.payments.reduce((sum, payment) => sum + payment.amountMinor, 0)).toBe(totalMinor)
  expect(loan.payments.reduce((sum, payment) => sum + payment.interestMinor, 0)).toBe(interestMinor)
  expect((await noticesOf(ann)).at(-1)).toBe('loan_repaid')
  await auditTestBooks(server)
})

describe.each(['month by month', 'in one go'])('moving the date 24 months forward, %s,', (how) => {
  test('repays a loan of 24 months to exactly zero', async () => {
    const liveServer = await peopleServer({ clock: { ...testClock(START), realNow: () => START } })
    try {
      const person = await borrower(liveServer)
      const id = await borrow(person, 5_000_00, 24, liveServer)
      const steps =
        how === 'in one go' ? [{ days: 731 }, { days: 3 }] : Array.from({ length: 25 }, () => ({ months: 1 as const }))
      for (const step of steps) {
        const from = Temporal.Instant.fromEpochMilliseconds(
          liveServer.clock.businessNow().getTime(),
        ).toZonedDateTimeISO('UTC')
        await liveServer.clock.advance(from.add(step).epochMilliseconds - from.epochMilliseconds)
        await Promise.all([dailyJob.run(liveServer.deps, {}), dailyJob.run(liveServer.deps, {})])
      }
      const loan = await details(person, id)
      const { totalMinor, interestMinor } = repaymentsOf(5_000_00, 24)
      expect(loan).toMatchObject({ status: 'repaid', owed: { totalMinor: 0 } })
      expect(loan.payments).toHaveLength(24)
      expect(loan.payments.reduce((sum, payment) => sum + payment.amountMinor, 0)).toBe(totalMinor)
      expect(await interestEarned(liveServer)).toBe(interestMinor)
      await auditTestBooks(liveServer)
    } finally {
      await liveServer.close()
    }
  })
})

describe('a refused request changes nothing', () => {
  const bad: [string, () => Promise<Response>, Parameters<typeof expectRefusal>[1], string?][] = [
    ['an amount below $1,000', () => apply(ann, 999_99), 'loan_amount_too_small', 'amountMinor'],
    ['an amount between the steps', () => apply(ann, 1_250_00), 'loan_amount_off_step', 'amountMinor'],
    ['an amount a cent off a step', () => apply(ann, 5_000_01), 'loan_amount_off_step', 'amountMinor'],
    ['an amount above all pre-approvals', () => apply(ann, 50_500_00), 'loan_above_limit', 'amountMinor'],
    ['nothing', () => apply(ann, 0), 'amount_invalid', 'amountMinor'],
    ['a negative amount', () => apply(ann, -5_000_00), 'amount_invalid', 'amountMinor'],
    ['half a cent', () => apply(ann, 5_000_00.5), 'amount_invalid', 'amountMinor'],
    ['a term of 7 months', () => apply(ann, 5_000_00, 7), 'loan_term_invalid', 'months'],
    ['a term of 0 months', () => apply(ann, 5_000_00, 0), 'loan_term_invalid', 'months'],
    ['a term of 66 months', () => apply(ann, 5_000_00, 66), 'loan_term_invalid', 'months'],
    ['a term of half months', () => apply(ann, 5_000_00, 6.5), 'request_invalid', 'months'],
    ['accepting without an offer', () => post(ann, `loan-applications/${randomUUID()}/accept`), 'not_found'],
    ['accepting an invalid id', () => post(ann, 'loan-applications/x/accept'), 'not_found'],
    [
      'paying without a loan',
      () => post(ann, `/${randomUUID()}/payments`, { amountMinor: 1, asset: 'USD' }),
      'not_found',
    ],
  ]
  test.each(bad)('for %s', async (_, act, code, field) => {
    const before = [await auditTestBooks(server), await get(ann)]
    await expectRefusal(await act(), code, field)
    expect([await auditTestBooks(server), await get(ann)]).toEqual(before)
  })

  test('for a second application while one is pending or offered, or a loan is open', async () => {
    const { id } = await answered<{ id: string }>(await apply(ann, 5_000_00))
    await expectRefusal(await apply(ann, 5_000_00), 'loan_open')
    await decideJob.run(server.deps, { applicationId: id })
    await expectRefusal(await apply(ann, 5_000_00), 'loan_open')
    await answered(await post(ann, `loan-applications/${id}/accept`))
    await expectRefusal(await apply(ann, 5_000_00), 'loan_open')
    await expectRefusal(await post(ann, `loan-applications/${id}/withdraw`), 'loan_not_offered')
  })

  test('for a repeated acceptance, an acceptance after 14 days, and a withdrawn or another customer’s application', async () => {
    const id = await offer(ann)
    const eve = await borrower()
    await expectRefusal(await post(eve, `loan-applications/${id}/accept`), 'not_found')
    await expectRefusal(await post(eve, `loan-applications/${id}/withdraw`), 'not_found')
    const key = randomUUID()
    const first = await answered(await post(ann, `loan-applications/${id}/accept`, undefined, key))
    expect(await answered(await post(ann, `loan-applications/${id}/accept`, undefined, key))).toEqual(first)
    await expectRefusal(await post(ann, `loan-applications/${id}/accept`), 'loan_not_offered')

    const late = await offer(eve)
    clock.set(new Date('2026-09-12T00:00:00Z'))
    await expectRefusal(await post(eve, `loan-applications/${late}/accept`), 'loan_offer_expired')
    await expireOfferJob.run(server.deps, { applicationId: late })
    await expireOfferJob.run(server.deps, { applicationId: late })
    await expectRefusal(await post(eve, `loan-applications/${late}/accept`), 'loan_offer_expired')
    expect(await noticesOf(eve)).toEqual(['loan_offered', 'loan_offer_expired'])
    const again = await offer(eve)
    expect((await post(eve, `loan-applications/${again}/withdraw`)).status).toBe(204)
    expect((await post(eve, `loan-applications/${again}/withdraw`)).status).toBe(204)
    await expectRefusal(await post(eve, `loan-applications/${again}/accept`), 'loan_not_offered')
  })

  test('for an acceptance after the limit fell', async () => {
    const id = await offer(ann, 50_000_00, 60)
    const { rows } = await runOn(server.deps.pool)(
      `SELECT id, balance_minor FROM ledger.account WHERE holder_id = $1 AND asset = 'USD' AND balance_minor > 0`,
      [ann.customer.id],
    )
    for (const row of rows) {
      const person = { ...ann, customer: { ...ann.customer, currentAccountId: Number(row['id']) } }
      await move(person, -Number(row['balance_minor']))
    }
    const before = await auditTestBooks(server)
    await expectRefusal(await post(ann, `loan-applications/${id}/accept`), 'loan_limit_fell')
    expect(await auditTestBooks(server)).toEqual(before)
  })
})

test('a customer without a history gets no loan, with the reasons and possible improvements', async () => {
  const person = await server.person({ fullName: 'New Person', email: `new.${randomUUID()}@example.com` })
  const id = await offer(person)
  const { status, decision, offer: none } = await get<LoanApplication>(person, `loan-applications/${id}`)
  expect({ status, none }).toEqual({ status: 'refused', none: null })
  expect(decision?.reasons[0]).toMatchObject({ code: 'account_age', enoughOn: '2026-11-26' })
  expect(await noticesOf(person)).toEqual(['loan_refused'])
  // The person may apply again.
  expect((await apply(person, 1_000_00)).status).toBe(200)
})

test('eight simultaneous requests make one application, one loan and one settlement', async () => {
  const eight = <Result>(act: () => Promise<Result>) => Promise.all(Array.from({ length: 8 }, act))
  const statuses = (answers: Response[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses(await eight(() => apply(ann, 5_000_00)))).toEqual([200, ...Array(7).fill(409)])
  const { application } = await get<LoanOverview>(ann)
  const id = application?.id ?? ''
  await eight(() => decideJob.run(server.deps, { applicationId: id }))
  const before = await balance(ann)
  expect(statuses(await eight(() => post(ann, `loan-applications/${id}/accept`)))).toEqual([200, ...Array(7).fill(409)])
  expect(await balance(ann)).toBe(before + 5_000_00)
  const { loans } = await get<LoanOverview>(ann)
  const loanId = loans[0]?.id ?? ''
  inDays(20)
  const quote = await answered<SettlementQuote>(await post(ann, `/${loanId}/quotes`))
  const answers = await eight(() => post(ann, `/${loanId}/early-settlement`, { quoteId: quote.id }))
  expect(statuses(answers)).toEqual([200, ...Array(7).fill(409)])
  expect(await balance(ann)).toBe(before - quote.interestMinor)
  expect(await noticesOf(ann)).toEqual(['loan_offered', 'loan_disbursed', 'loan_repaid'])
})

test('an extra payment pays interest first, and ends the loan earlier, and more than the debt is refused', async () => {
  const id = await borrow(ann, 10_000_00, 12)
  inDays(10)
  await expectRefusal(
    await post(ann, `/${id}/payments`, { amountMinor: 11_000_00, asset: 'USD' }),
    'loan_overpaid',
    'amountMinor',
  )
  const key = randomUUID()
  const pay = () => post(ann, `/${id}/payments`, { amountMinor: 5_000_00, asset: 'USD' }, key)
  const paid = await answered<LoanPaymentResult>(await pay())
  expect(paid).toMatchObject({
    amountMinor: 5_000_00,
    feesMinor: 0,
    principalLeftMinor: 10_000_00 - paid.principalMinor,
  })
  expect(paid.interestMinor).toBeGreaterThan(18_00)
  expect(await answered(await pay())).toEqual(paid)
  // The retry is also recognized after the request is deleted, because the ledger keeps its operations forever.
  await runOn(server.deps.pool)('DELETE FROM bank.request WHERE key = $1', [key])
  expect(await answered(await pay())).toEqual(paid)
  const tooSmall = await post(ann, `/${id}/payments`, { amountMinor: 99, asset: 'USD' })
  await expectRefusal(tooSmall, 'loan_payment_too_small', 'amountMinor')
  const loan = await details(ann, id)
  expect(loan.schedule.length).toBeLessThan(12)
  expect(loan.instalmentMinor).toBe(repaymentsOf(10_000_00, 12).instalmentMinor)
  // The payment is the whole rest, to the cent.
  await answered(await post(ann, `/${id}/payments`, { amountMinor: loan.owed.totalMinor, asset: 'USD' }))
  expect(await details(ann, id)).toMatchObject({ status: 'repaid', owed: { totalMinor: 0 } })
  await expectRefusal(await post(ann, `/${id}/payments`, { amountMinor: 1, asset: 'USD' }), 'loan_not_open')
  await expectRefusal(await post(ann, `/${id}/quotes`), 'loan_not_open')
})

test('an extra payment while the job takes an installment: both happen once, and the books balance', async () => {
  const id = await borrow(ann, 10_000_00, 12)
  await move(ann, 30_000_00)
  clock.set(new Date('2026-09-28T10:01:00Z'))
  const extra = () => post(ann, `/${id}/payments`, { amountMinor: 100_00, asset: 'USD' })
  const [, , ...answers] = await Promise.all([daily(), daily(), extra(), extra(), extra()])
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
  const { payments, owed } = await details(ann, id)
  expect(payments.filter(({ kind }) => kind === 'instalment')).toHaveLength(1)
  expect(10_000_00 - payments.reduce((sum, payment) => sum + payment.principalMinor, 0)).toBe(owed.principalMinor)
  await auditTestBooks(server)
})

test('a quote is valid on its day, until the next payment', async () => {
  const id = await borrow(ann, 5_000_00, 12)
  inDays(3)
  const quote = async () => answered<SettlementQuote>(await post(ann, `/${id}/quotes`))
  const first = await quote()
  expect(await quote()).toEqual(first)
  const eve = await borrower()
  await expectRefusal(await post(eve, `/${id}/early-settlement`, { quoteId: first.id }), 'not_found')
  await expectRefusal(await post(ann, `/${id}/early-settlement`, { quoteId: randomUUID() }), 'not_found')
  await answered(await post(ann, `/${id}/payments`, { amountMinor: 1_00, asset: 'USD' }))
  await expectRefusal(await post(ann, `/${id}/early-settlement`, { quoteId: first.id }), 'loan_quote_expired')
  const second = await quote()
  inDays(4)
  await expectRefusal(await post(ann, `/${id}/early-settlement`, { quoteId: second.id }), 'loan_quote_expired')
  const third = await quote()
  await empty(ann)
  const before = await auditTestBooks(server)
  const key = randomUUID()
  const settle = () => post(ann, `/${id}/early-settlement`, { quoteId: third.id }, key)
  await expectRefusal(await settle(), 'insufficient_funds')
  expect(await auditTestBooks(server)).toEqual(before)
  await move(ann, third.amountMinor)
  // A delayed retry is refused again: the customer does not expect it to pay by then.
  await expectRefusal(await settle(), 'insufficient_funds')
  await answered(await post(ann, `/${id}/early-settlement`, { quoteId: third.id }))
  expect(await balance(ann)).toBe(0)
})

test('a withdrawal within 14 days costs the principal, and interest for the days', async () => {
  const id = await borrow(ann, 10_000_00, 12)
  const eve = await borrower()
  await expectRefusal(await post(eve, `/${id}/withdrawal`, { amountMinor: 10_000_00, asset: 'USD' }), 'not_found')
  inDays(13)
  const { owed } = await details(ann, id)
  inDays(14)
  const before = await balance(ann)
  // A day's interest has been added since the customer agreed.
  const yesterdays = { amountMinor: owed.totalMinor, asset: 'USD' }
  await expectRefusal(await post(ann, `/${id}/withdrawal`, yesterdays), 'loan_terms_changed')
  expect(await balance(ann)).toBe(before)
  const paid = await answered<LoanPaymentResult>(await withdraw(ann, id))
  expect(paid.amountMinor).toBeGreaterThan(owed.totalMinor)
  expect(paid).toMatchObject({ principalMinor: 10_000_00, principalLeftMinor: 0 })
  expect(await details(ann, id)).toMatchObject({ status: 'withdrawn', withdrawUntil: null })
  clock.set(START)
  const other = await borrow(eve, 10_000_00, 12)
  inDays(15)
  await expectRefusal(await withdraw(eve, other), 'loan_withdrawal_over')
})

test('an installment without enough money causes one notice and daily retries, and is late after ten days with one fee', async () => {
  const id = await borrow(ann, 5_000_00, 12)
  await empty(ann)
  clock.set(new Date('2026-09-28T10:30:00Z'))
  await daily()
  await daily()
  expect((await noticesOf(ann)).filter((kind) => kind === 'loan_instalment_short')).toHaveLength(1)
  expect(await details(ann, id)).toMatchObject({ status: 'active', overdueMinor: 0 })
  clock.set(new Date('2026-09-29T00:30:00Z'))
  const short = await details(ann, id)
  expect(short).toMatchObject({ status: 'active', overdueMinor: short.instalmentMinor })
  clock.set(new Date('2026-10-08T10:30:00Z'))
  await daily()
  expect(await details(ann, id)).toMatchObject({ status: 'active' })
  clock.set(new Date('2026-10-09T10:30:00Z'))
  await daily()
  await daily()
  expect(await details(ann, id)).toMatchObject({ status: 'late', owed: { feesMinor: 15_00 } })
  // The due day is a Saturday. It is collected on Tuesday, because Monday is a holiday.
  await move(ann, 1_000_00)
  clock.set(new Date('2026-10-12T10:30:00Z'))
  await daily()
  expect((await details(ann, id)).payments).toEqual([])
  clock.set(new Date('2026-10-13T10:30:00Z'))
  await daily()
  const paid = await details(ann, id)
  expect(paid).toMatchObject({ status: 'active', overdueMinor: 0, owed: { feesMinor: 0, interestMinor: 0 } })
  expect(paid.payments[0]).toMatchObject({ feesMinor: 15_00, amountMinor: paid.instalmentMinor, paidOn: '2026-10-13' })
  await auditTestBooks(server)
})

test('an extra payment pays the overdue amount first', async () => {
  const id = await borrow(ann, 5_000_00, 12)
  await empty(ann)
  clock.set(new Date('2026-09-28T10:30:00Z'))
  await daily()
  const { instalmentMinor } = await details(ann, id)
  await move(ann, instalmentMinor)
  await answered(await post(ann, `/${id}/payments`, { amountMinor: 100_00, asset: 'USD' }))
  clock.set(new Date('2026-09-29T00:30:00Z'))
  expect(await details(ann, id)).toMatchObject({ overdueMinor: instalmentMinor - 100_00 })
  clock.set(new Date('2026-09-29T10:30:00Z'))
  await daily()
  expect(await details(ann, id)).toMatchObject({ overdueMinor: 0, next: { dueOn: '2026-10-28' } })
  expect(await balance(ann)).toBe(0)
})

test('a late bank costs the customer nothing: the same loan is updated every 19 days, and after a year', async () => {
  const eve = await borrower()
  const ids = [await borrow(ann, 7_500_00, 18), await borrow(eve, 7_500_00, 18)] as const
  await move(ann, 10_000_00)
  await move(eve, 10_000_00)
  for (let day = 1; day < 400; day += 19) {
    inDays(day)
    // Only the first loan is brought up to date, as if the bank had not processed the other one.
    await bringUpToDate(server.deps, ann.customer.id, ids[0])
  }
  inDays(400)
  await daily()
  const [annsLoan, evesLoan] = [await details(ann, ids[0]), await details(eve, ids[1])]
  const figures = ({ owed, payments, schedule }: LoanDetails) => ({
    owed,
    schedule,
    payments: payments.map((payment) => ({ ...payment, id: '' })),
  })
  expect(figures(evesLoan)).toEqual(figures(annsLoan))
})

test('a loan can be paused for two months, once in twelve, and not while it is very late', async () => {
  const id = await borrow(ann, 10_000_00, 6)
  await move(ann, 20_000_00)
  const key = randomUUID()
  const terms = await pauseTerms(ann, id, 2)
  await expectRefusal(await pause(ann, id, 4, terms), 'request_invalid', 'months')
  await expectRefusal(await pause(ann, id, 0, terms), 'request_invalid', 'months')
  await expectRefusal(await post(ann, `/${id}/pause`, { months: 2 }), 'request_invalid', 'terms')
  const paused = await answered(await pause(ann, id, 2, terms, key))
  expect(paused).toEqual(terms)
  expect(paused).toMatchObject({ nextDueOn: '2026-11-30', lastDueOn: '2027-04-28' })
  expect(await answered(await pause(ann, id, 2, terms, key))).toEqual(paused)
  await expectRefusal(await pause(ann, id, 1, terms), 'loan_pause_recent')
  await expectRefusal(await ann.browser.get(`/api/v1/loans/${id}/pause`), 'loan_pause_recent')
  expect((await details(ann, id)).pause).toMatchObject({
    until: '2026-11-30',
    possible: false,
    possibleOn: '2027-08-28',
  })
  clock.set(new Date('2027-05-01T10:30:00Z'))
  await daily()
  const loan = await details(ann, id)
  expect(loan).toMatchObject({ status: 'repaid', owed: { totalMinor: 0 } })
  const interest = loan.payments.reduce((sum, payment) => sum + payment.interestMinor, 0)
  expect(interest).toBe(repaymentsOf(10_000_00, 6).interestMinor + terms.extraMinor)
  expect(loan.payments[0]).toMatchObject({ paidOn: terms.lastDueOn, amountMinor: terms.lastAmountMinor })

  const eve = await borrower()
  const other = await borrow(eve, 5_000_00, 12)
  await empty(eve)
  clock.set(new Date('2027-07-30T10:30:00Z'))
  await expectRefusal(await pause(eve, other, 1, terms), 'loan_pause_late')
  await expectRefusal(await eve.browser.get(`/api/v1/loans/${other}/pause`), 'loan_pause_late')
  await expectRefusal(await ann.browser.get(`/api/v1/loans/${other}/pause`), 'not_found')
  await expectRefusal(await ann.browser.get(`/api/v1/loans/${id}/pause`), 'loan_not_open')
})

test('a pause of a late loan counts from today, ends its delay, and is planned once', async () => {
  const id = await borrow(ann, 5_000_00, 12)
  await empty(ann)
  clock.set(new Date('2026-09-28T10:30:00Z'))
  await daily()
  clock.set(new Date('2026-10-12T10:30:00Z'))
  await daily()
  expect(await details(ann, id)).toMatchObject({ status: 'late', owed: { feesMinor: 15_00 } })
  const terms = await pauseTerms(ann, id, 1)
  const before = await details(ann, id)
  const paused = await answered(await pause(ann, id, 1, terms))
  expect(paused).toEqual(terms)
  expect(paused).toMatchObject({ nextDueOn: '2026-11-30', lastDueOn: '2027-10-28' })
  expect(toPay(await details(ann, id)) - toPay(before)).toBe(terms.extraMinor)
  clock.set(new Date('2026-10-13T10:30:00Z'))
  await daily()
  expect(await details(ann, id)).toMatchObject({ status: 'active', overdueMinor: 0, lastDueOn: '2027-10-28' })
})

test('a pause is refused if the loan has changed since the preview, and no money moves', async () => {
  const id = await borrow(ann, 10_000_00, 12)
  const terms = await pauseTerms(ann, id, 3)
  for (const other of [
    { ...terms, extraMinor: terms.extraMinor - 1 },
    { ...terms, lastAmountMinor: terms.lastAmountMinor + 1 },
    { ...terms, nextDueOn: '2026-12-29' },
    { ...terms, lastDueOn: '2027-11-30' },
    await pauseTerms(ann, id, 2),
  ])
    await expectRefusal(await pause(ann, id, 3, other), 'loan_terms_changed')
  const before = await details(ann, id)
  await answered(await post(ann, `/${id}/payments`, { amountMinor: 500_00, asset: 'USD' }))
  await expectRefusal(await pause(ann, id, 3, terms), 'loan_terms_changed')
  expect((await details(ann, id)).pause).toEqual(before.pause)
  // The agreed terms did not include an installment that is not collected yet.
  clock.set(new Date('2026-09-28T09:59:00Z'))
  const early = await pauseTerms(ann, id, 3)
  clock.set(new Date('2026-09-28T10:01:00Z'))
  await expectRefusal(await pause(ann, id, 3, early), 'loan_terms_changed')
  const now = await pauseTerms(ann, id, 3)
  const eight = await Promise.all(Array.from({ length: 8 }, () => pause(ann, id, 3, now)))
  expect(eight.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await details(ann, id)).toMatchObject({ lastDueOn: now.lastDueOn, lastAmountMinor: now.lastAmountMinor })
  await auditTestBooks(server)
})

test.each([
  { amountMinor: 1_000_00, months: 6, day: 0, extraMinor: 0, pauses: [1] },
  { amountMinor: 5_500_00, months: 24, day: 20, extraMinor: 700_00, pauses: [3, 2] },
  { amountMinor: 12_000_00, months: 24, day: 45, extraMinor: 0, pauses: [3, 3] },
  { amountMinor: 50_000_00, months: 60, day: 31, extraMinor: 1_234_56, pauses: [2, 1, 3] },
])('the previewed cost of a pause is the actual cost: %o', async ({ amountMinor, months, day, extraMinor, pauses }) => {
  const id = await borrow(ann, amountMinor, months)
  await move(ann, 80_000_00)
  let terms: LoanPauseTerms | undefined
  for (const [year, count] of pauses.entries()) {
    inDays(day + year * 366)
    await daily()
    if (extraMinor > 0) await answered(await post(ann, `/${id}/payments`, { amountMinor: extraMinor, asset: 'USD' }))
    const before = await details(ann, id)
    terms = await pauseTerms(ann, id, count)
    expect(await answered(await pause(ann, id, count, terms))).toEqual(terms)
    const after = await details(ann, id)
    expect(toPay(after) - toPay(before)).toBe(terms.extraMinor)
    expect(after).toMatchObject({ lastDueOn: terms.lastDueOn, lastAmountMinor: terms.lastAmountMinor })
    expect(after.next?.dueOn).toBe(terms.nextDueOn)
  }
  inDays(366 * 7)
  await daily()
  const { status, payments } = await details(ann, id)
  expect(status).toBe('repaid')
  expect(payments[0]).toMatchObject({ paidOn: terms?.lastDueOn, amountMinor: terms?.lastAmountMinor })
  await auditTestBooks(server)
})

test('a late fee is at most 5% of the missing part of the installment', async () => {
  const id = await borrow(ann, 1_000_00, 60)
  const { instalmentMinor } = await details(ann, id)
  const eve = await borrower()
  const other = await borrow(eve, 1_000_00, 60)
  await empty(ann)
  await empty(eve)
  clock.set(new Date('2026-09-28T10:30:00Z'))
  await daily()
  await move(eve, 10_00)
  await answered(await post(eve, `/${other}/payments`, { amountMinor: 10_00, asset: 'USD' }))
  clock.set(new Date('2026-10-09T10:30:00Z'))
  await daily()
  await daily()
  expect(instalmentMinor).toBe(19_75)
  expect(await details(ann, id)).toMatchObject({ status: 'late', owed: { feesMinor: 98 } })
  expect(await details(eve, other)).toMatchObject({ status: 'late', owed: { feesMinor: 48 } })
  await auditTestBooks(server)
})

test('installments are collected at 10:00, after the deposits of their day', async () => {
  const id = await borrow(ann, 5_000_00, 12)
  clock.set(new Date('2026-09-28T09:59:00Z'))
  await daily()
  expect((await details(ann, id)).payments).toEqual([])
  clock.set(new Date('2026-09-28T10:00:00Z'))
  await daily()
  expect((await details(ann, id)).payments).toMatchObject([{ kind: 'instalment', paidOn: '2026-09-28' }])
})

test('an unverified customer gets no loan, if the bank requires verification', async () => {
  const id = await offer(ann)
  const eve = await borrower()
  const bob = await borrower()
  const { id: pending } = await answered<{ id: string }>(await apply(bob, 5_000_00))
  for (const { customer } of [ann, eve, bob])
    await runOn(server.deps.pool)('UPDATE bank.customer SET verified_at = NULL WHERE id = $1', [customer.id])
  server.deps.policy.unverifiedLimits = policyFor({ mode: 'live' }).unverifiedLimits
  try {
    await expectRefusal(await post(ann, `loan-applications/${id}/accept`), 'verification_required')
    await expectRefusal(await apply(eve, 5_000_00), 'verification_required')
    await decideJob.run(server.deps, { applicationId: pending })
    expect(await get(bob)).toMatchObject({ mustVerify: true, application: { status: 'refused' }, loans: [] })
  } finally {
    server.deps.policy.unverifiedLimits = null
  }
})

test('a quote sends no change event to other screens', async () => {
  const id = await borrow(ann)
  const notify = vi.spyOn(server.deps.events, 'notifySoon')
  try {
    await answered(await post(ann, `/${id}/quotes`))
    expect(notify).not.toHaveBeenCalled()
  } finally {
    notify.mockRestore()
  }
})

test('an account with a loan cannot be closed, and an open application ends with the customer', async () => {
  const id = await borrow(ann)
  const close = (who: Borrower) => who.browser.post('/api/v1/profile/closure', {})
  await expectRefusal(await close(ann), 'loan_owed')
  expect(await details(ann, id)).toMatchObject({ status: 'active' })
  const eve = await server.person({ fullName: 'Eve Else', email: `eve.${randomUUID()}@example.com` })
  const applied = await answered<{ id: string }>(await apply(eve, 5_000_00))
  expect((await close(eve)).status).toBeLessThan(300)
  await decideJob.run(server.deps, { applicationId: applied.id })
  const { rows } = await runOn(server.deps.pool)('SELECT status FROM bank.loan_application WHERE id = $1', [applied.id])
  expect(rows).toEqual([{ status: 'withdrawn' }])
})

test('a bank that is late with loans reports it', async () => {
  await borrow(ann)
  inDays(2)
  expect(await lateParts(server.deps)).toContainEqual(expect.stringContaining('loans'))
  await daily()
})

test('a statement is available, for the customer’s own loans only', async () => {
  const id = await borrow(ann, 20_000_00, 60)
  const answer = await ann.browser.get(`/api/v1/loans/${id}/statement`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const pdf = await getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
  const { text } = await extractText(pdf, { mergePages: true })
  const { lastInstalmentMinor } = repaymentsOf(20_000_00, 60)
  const lines = text.replaceAll(/\s+/g, ' ')
  expect(lines).toContain('APR (fixed) 6.9% Effective annual rate 7.12%')
  expect(lines).toContain(`Last installment ${formatAmount(lastInstalmentMinor, 'USD')} on August 28, 2031`)
  expect(lines).toContain('Late fee 5% of the overdue amount, up to $15.00, if it is more than 10 days late')
  const eve = await borrower()
  expect((await eve.browser.get(`/api/v1/loans/${id}/statement`)).status).toBe(404)
})
