import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { repaymentsOf } from '#contract/loan-terms.ts'
import type { LoanApplication, LoanDetails, LoanInstallment, LoanOverview } from '#contract/loans.ts'
import { formatAmount } from '#contract/money.ts'
import { queries } from '#web/app/query-client.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests } from '#web/test/bank.ts'

const part = (name: string) => page.getByRole('main').getByRole('region', { name })
const sheet = page.getByRole('dialog')
const inSheet = (name: string) => sheet.getByRole('button', { name })
const slider = (name: string) => page.getByRole('slider', { name })
const usd = (amountMinor: number) => formatAmount(amountMinor, 'USD')
const apply = page.getByRole('button', { name: 'Apply for Loan' })

const AMOUNT = 5_000_00
const COST = repaymentsOf(AMOUNT, 24)

const SCHEDULE: LoanInstallment[] = Array.from({ length: 24 }, (_, index) => ({
  number: index + 1,
  dueOn: `${2026 + Math.floor((index + 8) / 12)}-${String(((index + 8) % 12) + 1).padStart(2, '0')}-28`,
  amountMinor: index === 23 ? COST.lastInstalmentMinor : COST.instalmentMinor,
  principalMinor: 200_00,
  interestMinor: 10_00,
  feesMinor: 0,
  principalLeftMinor: index === 23 ? 0 : AMOUNT - (index + 1) * 200_00,
  overdue: false,
}))

const OFFERED: LoanApplication = {
  id: 'application',
  status: 'offered',
  amountMinor: AMOUNT,
  asset: 'USD',
  months: 24,
  createdAt: '2026-08-28T09:41:00.000Z',
  decidedAt: '2026-08-28T09:41:10.000Z',
  decision: { score: 742, band: 'good', limitMinor: 50_000_00, reasons: [] },
  offer: {
    aprBps: 690,
    dailyRateE12: 189_041_096,
    instalmentMinor: COST.instalmentMinor,
    totalMinor: COST.totalMinor,
    interestMinor: COST.interestMinor,
    expiresAt: '2026-09-11T09:41:00.000Z',
    schedule: SCHEDULE,
  },
  loanId: null,
}

const LOAN: LoanDetails = {
  id: 'loan',
  status: 'active',
  amountMinor: AMOUNT,
  asset: 'USD',
  months: 24,
  aprBps: 690,
  dailyRateE12: 189_041_096,
  instalmentMinor: COST.instalmentMinor,
  disbursedOn: '2026-08-28',
  owed: { principalMinor: AMOUNT, interestMinor: 0, feesMinor: 0, totalMinor: AMOUNT },
  overdueMinor: 0,
  next: { dueOn: '2026-09-28', amountMinor: COST.instalmentMinor },
  lastDueOn: '2028-08-28',
  lastAmountMinor: COST.lastInstalmentMinor,
  closedOn: null,
  withdrawUntil: '2026-09-11',
  pause: { until: null, possible: true, possibleOn: null },
  schedule: SCHEDULE,
  payments: [],
}

/** The fields of a loan that has ended. */
const ENDED_LOAN = {
  owed: { principalMinor: 0, interestMinor: 0, feesMinor: 0, totalMinor: 0 },
  next: null,
  lastDueOn: null,
  lastAmountMinor: null,
  closedOn: '2026-08-28',
  schedule: [],
}

/** Mocks the bank's overview with these changes. */
async function mockOverview(changes: Partial<LoanOverview>): Promise<void> {
  bank.get('/loans', { ...(await bank.recorded('/loans')), ...changes })
}

/** Mocks an open loan with these changes. */
async function mockLoan(changes: Partial<LoanDetails> = {}): Promise<void> {
  const loan = { ...LOAN, ...changes }
  const { withdrawUntil: _, pause: _pause, schedule: _schedule, payments: _payments, ...summary } = loan
  const preApproval = await bank.recorded('/loans/pre-approval')
  await mockOverview({ loans: [summary] })
  bank.get('/loans/:id', loan)
  // `pre-approval` also matches `:id`, so its own response is mocked again, before the screen can send a request.
  bank.get('/loans/pre-approval', preApproval)
}

test('the calculator shows the cost of a loan, by slider, key and button', async () => {
  await open('/loans')
  const [amount, term] = [slider('Loan Amount'), slider('Term')]
  for (const [name, value] of Object.entries({ min: '100000', max: '5000000', step: '50000' }))
    await expect.element(amount).toHaveAttribute(name, value)
  await expect.element(amount).toHaveValue('500000')
  await expect.element(amount).toHaveAttribute('aria-valuetext', '$5,000')
  for (const [name, value] of Object.entries({ min: '6', max: '60', step: '6' }))
    await expect.element(term).toHaveAttribute(name, value)
  await expect.element(term).toHaveValue('24')
  await expect.element(term).toHaveAttribute('aria-valuetext', '24 months')
  const cost = part('What It Costs')
  for (const text of [
    'Monthly Payment$223.64',
    'Total Repayment$5,367.27',
    'Total Interest$367.27',
    'Last Payment$223.55',
    '6.9% APR, fixed',
    'Effective Annual Rate7.12%',
  ])
    await expect.element(cost).toMatchTextContent(text)
  await expect.element(part('Pre-approval')).toMatchTextContent(/up to \$50,000.*Credit score 742 \(Good\)/)

  const focus = (element: Element) => element instanceof HTMLElement && element.focus()
  focus(amount.element())
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(amount).toHaveAttribute('aria-valuetext', '$5,500')
  await userEvent.keyboard('{End}')
  focus(term.element())
  await userEvent.keyboard('{Home}')
  const largestLoan = repaymentsOf(50_000_00, 6)
  await expect.element(cost).toMatchTextContent(`Monthly Payment${usd(largestLoan.instalmentMinor)}`)
  await expect.element(cost).toMatchTextContent(`Total Repayment${usd(largestLoan.totalMinor)}`)
  await pressByKey(page.getByRole('button', { name: '6 Months More' }))
  await pressByKey(page.getByRole('button', { name: 'Borrow $500 Less' }))
  await expect.element(term).toHaveValue('12')
  await expect.element(amount).toHaveValue('4950000')
})

test('a typed amount outside the range is refused, and one inside is used in the application', async () => {
  bank.post('/loan-applications', { id: 'application' })
  await open('/loans')
  const amount = page.getByRole('textbox', { name: 'Loan Amount' })
  const term = page.getByRole('textbox', { name: 'Term' })
  for (const [text, message] of [
    ['', 'Please enter a valid amount'],
    ['abc', 'Please enter a valid amount'],
    ['500', 'The minimum loan is $1,000'],
    ['7,300', 'Please choose an amount in increments of $500'],
    ['50,500', "This is more than we've pre-approved for you"],
  ] as const) {
    await amount.fill('7500')
    await expect.element(amount).not.toHaveAttribute('aria-invalid')
    await amount.fill(text)
    await pressByKey(apply)
    await expect.element(findToast(message)).toBeVisible()
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
  }
  await amount.fill('7500')
  await term.fill('25')
  await pressByKey(apply)
  await expect.element(findToast('Please choose a term from 6 to 60 months, in increments of 6')).toBeVisible()
  expect(changeRequests()).toEqual([])
  await term.fill('36')
  await expect.element(slider('Loan Amount')).toHaveValue('750000')
  await pressByKey(apply)
  await expect.element(findToast("Loan application submitted! We'll review and respond within 24 hours.")).toBeVisible()
  expect(changeRequests()).toMatchObject([{ json: { amountMinor: 7_500_00, asset: 'USD', months: 36 } }])
})

test('an offer shows its terms and its schedule, and is accepted after a confirmation', async () => {
  await mockOverview({ application: OFFERED })
  bank.post('/loan-applications/:id/accept', async () => {
    await mockLoan()
    return { loanId: 'loan', amountMinor: AMOUNT, asset: 'USD' as const }
  })
  await open('/loans')
  const card = part('Your Offer')
  for (const text of [
    'Your loan is approved',
    '$5,000.00',
    `Monthly Payment${usd(COST.instalmentMinor)}`,
    `Total Repayment${usd(COST.totalMinor)}`,
    `Last Payment${usd(COST.lastInstalmentMinor)}`,
    '6.9% APR, fixed',
    "there's a late fee: 5% of the overdue amount, up to $15",
    'Interest per Day0.0189%',
  ])
    await expect.element(card).toMatchTextContent(text)
  await expect.element(apply).toBeDisabled()
  await pressByKey(card.getByRole('button', { name: 'Payment Schedule' }))
  await expect.poll(() => sheet.getByRole('row').elements()).toHaveLength(25)
  await expect.element(sheet.getByRole('row').last()).toMatchTextContent('$0.00')
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  await pressByKey(card.getByRole('button', { name: 'Accept Offer' }))
  await pressByKey(inSheet('Accept Offer'))
  await expect.element(findToast('$5,000.00 is in your account')).toBeVisible()
  await expect.element(part('Your Loan')).toMatchTextContent('You owe$5,000.00')
  expect(changeRequests()).toMatchObject([{ path: '/loan-applications/application/accept' }])
})

test('an offer is declined, and another loan can be applied for', async () => {
  await mockOverview({ application: OFFERED })
  bank.post('/loan-applications/:id/withdraw', async () => {
    await mockOverview({ application: null })
    return {}
  })
  await open('/loans')
  await pressByKey(page.getByRole('button', { name: 'Decline Offer' }))
  await pressByKey(inSheet('Decline Offer'))
  await expect.element(findToast('You declined the offer')).toBeVisible()
  await expect.element(apply).toBeEnabled()
})

test('a loan gets an extra payment, is paused and settled', async () => {
  await mockLoan()
  const paymentParts = { asset: 'USD' as const, interestMinor: 0, feesMinor: 0 }
  bank.post('/loans/:id/payments', async ({ json: { amountMinor } }) => {
    const principalLeftMinor = AMOUNT - amountMinor
    await mockLoan({
      owed: { principalMinor: principalLeftMinor, interestMinor: 0, feesMinor: 0, totalMinor: principalLeftMinor },
      payments: [
        {
          id: 'payment',
          kind: 'extra',
          paidOn: '2026-08-28',
          amountMinor,
          principalMinor: amountMinor,
          interestMinor: 0,
          feesMinor: 0,
        },
      ],
    })
    return { ...paymentParts, amountMinor, principalMinor: amountMinor, principalLeftMinor }
  })
  const terms = { nextDueOn: '2026-11-28', lastDueOn: '2028-10-28', lastAmountMinor: 270_00, extraMinor: 46_00 }
  bank.get('/loans/:id/pause', { options: [1, 2, 3].map((months) => ({ months, ...terms })) })
  bank.post('/loans/:id/pause', async () => {
    await mockLoan({ pause: { until: '2026-11-28', possible: false, possibleOn: null } })
    return terms
  })
  bank.post('/loans/:id/quotes', {
    ...paymentParts,
    id: 'quote',
    amountMinor: 4_000_00,
    principalMinor: 4_000_00,
    validOn: '2026-08-28',
    savedMinor: 300_00,
  })
  bank.post('/loans/:id/early-settlement', async () => {
    await mockLoan({ ...ENDED_LOAN, status: 'repaid' })
    return { ...paymentParts, amountMinor: 4_000_00, principalMinor: 4_000_00, principalLeftMinor: 0 }
  })
  await open('/loans')
  const loan = part('Your Loan')
  await pressByKey(loan.getByRole('button', { name: 'Pay Extra' }))
  const amount = sheet.getByLabelText('Amount')
  for (const [text, message] of [
    ['5000.01', 'This is more than you owe'],
    ['0.99', 'Please pay at least $1.00, or all that you owe'],
  ] as const) {
    await amount.fill(text)
    await pressByKey(inSheet('Pay'))
    await expect.element(findToast(message)).toBeVisible()
  }
  expect(changeRequests()).toEqual([])
  await amount.fill('1000')
  await pressByKey(inSheet('Pay'))
  await expect.element(findToast('$1,000.00 paid')).toBeVisible()
  await expect.element(loan).toMatchTextContent(/You owe\$4,000\.00.*\$1,000\.00 of \$5,000 repaid/)
  await expect.element(page.getByRole('main')).toMatchTextContent('Extra payment')

  await pressByKey(loan.getByRole('button', { name: /^Pause Payments/ }))
  await sheet.getByRole('radio', { name: '2 months' }).click()
  await expect.element(sheet).toMatchTextContent(/Last Payment.*\$270\.00.*Extra Interest in Total\$46\.00/)
  await pressByKey(inSheet('Pause Payments'))
  await expect.element(findToast('Your payments are paused')).toBeVisible()
  await expect.element(loan).toMatchTextContent('Your payments are paused until')
  await expect.element(loan.getByRole('button', { name: /^Pause Payments/ })).toBeDisabled()

  await pressByKey(loan.getByRole('button', { name: 'Pay Off Early' }))
  await expect.element(sheet).toMatchTextContent('Payoff Amount Today$4,000.00')
  await pressByKey(inSheet('Pay Off Loan'))
  await expect.element(findToast('Your loan is repaid')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Loan of \$5,000/ })).toMatchTextContent('Repaid in full')
  await expect.element(apply).toBeEnabled()
  expect(changeRequests().filter(({ path }) => !path.endsWith('/quotes'))).toMatchObject([
    { path: '/loans/loan/payments', json: { amountMinor: 1_000_00 } },
    { path: '/loans/loan/pause', json: { months: 2, terms } },
    { path: '/loans/loan/early-settlement', json: { quoteId: 'quote' } },
  ])
})

test('the remaining debt is drawn over the loan’s life, including the future, and is in a table', async () => {
  const { today } = await bank.recorded('/loans')
  const payment = { kind: 'instalment' as const, interestMinor: 10_00, feesMinor: 0, amountMinor: 210_00 }
  await mockLoan({
    disbursedOn: '2026-06-28',
    owed: { principalMinor: 4_600_00, interestMinor: 0, feesMinor: 0, totalMinor: 4_600_00 },
    payments: ['2026-08-20', '2026-07-28'].map((paidOn) => ({
      ...payment,
      id: paidOn,
      paidOn,
      principalMinor: 200_00,
    })),
    schedule: SCHEDULE.map((row) => ({ ...row, principalLeftMinor: Math.max(0, row.principalLeftMinor - 400_00) })),
  })
  await open('/loans')
  const chart = slider('The amount left to repay over the life of your loan')
  await expect.element(chart).toHaveAttribute('aria-valuetext', 'Today, Left to Repay $4,600.00')
  expect(document.querySelector('[data-ahead]')).not.toBeNull()
  await expect.element(page.getByText("The dotted line shows what's ahead if you pay on time.")).toBeVisible()
  await pressByKey(page.getByRole('button', { name: 'Show as Table' }))
  const rows = page.getByRole('table').getByRole('row')
  for (const [place, remainingText] of ['$5,000.00', '$4,800.00', '$4,600.00', '$4,600.00'].entries())
    await expect.element(rows.nth(place + 1)).toMatchTextContent(remainingText)
  await expect.element(rows.last()).toMatchTextContent('$0.00')
  expect(today).toBe('2026-08-28')
})

test('a loan is withdrawn from, and its payments stay visible', async () => {
  await mockLoan()
  const payments = SCHEDULE.map(({ number, dueOn, amountMinor, principalMinor, interestMinor, feesMinor }) => ({
    id: String(number),
    kind: 'instalment' as const,
    paidOn: dueOn,
    amountMinor,
    principalMinor,
    interestMinor,
    feesMinor,
  }))
  bank.post('/loans/:id/withdrawal', async ({ json }) => {
    await mockLoan({ ...ENDED_LOAN, status: 'withdrawn', payments })
    const { amountMinor, asset } = json
    return { amountMinor, asset, principalMinor: amountMinor, interestMinor: 0, feesMinor: 0, principalLeftMinor: 0 }
  })
  await open('/loans')
  await pressByKey(page.getByRole('button', { name: /^Cancel This Loan/ }))
  await pressByKey(inSheet('Cancel Loan and Pay Back'))
  await expect.element(findToast('Your loan is canceled')).toBeVisible()
  expect(changeRequests()).toMatchObject([{ json: { amountMinor: AMOUNT, asset: 'USD' } }])
  const past = page.getByRole('button', { name: /^Loan of \$5,000/ })
  await expect.element(past).toMatchTextContent('Canceled and paid back')
  await pressByKey(past)
  await expect.poll(() => sheet.getByRole('listitem').elements()).toHaveLength(24)
})

test('a repaid loan is celebrated once', async () => {
  localStorage.removeItem('alder.milestones')
  // A celebration from an earlier test must disappear first.
  await expect.poll(() => document.querySelector('.celebration'), { timeout: 10_000 }).toBeNull()
  const celebrationText = () => document.querySelector('.celebration [role=status]')?.textContent ?? ''
  await mockLoan()
  await open('/loans')
  await expect.element(part('Your Loan')).toBeVisible()
  await mockLoan({ ...ENDED_LOAN, status: 'repaid' })
  await queries.refetchQueries()
  await expect.poll(celebrationText).toMatch(/^Your loan is repaid!You borrowed \$[\d,]+ and paid it all back\.$/)
  document.querySelector<HTMLElement>('.celebration [role=status] > div')?.click()
  await expect.poll(celebrationText, { timeout: 5_000 }).toBe('')
  await queries.refetchQueries()
  await expect.element(page.getByRole('heading', { name: 'Past Loans' })).toBeVisible()
  expect(celebrationText()).toBe('')
})
