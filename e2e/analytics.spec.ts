import { expect, type Locator, type Page, test } from '@playwright/test'
import type { Analytics, CashFlowForecast } from '#contract/analytics.ts'
import { appStands, ask, available, openListening, post, press, toast, visit } from './bank.ts'

const month = (page: Page) => page.getByRole('region', { name: 'Your spending' })
const section = (page: Page, name: string) =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })
const category = (page: Page, name: string) =>
  section(page, 'Category Breakdown').getByRole('button', { name: new RegExp(`^${name}`) })
const sheet = (page: Page) => page.getByRole('dialog')

const PARTS = [
  ['Food & Dining', '$520.00', '35%'],
  ['Shopping', '$380.00', '25%'],
  ['Transport', '$210.00', '14%'],
  ['Entertainment', '$180.00', '12%'],
  ['Bills', '$210.00', '14%'],
] as const

test('names what is known to be paid until the end of the month as the dashboard does', async ({ page }) => {
  await visit(page)
  const due = { amountMinor: -25_00, dueOn: '2026-08-30' }
  await page.route('**/api/v1/analytics/forecast', async (route) => {
    const forecast = (await (await route.fetch()).json()) as CashFlowForecast
    const expected = [
      { ...due, kind: 'loan', name: '' },
      { ...due, kind: 'investment', name: 'FUND_BALANCED' },
      { ...due, kind: 'recurring_buy', name: 'BTC' },
      { ...due, kind: 'direct_debit', name: 'Fernline Broadband' },
    ]
    await route.fulfill({ json: { ...forecast, expected } })
  })
  await page.goto('/analytics')
  for (const name of ['Loan instalment', 'Balanced Portfolio', 'Bitcoin', 'Fernline Broadband'])
    await expect(section(page, 'End of Month').getByText(new RegExp(`^${name} · Aug 30, 2026$`))).toBeVisible()
})

test('shows this month, the change, the categories, the trend, the insight, the forecast and what recurs', async ({
  page,
}) => {
  await visit(page)
  await page.goto('/analytics')
  await expect(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible()
  await expect(page).toHaveTitle(/Analytics · Alder$/)
  await expect(month(page)).toContainText('This Month$1,500.00')
  await expect(month(page)).toContainText(/-8\.5% vs last month \(Jul 1\s–\s28\)/)
  const rows = section(page, 'Category Breakdown').getByRole('listitem')
  await expect(rows).toHaveCount(PARTS.length)
  for (const [index, said] of PARTS.entries()) {
    for (const text of said) await expect(rows.nth(index)).toContainText(text)
  }
  await expect(page.getByRole('region', { name: 'Smart Insight' })).toContainText(
    "You've spent 15% more on Food & Dining than at this point last month: $67.83 more.",
  )
  // January to August, each as tall as its part of the most.
  const trend = section(page, 'Monthly Trend')
  const { trend: figures } = await ask<Analytics>(page, '/analytics')
  const most = Math.max(...figures.map(({ spentMinor }) => spentMinor))
  await expect(trend.getByRole('rowheader')).toHaveText(
    ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'].map((name) => `${name} 2026`),
  )
  await expect(trend.getByRole('row').last()).toContainText('$1,500.00')
  for (const { month: name, spentMinor } of figures) {
    const bar = trend.locator(`[data-bar="${name}"]`)
    await expect(bar).toHaveAttribute('style', `height: ${Math.round((spentMinor / most) * 100)}%;`)
  }
  await expect(section(page, 'End of Month')).toContainText('Expected on Aug 31')
  await expect(section(page, 'End of Month')).toContainText(/± \$[\d,.]+, checked against your past months/)
  // It begins with the balance of the dashboard; all that is still to go out is everyday spending, and said once.
  const { expectedBalanceMinor, outgoingMinor } = await ask<CashFlowForecast>(page, '/analytics/forecast')
  expect(expectedBalanceMinor + outgoingMinor).toBe(await available(page))
  await expect(section(page, 'End of Month')).toContainText('Still to Go Out')
  await expect(section(page, 'End of Month')).not.toContainText('Of That, Everyday Spending')
  const recurring = section(page, 'Recurring Payments').getByRole('listitem')
  await expect(recurring).toHaveCount(2)
  await expect(recurring.first()).toContainText('Brightwater Energy')
  await expect(recurring.first()).toContainText('Monthly, next on Sep 8')

  await expect(page.getByRole('button', { name: 'Next Month' })).toBeDisabled()
  await page.getByRole('button', { name: 'Previous Month' }).click()
  await expect(month(page)).toContainText('July 2026')
  await expect(month(page)).toContainText('$1,639.34')
  // A month that is over is compared with the whole month before it.
  await expect(month(page)).toContainText(/[+-][\d.]+% vs June/)
  for (const name of ['June', 'May', 'April', 'March', 'February', 'January']) {
    await page.getByRole('button', { name: 'Previous Month' }).click()
    await expect(month(page)).toContainText(`${name} 2026`)
  }
  // Nothing to compare with, and no category has more than half.
  await expect(page.getByRole('region', { name: 'Smart Insight' })).toContainText(
    'The largest part of your spending went to Food & Dining: 31%.',
  )
})

test('opens a category, calls payments by another one, and keeps a budget', async ({ page }) => {
  await visit(page)
  await openListening(page, '/analytics')
  await press(category(page, 'Entertainment'))
  await expect(sheet(page)).toContainText('Streamly')
  await expect(sheet(page).getByText('$180.00 in August 2026')).toHaveCount(2)
  // The amount is on the line of the payee, and what changes the category on that of the day.
  const [payee, day, amount, change] = await sheet(page)
    .getByRole('listitem')
    .first()
    .locator('a > span, .tabular, button')
    .evaluateAll((parts) =>
      parts.map((part) => {
        const { top, bottom } = part.getBoundingClientRect()
        return (top + bottom) / 2
      }),
    )
  expect(Math.abs((amount ?? NaN) - (payee ?? NaN))).toBeLessThan(2)
  expect(Math.abs((change ?? NaN) - (day ?? NaN))).toBeLessThan(2)
  await sheet(page).getByRole('textbox', { name: 'Monthly Budget' }).fill('0')
  await sheet(page).getByRole('button', { name: 'Save Budget' }).click()
  await expect(toast(page, 'Please enter a valid amount')).toBeVisible()
  await sheet(page).getByRole('textbox', { name: 'Monthly Budget' }).fill('200')
  await sheet(page).getByRole('button', { name: 'Save Budget' }).click()
  await expect(toast(page, 'Budget saved')).toBeVisible()
  await expect(page.locator('section[aria-label="Smart Insight"]')).toContainText(
    "You've used 90% of your budget for Entertainment.",
  )
  await sheet(page).getByRole('button', { name: 'Change category of Streamly' }).first().click()
  await expect(sheet(page).getByRole('heading', { name: 'Change category' })).toBeVisible()
  await sheet(page).getByRole('radio', { name: 'Bills' }).check()
  await sheet(page).getByRole('button', { name: 'This Payment Only' }).click()
  await expect(toast(page, 'Category changed')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet(page)).toHaveCount(0)
  await expect(category(page, 'Bills')).not.toContainText('$210.00')
  await expect(month(page)).toContainText('$1,500.00')

  const before = await ask<Analytics>(page, '/analytics')
  await press(category(page, 'Transport'))
  await sheet(page).getByRole('button', { name: 'Change category of Swift Cabs' }).first().click()
  await sheet(page).getByRole('radio', { name: 'Shopping' }).check()
  await sheet(page).getByRole('button', { name: 'All from Swift Cabs' }).click()
  await expect(sheet(page).getByText('Swift Cabs')).toHaveCount(0)
  const after = await ask<Analytics>(page, '/analytics')
  const july = await ask<Analytics>(page, '/analytics?month=2026-07')
  expect(after.spentMinor).toBe(before.spentMinor)
  expect(july.spentMinor).toBe(1_639_34)
  expect(july.categories.find((one) => one.category === 'transport')?.spentMinor).toBeLessThan(255_90)
  await page.keyboard.press('Escape')

  // Live, with nothing pressed.
  await post(page, '/sample/charges', { category: 'food', amountMinor: 10_00 })
  await expect(month(page)).toContainText('$1,510.00')
})

test('a category has the colour it has among the transactions', async ({ page }) => {
  await visit(page)
  const tint = (row: Locator) =>
    row
      .locator('span[aria-hidden]:has(svg)')
      .first()
      .evaluate((icon) => getComputedStyle(icon).backgroundColor)
  const inAll = new Map<string, string>()
  await page.goto('/transactions')
  for (const name of ['Shopping', 'Transport', 'Entertainment', 'Bills'])
    inAll.set(name, await tint(page.locator('main li a').filter({ hasText: name }).first()))
  await page.goto('/analytics')
  // What came with the page is taken away when the app stands.
  await appStands(page)
  for (const [name, colour] of inAll)
    expect(await tint(page.locator('main li button').filter({ hasText: name }).first()), name).toBe(colour)
})
