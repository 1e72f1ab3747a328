import { expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import type { Analytics } from '#contract/analytics.ts'
import { router } from '#web/app/routes.tsx'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { recordedRequests, bank, changeRequests, emitLiveEvent } from '#web/test/bank.ts'

const month = page.getByRole('region', { name: 'Your spending' })
const insight = page.getByRole('region', { name: 'Smart Insight' })
const section = (name: string) =>
  page.elementLocator(
    [...document.querySelectorAll('main section')].find(
      (element) => element.querySelector('h2')?.textContent === name,
    ) ?? document.body,
  )
const category = (name: string) => page.getByRole('main').getByRole('button', { name: new RegExp(`^${name}`) })
const sheet = page.getByRole('dialog')
const previous = page.getByRole('button', { name: 'Previous Month' })

test('shows this month, the change, the categories, the trend, the insight, the forecast and recurring payments', async () => {
  await open('/analytics')
  await expect.element(month).toMatchTextContent('This Month$1,500.00')
  await expect.element(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible()
  expect(document.title).toMatch(/Analytics · Alder$/)
  await expect.element(month).toMatchTextContent(/-8\.5% vs last month \(Jul 1\s–\s28\)/)
  const rows = section('Category Breakdown').getByRole('listitem')
  await expect.poll(() => rows.elements()).toHaveLength(5)
  for (const [index, texts] of [
    ['Food & Dining', '$520.00', '35%'],
    ['Shopping', '$380.00', '25%'],
    ['Transport', '$210.00', '14%'],
    ['Entertainment', '$180.00', '12%'],
    ['Bills', '$210.00', '14%'],
  ].entries())
    for (const text of texts) await expect.element(rows.nth(index)).toMatchTextContent(text)
  await expect
    .element(insight)
    .toMatchTextContent("You've spent $67.83 (15%) more on Food & Dining than at this point last month.")

  // The picture has a ring for each month. The ring of the chosen month is highlighted.
  const rings = [...month.element().querySelectorAll('[data-ring]')]
  expect(rings).toHaveLength(8)
  const [otherRing = '', currentRing = ''] = [rings[0], rings[7]].map((ring) => ring?.getAttribute('class') ?? '')
  expect([currentRing, otherRing]).toEqual(['opacity-25', 'opacity-[0.09]'])

  // The chart has a bar for each month from January to August. Heights are relative to the largest month.
  const { trend: figures } = await bank.recorded('/analytics')
  const trend = section('Monthly Trend')
  const highestMinor = Math.max(...figures.map(({ spentMinor }) => spentMinor))
  const names = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August']
  expect(
    trend
      .getByRole('rowheader')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(names.map((name) => `${name} 2026`))
  await expect.element(trend.getByRole('row').last()).toMatchTextContent('$1,500.00')
  for (const { month: name, spentMinor } of figures) {
    const bar = trend.element().querySelector<HTMLElement>(`[data-bar="${name}"]`)
    expect(bar?.style.height).toBe(`${Math.round((spentMinor / highestMinor) * 100)}%`)
  }

  const days = section('Spending by Day')
  expect(days.element().querySelectorAll('[data-bar]')).toHaveLength(28)
  await expect.element(days.getByRole('row').last()).toMatchTextContent('Aug 28, 2026$5.60')

  const forecast = section('End of Month')
  await expect.element(forecast).toMatchTextContent('Expected on Aug 31')
  await expect.element(forecast).toMatchTextContent(/Usually within \$[\d,.]+/)
  // Everyday spending is the only expected outflow, so it is shown once.
  await expect.element(forecast).toMatchTextContent('Expected Money Out')
  await expect.element(forecast).not.toMatchTextContent('Including Everyday Spending')
  const recurring = section('Recurring Payments').getByRole('listitem')
  await expect.poll(() => recurring.elements()).toHaveLength(2)
  await expect.element(recurring.first()).toMatchTextContent(/Brightwater Energy.*Monthly, next on Sep 8/)
})

test('the month’s end is drawn from today on, with expected payments, and as a table', async () => {
  const recording = await bank.recorded('/analytics/forecast')
  bank.get('/analytics/forecast', {
    ...recording,
    onDate: '2026-08-31',
    expectedBalanceMinor: 15_000_00,
    incomeMinor: 3_500_00,
    outgoingMinor: 1_000_00,
    everydayMinor: 100_00,
    expected: [
      { kind: 'recurring', name: 'Rent', amountMinor: -900_00, dueOn: '2026-08-29' },
      { kind: 'income', name: 'Harbor Studio', amountMinor: 3_500_00, dueOn: '2026-08-31' },
    ],
  })
  await open('/analytics')
  const forecast = section('End of Month')
  const slider = page.getByRole('slider', { name: 'Expected balance until the end of the month' })
  await expect.element(slider).toHaveAttribute('aria-valuetext', 'Aug 31, Balance $15,000.00, Harbor Studio +$3,500.00')
  expect(forecast.element().querySelectorAll('[data-mark]')).toHaveLength(2)
  await userEvent.keyboard('{Tab}')
  const input = slider.element()
  if (input instanceof HTMLElement) input.focus()
  await userEvent.keyboard('{Home}')
  await expect.element(slider).toHaveAttribute('aria-valuetext', 'Today, Balance $12,500.00')
  await forecast.getByRole('button', { name: 'Show as Table' }).click()
  const rows = forecast.getByRole('row')
  await expect
    .poll(() => rows.elements().map(({ textContent }) => textContent))
    .toEqual([
      'DateBalanceExpected',
      'Today$12,500.00',
      'Aug 29$11,566.67Rent −$900.00',
      'Aug 30$11,533.33',
      'Aug 31$15,000.00Harbor Studio +$3,500.00',
    ])
  await expectNoAxeViolations('forecast')
})

test('past months are compared with the whole previous month', async () => {
  await open('/analytics')
  await expect.element(page.getByRole('button', { name: 'Next Month' })).toBeDisabled()
  await previous.click()
  await expect.element(month).toMatchTextContent(/July 2026.*\$1,639\.34.*[+-][\d.]+% vs June/)
  for (const name of ['June', 'May', 'April', 'March', 'February', 'January']) {
    await previous.click()
    await expect.element(month).toMatchTextContent(`${name} 2026`)
  }
  // There is no month to compare with, and no category has more than half of the spending.
  await expect.element(insight).toMatchTextContent('You spent most on Food & Dining: 31% of the total.')
})

test('known payments until the end of the month have the same names as on the dashboard', async () => {
  const duePayment = { amountMinor: -25_00, dueOn: '2026-08-30' }
  bank.get('/analytics/forecast', {
    ...(await bank.recorded('/analytics/forecast')),
    expected: [
      { ...duePayment, kind: 'loan', name: '' },
      { ...duePayment, kind: 'investment', name: 'FUND_BALANCED' },
      { ...duePayment, kind: 'recurring_buy', name: 'BTC' },
      { ...duePayment, kind: 'direct_debit', name: 'Fernline Broadband' },
    ],
  })
  await open('/analytics')
  for (const name of ['Loan installment', 'Balanced Portfolio', 'Bitcoin', 'Fernline Broadband'])
    await expect.element(page.getByText(new RegExp(`^${name} · Aug 30, 2026$`))).toBeVisible()
})

test('a category opens its payments, keeps a budget, and a payment gets another category', async () => {
  const recording = await bank.recorded('/analytics')
  const mockAnalytics = (changes: Partial<Analytics>) => bank.get('/analytics', { ...recording, ...changes })
  bank.put('/analytics/budgets', () => {
    mockAnalytics({ insight: { code: 'near_budget', category: 'entertainment', percent: 90 } })
    return {}
  })
  bank.put('/analytics/payments/:id/category', {})
  await open('/analytics')
  await pressByKey(category('Entertainment'))
  await expect.element(sheet.getByText('Streamly').first()).toBeVisible()
  expect(sheet.getByText(/\$180\.00 in August 2026/).elements()).toHaveLength(2)
  // The amount is on the payee's line. The button for the category is on the date's line.
  const middles = [
    ...(sheet.getByRole('listitem').first().element().querySelectorAll('a span.block, .tabular, button') ?? []),
  ].map((part) => {
    const { top, bottom } = part.getBoundingClientRect()
    return (top + bottom) / 2
  })
  const [payee = 0, day = 0, amount = 9, change = 9] = middles
  expect(Math.abs(amount - payee)).toBeLessThan(2)
  expect(Math.abs(change - day)).toBeLessThan(2)

  const budget = sheet.getByRole('textbox', { name: 'Monthly Budget' })
  await budget.fill('0')
  await sheet.getByRole('button', { name: 'Save Budget' }).click()
  await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  await budget.fill('200')
  await pressByKey(sheet.getByRole('button', { name: 'Save Budget' }))
  await expect.element(findToast('Budget saved')).toBeVisible()
  await expect.element(page.getByText("You've used 90% of your budget for Entertainment.")).toBeVisible()

  await pressByKey(sheet.getByRole('button', { name: 'Change Category of Streamly' }).first())
  await expect.element(sheet.getByRole('heading', { name: 'Change category' })).toBeVisible()
  await sheet.getByRole('radio', { name: 'Bills' }).click()
  await pressByKey(sheet.getByRole('button', { name: 'This Payment Only' }))
  await expect.element(findToast('Category changed')).toBeVisible()
  await pressByKey(sheet.getByRole('button', { name: 'Change Category of Streamly' }).first())
  await sheet.getByRole('radio', { name: 'Shopping' }).click()
  await pressByKey(sheet.getByRole('button', { name: 'All from Streamly' }))
  await expect.poll(() => changeRequests()).toHaveLength(3)
  expect(changeRequests()).toMatchObject([
    { path: '/analytics/budgets', json: { category: 'entertainment', limitMinor: 200_00, asset: 'USD' } },
    { json: { category: 'bills', scope: 'once' } },
    { json: { category: 'shopping', scope: 'payee' } },
  ])
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()

  mockAnalytics({ spentMinor: 1_510_00 })
  const countBefore = recordedRequests.length
  emitLiveEvent({ type: 'balance' })
  await expect.element(month).toMatchTextContent('$1,510.00')
  expect(recordedRequests.length).toBeGreaterThan(countBefore)
})

test('an exceeded budget is shown in color and in words', async () => {
  const recording = await bank.recorded('/analytics')
  const budgets = { food: 400_00, shopping: 500_00 } as Partial<Record<string, number>>
  const categories = recording.categories.map((row) => ({ ...row, budgetMinor: budgets[row.category] ?? null }))
  bank.get('/analytics', { ...recording, categories })
  await open('/analytics')
  await expect.element(category('Food & Dining')).toMatchTextContent('130% of $400.00 budget$120.00 over budget')
  await expect.element(category('Shopping')).toMatchTextContent('76% of $500.00 budget')
  await expect.element(category('Shopping')).not.toMatchTextContent('over budget')
  const bars = [...section('Category Breakdown').element().querySelectorAll('[role=progressbar] > *')]
  const colors = bars.map((bar) => getComputedStyle(bar).backgroundColor)
  expect(colors[0]).not.toBe(colors[1])
  expect(colors[1]).toBe(colors[2])
  await expect.element(category('Set a Budget')).not.toBeInTheDocument()
  await expectNoAxeViolations('budgets')
})

test('without a budget, the screen offers one, and a category opens with its field', async () => {
  await open('/analytics')
  await pressByKey(category('Set a Budget'))
  await expect.element(sheet.getByRole('heading', { name: 'Food & Dining' })).toBeVisible()
  const field = sheet.getByRole('textbox', { name: 'Monthly Budget' }).element()
  await expect.element(sheet.getByRole('listitem').first()).toBeVisible()
  const payment = sheet.getByRole('listitem').first().element()
  expect(field.getBoundingClientRect().bottom).toBeLessThan(payment.getBoundingClientRect().top)
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  // A past month has no form for a budget.
  await previous.click()
  await expect.element(month).toMatchTextContent('July 2026')
  await expect.element(category('Set a Budget')).not.toBeInTheDocument()
  await pressByKey(category('Shopping'))
  await expect.element(sheet.getByRole('listitem').first()).toBeVisible()
  await expect.element(sheet.getByRole('textbox')).not.toBeInTheDocument()
})

test('the month’s categories are parts of a ring', async () => {
  await open('/analytics')
  const parts = () => [...document.querySelectorAll('[data-part]')]
  await expect
    .poll(() => parts().map((part) => part.getAttribute('data-part')))
    .toEqual(['food', 'shopping', 'transport', 'entertainment', 'bills'])
  expect(new Set(parts().map((part) => getComputedStyle(part).stroke)).size).toBe(5)
})

test('a category has the same color as among the transactions', async () => {
  const tint = (row: Locator) => {
    const icon = row.element().querySelector('span[aria-hidden]:has(svg)')
    return icon && getComputedStyle(icon).backgroundColor
  }
  const names = ['Shopping', 'Transport', 'Entertainment', 'Bills']
  // The payment method is unknown, so there is no merchant's mark.
  const recording = await bank.recorded('/transactions')
  const transactions = recording.transactions.map((transaction) => ({ ...transaction, paymentMethod: null }))
  bank.get('/transactions', { ...recording, transactions })
  await open('/transactions')
  const inAll = new Map<string, string | null>()
  for (const name of names) {
    const row = page.getByRole('main').getByRole('link').filter({ hasText: name }).first()
    await expect.element(row).toBeVisible()
    inAll.set(name, tint(row))
  }
  expect(new Set(inAll.values()).size).toBe(names.length)
  await router.navigate('/analytics')
  for (const [name, color] of inAll) {
    await expect.element(category(name)).toBeVisible()
    expect(tint(category(name)), name).toBe(color)
  }
})
