import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import { repaymentsOf } from '#contract/loan-terms.ts'
import type { LoanDetails, LoanOverview, PreApproval } from '#contract/loans.ts'
import { formatAmount } from '#contract/money.ts'
import { ask, available, newest, post, press, toast, visit } from './bank.ts'
import { withOwnBank } from './own-bank.ts'

const part = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name })
const sheet = (page: Page) => page.getByRole('dialog')
const slider = (page: Page, name: string) => page.getByRole('slider', { name })
const usd = (amountMinor: number) => formatAmount(amountMinor, 'USD')
const overview = (page: Page) => ask<LoanOverview>(page, '/loans')

/** Applies past the screen, and waits for the decision. */
async function apply(page: Page, amountMinor: number, months: number): Promise<void> {
  await post(page, '/loans/applications', { amountMinor, asset: 'USD', months })
  await expect.poll(async () => (await overview(page)).application?.status).toBe('offered')
}

/** The customer's loan, as the bank knows it. */
async function loanOf(page: Page): Promise<LoanDetails> {
  const [first] = (await overview(page)).loans
  if (!first) throw new Error('There is no loan')
  return ask<LoanDetails>(page, `/loans/${first.id}`)
}

test('the calculator has the sliders of the spec, and says what a loan costs', async ({ page }) => {
  await visit(page)
  await page.goto('/dashboard')
  await page.getByRole('main').getByRole('link', { name: 'Loans' }).click()
  await expect(page).toHaveURL('/loans')

  const [amount, term] = [slider(page, 'Loan Amount'), slider(page, 'Term')]
  for (const [name, value] of Object.entries({ min: '100000', max: '5000000', step: '50000' }))
    await expect(amount).toHaveAttribute(name, value)
  await expect(amount).toHaveValue('500000')
  await expect(amount).toHaveAttribute('aria-valuetext', '$5,000')
  for (const [name, value] of Object.entries({ min: '6', max: '60', step: '6' }))
    await expect(term).toHaveAttribute(name, value)
  await expect(term).toHaveValue('24')
  await expect(term).toHaveAttribute('aria-valuetext', '24 months')

  const cost = part(page, 'What It Costs')
  await expect(cost).toContainText('Monthly Payment$223.64')
  await expect(cost).toContainText('Total Repayment$5,367.27')
  await expect(cost).toContainText('Total Interest$367.27')
  await expect(cost).toContainText('Last Payment$223.55')
  await expect(cost).toContainText('6.9% APR, fixed')
  await expect(cost).toContainText('Effective Annual Rate7.12%')

  const approved = part(page, 'Pre-approval')
  await expect(approved).toContainText('up to $50,000')
  await expect(approved).toContainText('Credit score 742 (Good)')
  expect(await ask<PreApproval>(page, '/loans/pre-approval')).toMatchObject({
    score: 742,
    band: 'good',
    limitMinor: 50_000_00,
  })

  await amount.press('ArrowRight')
  await expect(amount).toHaveAttribute('aria-valuetext', '$5,500')
  await amount.press('End')
  await term.press('Home')
  const most = repaymentsOf(50_000_00, 6)
  await expect(cost).toContainText(`Monthly Payment${usd(most.instalmentMinor)}`)
  await expect(cost).toContainText(`Total Repayment${usd(most.totalMinor)}`)
  await press(page.getByRole('button', { name: '6 months more' }))
  await press(page.getByRole('button', { name: 'Borrow $500 less' }))
  await expect(term).toHaveValue('12')
  await expect(amount).toHaveValue('4950000')
})

test('an amount that is typed is refused where it is off the scale, and applied for where it is not', async ({
  page,
}) => {
  await visit(page)
  await page.goto('/loans')
  const amount = page.getByRole('textbox', { name: 'Loan Amount' })
  const term = page.getByRole('textbox', { name: 'Term' })
  const send = page.getByRole('button', { name: 'Apply for Loan' })
  await expect(send).toBeEnabled()
  for (const [text, message] of [
    ['', 'Please enter a valid amount'],
    ['abc', 'Please enter a valid amount'],
    ['500', 'The smallest loan is $1,000'],
    ['7,300', 'Please choose an amount in steps of $500'],
    ['50,500', "This is more than we've pre-approved for you"],
  ] as const) {
    await amount.fill(text)
    await press(send)
    await expect(toast(page, message)).toBeVisible()
    await expect(amount).toHaveAttribute('aria-invalid', 'true')
  }
  await amount.fill('7500')
  await term.fill('25')
  await press(send)
  await expect(toast(page, 'Please choose a term from 6 to 60 months, in steps of 6')).toBeVisible()
  expect((await overview(page)).application).toBeNull()

  await term.fill('36')
  await expect(slider(page, 'Loan Amount')).toHaveValue('750000')
  await press(send)
  await expect(toast(page, "Loan application submitted! We'll review and respond within 24 hours.")).toBeVisible()
  const sentAt = Date.now()
  await page.waitForURL('/dashboard')
  expect(Date.now() - sentAt, 'after 2 s').toBeGreaterThan(1_500)
  expect(Date.now() - sentAt, 'after 2 s').toBeLessThan(4_000)
  await expect.poll(async () => (await overview(page)).application).toMatchObject({ amountMinor: 7_500_00, months: 36 })
})

test('an offer is accepted, and the loan paid on, paused and settled', async ({ page }) => {
  await visit(page)
  await apply(page, 5_000_00, 24)
  const before = await available(page)
  const offer = (await overview(page)).application?.offer
  await page.goto('/loans')
  const card = part(page, 'Your Offer')
  await expect(card).toContainText('Your loan is approved')
  await expect(card).toContainText('$5,000.00')
  await expect(card).toContainText(`Monthly Payment${usd(offer?.instalmentMinor ?? 0)}`)
  await expect(card).toContainText(`Total Repayment${usd(offer?.totalMinor ?? 0)}`)
  await expect(card).toContainText(`Last Payment${usd(offer?.schedule.at(-1)?.amountMinor ?? 0)}`)
  await expect(card).toContainText('6.9% APR, fixed')
  await expect(card).toContainText('a fee: 5% of what is missing, $15 at most')
  await expect(card).toContainText('Interest per Day0.0189%')
  await expect(page.getByRole('button', { name: 'Apply for Loan' })).toBeDisabled()

  await press(card.getByRole('button', { name: 'Payment Schedule' }))
  await expect(sheet(page).getByRole('row')).toHaveCount(25)
  await expect(sheet(page).getByRole('row').last()).toContainText('$0.00')
  await page.keyboard.press('Escape')
  await press(card.getByRole('button', { name: 'Accept Offer' }))
  await press(sheet(page).getByRole('button', { name: 'Accept Offer' }))
  await expect(toast(page, '$5,000.00 is in your account')).toBeVisible()
  expect(await available(page)).toBe(before + 5_000_00)
  expect((await newest(page, 1))[0]).toMatchObject({ amountMinor: 5_000_00, category: 'loan' })

  const loan = part(page, 'Your Loan')
  await expect(loan).toContainText('You owe$5,000.00')
  await expect(loan).toContainText('Withdraw from This Loan')
  await press(loan.getByRole('button', { name: 'Pay Extra' }))
  await sheet(page).getByLabel('Amount').fill('5000.01')
  await press(sheet(page).getByRole('button', { name: 'Pay', exact: true }))
  await expect(toast(page, 'This is more than you owe')).toBeVisible()
  await sheet(page).getByLabel('Amount').fill('0.99')
  await press(sheet(page).getByRole('button', { name: 'Pay', exact: true }))
  await expect(toast(page, 'Please pay at least $1.00')).toBeVisible()
  await sheet(page).getByLabel('Amount').fill('1000')
  await press(sheet(page).getByRole('button', { name: 'Pay', exact: true }))
  await expect(toast(page, '$1,000.00 paid')).toBeVisible()
  await expect(loan).toContainText(`You owe${usd((await loanOf(page)).owed.totalMinor)}`)
  await expect(loan).toContainText('$1,000.00 of $5,000 repaid')
  await expect(page.getByRole('main')).toContainText('Extra payment')
  expect(await available(page)).toBe(before + 4_000_00)

  await press(loan.getByRole('button', { name: 'Pause Payments' }))
  await press(sheet(page).getByRole('radio', { name: '2 months' }))
  await expect(sheet(page)).toContainText(/Last Payment\$[\d,.]+.*Extra Interest in Total\$[1-9]/)
  await press(sheet(page).getByRole('button', { name: 'Pause Payments' }))
  await expect(toast(page, 'Your payments are paused')).toBeVisible()
  await expect(loan).toContainText('Your payments are paused until')
  await expect(loan.getByRole('button', { name: 'Pause Payments' })).toBeDisabled()

  const download = page.waitForEvent('download')
  await press(loan.getByRole('button', { name: 'Download Statement' }))
  expect(
    readFileSync(await (await download).path())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-')

  await press(loan.getByRole('button', { name: 'Settle Early' }))
  await expect(sheet(page)).toContainText('To settle today$4,000.00')
  await press(sheet(page).getByRole('button', { name: 'Settle Loan' }))
  await expect(toast(page, 'Your loan is repaid')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Loan of \$5,000/ })).toContainText('Repaid in full')
  await expect(page.getByRole('button', { name: 'Apply for Loan' })).toBeEnabled()
  expect(await available(page)).toBe(before)
})

test('an offer is declined, and a loan withdrawn from', async ({ page }) => {
  await visit(page)
  await apply(page, 2_000_00, 12)
  await page.goto('/loans')
  await press(page.getByRole('button', { name: 'Decline Offer' }))
  await press(sheet(page).getByRole('button', { name: 'Decline Offer' }))
  await expect(toast(page, 'You declined the offer')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Apply for Loan' })).toBeEnabled()

  const before = await available(page)
  await apply(page, 2_000_00, 12)
  await page.goto('/loans')
  await press(part(page, 'Your Offer').getByRole('button', { name: 'Accept Offer' }))
  await press(sheet(page).getByRole('button', { name: 'Accept Offer' }))
  await expect(toast(page, '$2,000.00 is in your account')).toBeVisible()
  await press(page.getByRole('button', { name: /^Withdraw from This Loan/ }))
  await press(sheet(page).getByRole('button', { name: 'Withdraw and Pay Back' }))
  await expect(toast(page, "You've withdrawn from your loan")).toBeVisible()
  await expect(page.getByRole('button', { name: /^Loan of \$2,000/ })).toContainText('Withdrawn and paid back')
  expect(await available(page)).toBe(before)
})

const aged = withOwnBank()

aged('putting the date forward repays a loan to exactly zero', async ({ page }) => {
  aged.setTimeout(180_000)
  await visit(page)
  await apply(page, 5_000_00, 24)
  const id = (await overview(page)).application?.id
  await post(page, `/loans/applications/${id}/accept`)
  const { schedule } = await loanOf(page)
  expect(schedule).toHaveLength(24)
  for (let month = 1; month <= 25; month += 1) await post(page, '/sample/clock', { months: 1 })
  await expect.poll(async () => (await loanOf(page)).status, { timeout: 90_000 }).toBe('repaid')

  const { payments, owed } = await loanOf(page)
  const { totalMinor, interestMinor } = repaymentsOf(5_000_00, 24)
  expect(owed.totalMinor).toBe(0)
  expect(payments).toHaveLength(24)
  const paid = (of: 'amountMinor' | 'principalMinor' | 'interestMinor') =>
    payments.reduce((sum, payment) => sum + payment[of], 0)
  expect(paid('principalMinor')).toBe(5_000_00)
  expect(paid('interestMinor')).toBe(interestMinor)
  expect(paid('amountMinor')).toBe(totalMinor)

  await page.goto('/loans')
  await press(page.getByRole('button', { name: /^Loan of \$5,000/ }))
  await expect(sheet(page).getByRole('listitem')).toHaveCount(24)
  await expect(page.getByRole('button', { name: 'Apply for Loan', includeHidden: true })).toBeAttached()
})
