import { expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import type { Analytics } from '#contract/analytics.ts'
import { router } from '#web/app/routes.tsx'
import { expectAccessible } from '#web/test/accessible.ts'
import { open, press, toast } from '#web/test/app.tsx'
import { asked, bank, changes, happens } from '#web/test/bank.ts'

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

test('shows this month, the change, the categories, the trend, the insight, the forecast and what recurs', async () => {
  await open('/analytics')
  await expect.element(month).toMatchTextContent('This Month$1,500.00')
  await expect.element(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible()
  expect(document.title).toMatch(/Analytics · Alder$/)
  await expect.element(month).toMatchTextContent(/-8\.5% vs last month \(Jul 1\s–\s28\)/)
  const rows = section('Category Breakdown').getByRole('listitem')
  await expect.poll(() => rows.elements()).toHaveLength(5)
  for (const [index, said] of [
    ['Food & Dining', '$520.00', '35%'],
    ['Shopping', '$380.00', '25%'],
    ['Transport', '$210.00', '14%'],
    ['Entertainment', '$180.00', '12%'],
    ['Bills', '$210.00', '14%'],
  ].entries())
    for (const text of said) await expect.element(rows.nth(index)).toMatchTextContent(text)
  await expect
    .element(insight)
    .toMatchTextContent("You've spent 15% more on Food & Dining than at this point last month: $67.83 more.")

  // A ring for each month, and the one that is shown stands out.
  const rings = [...month.element().querySelectorAll('[data-ring]')]
  expect(rings).toHaveLength(8)
  const [other = '', shown = ''] = [rings[0], rings[7]].map((ring) => ring?.getAttribute('class') ?? '')
  expect([shown, other]).toEqual(['opacity-25', 'opacity-[0.09]'])

  // January to August, each as tall as its part of the most.
  const { trend: figures } = await bank.recorded('/analytics')
  const trend = section('Monthly Trend')
  const most = Math.max(...figures.map(({ spentMinor }) => spentMinor))
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
    expect(bar?.style.height).toBe(`${Math.round((spentMinor / most) * 100)}%`)
  }

  const days = section('Spending by Day')
  expect(days.element().querySelectorAll('[data-bar]')).toHaveLength(28)
  await expect.element(days.getByRole('row').last()).toMatchTextContent('Aug 28, 2026$5.60')

  const forecast = section('End of Month')
  await expect.element(forecast).toMatchTextContent('Expected on Aug 31')
  await expect.element(forecast).toMatchTextContent(/Usually within \$[\d,.]+/)
  // All that is still to go out is everyday spending, and said once.
  await expect.element(forecast).toMatchTextContent('Expected Out')
  await expect.element(forecast).not.toMatchTextContent('Of That, Everyday Spending')
  const recurring = section('Recurring Payments').getByRole('listitem')
  await expect.poll(() => recurring.elements()).toHaveLength(2)
  await expect.element(recurring.first()).toMatchTextContent(/Brightwater Energy.*Monthly, next on Sep 8/)
})

test('the month’s end is drawn from today, with what is expected on the way, and as a table', async () => {
  const known = await bank.recorded('/analytics/forecast')
  bank.get('/analytics/forecast', {
    ...known,
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
  await forecast.getByRole('button', { name: 'Show as table' }).click()
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
  await expectAccessible('forecast')
})

test('months that are over are compared with the whole month before', async () => {
  await open('/analytics')
  await expect.element(page.getByRole('button', { name: 'Next Month' })).toBeDisabled()
  await previous.click()
  await expect.element(month).toMatchTextContent(/July 2026.*\$1,639\.34.*[+-][\d.]+% vs June/)
  for (const name of ['June', 'May', 'April', 'March', 'February', 'January']) {
    await previous.click()
    await expect.element(month).toMatchTextContent(`${name} 2026`)
  }
  // Nothing to compare with, and no category has more than half.
  await expect.element(insight).toMatchTextContent('You spent most on Food & Dining: 31% of the total.')
})

test('names what is known to be paid until the end of the month as the dashboard does', async () => {
  const due = { amountMinor: -25_00, dueOn: '2026-08-30' }
  bank.get('/analytics/forecast', {
    ...(await bank.recorded('/analytics/forecast')),
    expected: [
      { ...due, kind: 'loan', name: '' },
      { ...due, kind: 'investment', name: 'FUND_BALANCED' },
      { ...due, kind: 'recurring_buy', name: 'BTC' },
      { ...due, kind: 'direct_debit', name: 'Fernline Broadband' },
    ],
  })
  await open('/analytics')
  for (const name of ['Loan installment', 'Balanced Portfolio', 'Bitcoin', 'Fernline Broadband'])
    await expect.element(page.getByText(new RegExp(`^${name} · Aug 30, 2026$`))).toBeVisible()
})

test('a category opens to its payments, keeps a budget, and a payment is called by another one', async () => {
  const known = await bank.recorded('/analytics')
  const knows = (changed: Partial<Analytics>) => bank.get('/analytics', { ...known, ...changed })
  bank.put('/analytics/budgets', () => {
    knows({ insight: { code: 'near_budget', category: 'entertainment', percent: 90 } })
    return {}
  })
  bank.put('/analytics/payments/:id/category', {})
  await open('/analytics')
  await press(category('Entertainment'))
  await expect.element(sheet.getByText('Streamly').first()).toBeVisible()
  expect(sheet.getByText(/\$180\.00 in August 2026/).elements()).toHaveLength(2)
  // The amount is on the line of the payee, and what changes the category on that of the day.
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
  await expect.element(toast('Please enter a valid amount')).toBeVisible()
  await budget.fill('200')
  await press(sheet.getByRole('button', { name: 'Save Budget' }))
  await expect.element(toast('Budget saved')).toBeVisible()
  await expect.element(page.getByText("You've used 90% of your budget for Entertainment.")).toBeVisible()

  await press(sheet.getByRole('button', { name: 'Change category of Streamly' }).first())
  await expect.element(sheet.getByRole('heading', { name: 'Change category' })).toBeVisible()
  await sheet.getByRole('radio', { name: 'Bills' }).click()
  await press(sheet.getByRole('button', { name: 'This Payment Only' }))
  await expect.element(toast('Category changed')).toBeVisible()
  await press(sheet.getByRole('button', { name: 'Change category of Streamly' }).first())
  await sheet.getByRole('radio', { name: 'Shopping' }).click()
  await press(sheet.getByRole('button', { name: 'All from Streamly' }))
  await expect.poll(() => changes()).toHaveLength(3)
  expect(changes()).toMatchObject([
    { path: '/analytics/budgets', json: { category: 'entertainment', limitMinor: 200_00, asset: 'USD' } },
    { json: { category: 'bills', scope: 'once' } },
    { json: { category: 'shopping', scope: 'payee' } },
  ])
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()

  knows({ spentMinor: 1_510_00 })
  const before = asked.length
  happens({ type: 'balance' })
  await expect.element(month).toMatchTextContent('$1,510.00')
  expect(asked.length).toBeGreaterThan(before)
})

test('a budget that is not kept says so in colour and in words', async () => {
  const known = await bank.recorded('/analytics')
  const budgets = { food: 400_00, shopping: 500_00 } as Partial<Record<string, number>>
  const categories = known.categories.map((one) => ({ ...one, budgetMinor: budgets[one.category] ?? null }))
  bank.get('/analytics', { ...known, categories })
  await open('/analytics')
  await expect.element(category('Food & Dining')).toMatchTextContent('130% of $400.00 budget$120.00 over budget')
  await expect.element(category('Shopping')).toMatchTextContent('76% of $500.00 budget')
  await expect.element(category('Shopping')).not.toMatchTextContent('over budget')
  const bars = [...section('Category Breakdown').element().querySelectorAll('[role=progressbar] > *')]
  const colours = bars.map((bar) => getComputedStyle(bar).backgroundColor)
  expect(colours[0]).not.toBe(colours[1])
  expect(colours[1]).toBe(colours[2])
  await expect.element(category('Set a Budget')).not.toBeInTheDocument()
  await expectAccessible('budgets')
})

test('where there is no budget yet, the screen says that there can be one, and its field is what a category opens with', async () => {
  await open('/analytics')
  await press(category('Set a Budget'))
  await expect.element(sheet.getByRole('heading', { name: 'Food & Dining' })).toBeVisible()
  const field = sheet.getByRole('textbox', { name: 'Monthly Budget' }).element()
  await expect.element(sheet.getByRole('listitem').first()).toBeVisible()
  const payment = sheet.getByRole('listitem').first().element()
  expect(field.getBoundingClientRect().bottom).toBeLessThan(payment.getBoundingClientRect().top)
  await userEvent.keyboard('{Escape}')
  await expect.element(sheet).not.toBeInTheDocument()
  // Of a month that is over, no budget is set.
  await previous.click()
  await expect.element(month).toMatchTextContent('July 2026')
  await expect.element(category('Set a Budget')).not.toBeInTheDocument()
  await press(category('Shopping'))
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

test('a category has the colour it has among the transactions', async () => {
  const tint = (row: Locator) => {
    const icon = row.element().querySelector('span[aria-hidden]:has(svg)')
    return icon && getComputedStyle(icon).backgroundColor
  }
  const names = ['Shopping', 'Transport', 'Entertainment', 'Bills']
  // Of which nobody knows how they were paid: a merchant would have its mark.
  const known = await bank.recorded('/transactions')
  const transactions = known.transactions.map((one) => ({ ...one, paymentMethod: null }))
  bank.get('/transactions', { ...known, transactions })
  await open('/transactions')
  const inAll = new Map<string, string | null>()
  for (const name of names) {
    const row = page.getByRole('main').getByRole('link').filter({ hasText: name }).first()
    await expect.element(row).toBeVisible()
    inAll.set(name, tint(row))
  }
  expect(new Set(inAll.values()).size).toBe(names.length)
  await router.navigate('/analytics')
  for (const [name, colour] of inAll) {
    await expect.element(category(name)).toBeVisible()
    expect(tint(category(name)), name).toBe(colour)
  }
})
