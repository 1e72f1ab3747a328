import { expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { formatAmount } from '#contract/money.ts'
import type { InvestmentOrder, InvestmentPlan, Investments } from '#contract/investing.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests } from '#web/test/bank.ts'

const main = page.getByRole('main')
const part = (name: string) => main.getByRole('region', { name })
const sheet = page.getByRole('dialog')
const button = (name: string | RegExp) => page.getByRole('button', { name })
const inSheet = (name: string | RegExp) => sheet.getByRole('button', { name })
/** Returns the row of an order that has no price yet. `name` is the beginning of the row's text. */
async function pending(name: string): Promise<Locator> {
  const heading = page.getByRole('heading', { name: 'Pending Orders' })
  await expect.element(heading).toBeVisible()
  return page.elementLocator(heading.element().closest('section') ?? document.body).getByRole('button', {
    name: new RegExp(`^${name}`),
  })
}
const FUND_NAMES = {
  FUND_CONSERVATIVE: 'Conservative Growth',
  FUND_BALANCED: 'Balanced Portfolio',
  FUND_AGGRESSIVE: 'Aggressive Growth',
}
const dollars = (minor: number) => formatAmount(minor, 'USD')
const units = (minor: number) => (minor / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 6 })

/** Mocks the bank's portfolio with these changes. */
async function mockPortfolio(changes: Partial<Investments>): Promise<void> {
  bank.get('/investing', { ...(await bank.recorded('/investing')), ...changes })
}

const ORDER: InvestmentOrder = {
  id: 'order',
  side: 'buy',
  fund: 'FUND_BALANCED',
  status: 'pending',
  amountMinor: 250_00,
  unitsMinor: null,
  feeMinor: null,
  priceMicros: null,
  asset: 'USD',
  placedAt: '2026-08-28T09:41:00.000Z',
  pricedAt: '2026-08-31T20:00:00.000Z',
  endedAt: null,
  cancelledBy: null,
  planId: null,
}

/** Mocks a customer without answers. The bank stores the answers, so the questions and the risks appear once. */
function asksFirst(): void {
  const suitedPortfolio: Partial<Investments> = {}
  bank.put('/investing/suitability', async ({ json }) => {
    const result = json.horizon === 'under_two_years' ? 'low' : 'medium'
    suitedPortfolio.suitability = { answers: json, result, answeredAt: '2026-08-28T09:41:00.000Z' }
    await mockPortfolio(suitedPortfolio)
    return suitedPortfolio.suitability
  })
  bank.put('/investing/risk-notice', async () => {
    await mockPortfolio({ ...suitedPortfolio, riskAccepted: true })
    return {}
  })
}

/** Chooses the option at this position in each of the three questions, and accepts the risks. */
async function answer(place: number): Promise<void> {
  const questions = sheet.getByRole('group')
  await expect.poll(() => questions.elements()).toHaveLength(3)
  for (const question of questions.all()) await question.getByRole('radio').nth(place).click()
  await pressByKey(inSheet('Continue'))
  await expect.element(sheet.getByText(/^You can lose money\./)).toBeVisible()
  await pressByKey(inSheet('I Understand the Risks'))
}

test('shows the value with its change, the three funds and their holdings', async () => {
  const { valueMinor, monthChange, holdings } = await bank.recorded('/investing')
  await open('/invest')
  const value = part('Portfolio Value')
  await expect.element(value).toMatchTextContent(dollars(valueMinor))
  const change = monthChange?.amountMinor ?? 0
  await expect.element(value).toMatchTextContent(`${change > 0 ? '+' : ''}${dollars(change)}`)
  await expect.element(value).toMatchTextContent('in the past month')
  for (const [name, risk, rate] of [
    ['Conservative Growth', 'Low risk', '5-7% annually'],
    ['Balanced Portfolio', 'Medium risk', '8-12% annually'],
    ['Aggressive Growth', 'High risk', '15-20% annually'],
  ] as const) {
    await expect.element(part(name)).toMatchTextContent(risk)
    await expect.element(part(name)).toMatchTextContent(rate)
    await expect.element(part(name).getByRole('button', { name: /^Invest Now/ })).toBeEnabled()
  }
  await expect.element(page.getByText(/Investments can lose value/)).toBeVisible()
  expect(holdings.length).toBeGreaterThan(0)
  for (const { fund, valueMinor: worth, unrealisedMinor } of holdings) {
    const row = part(FUND_NAMES[fund])
    await expect.element(row).toMatchTextContent(dollars(worth))
    await expect.element(row).toMatchTextContent(dollars(Math.abs(unrealisedMinor)))
  }

  // The chart can be read by keyboard and as a table.
  const slider = value.getByRole('slider', { name: 'The value of your investments over time' })
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', expect.stringContaining(`Value ${dollars(valueMinor)}`))
  expect(slider.element().getAttribute('aria-valuetext')).toContain('Invested')
  for (const [key, sliderValue] of [
    ['{Home}', '0'],
    ['{ArrowRight}', '1'],
  ] as const) {
    const element = slider.element()
    if (element instanceof HTMLElement) element.focus()
    await userEvent.keyboard(key)
    await expect.element(slider).toHaveValue(sliderValue)
  }
  await pressByKey(value.getByRole('button', { name: 'Show as Table' }))
  await expect.element(value.getByRole('table').getByRole('row').nth(1)).toMatchTextContent(dollars(valueMinor))
  await value.getByRole('radio', { name: '1M' }).click()
  await expect.element(value.getByRole('radio', { name: '1M' })).toBeChecked()
})

test('a fund and the returns have explanations, and the gain is drawn apart from the deposits', async () => {
  const { markets, returns } = await bank.recorded('/investing')
  await mockPortfolio({ holdings: [], markets: markets.map((market) => ({ ...market, open: true })) })
  bank.get('/investing/value', {
    ...(await bank.recorded('/investing/value')),
    points: [
      { at: '2026-08-01T20:00:00.000Z', valueMinor: 100_00, investedMinor: 100_00 },
      { at: '2026-08-10T20:00:00.000Z', valueMinor: 305_00, investedMinor: 300_00 },
      { at: '2026-08-20T20:00:00.000Z', valueMinor: 290_00, investedMinor: 300_00 },
    ],
  })
  await open('/invest')
  const value = part('Portfolio Value')
  await expect.element(value).toMatchTextContent(/Value \$290\.00.*Invested \$300\.00.*Gain So Far .*\$10\.00/)
  await pressByKey(value.getByRole('button', { name: 'Show as Table' }))
  await expect.element(value.getByRole('row').nth(2)).toMatchTextContent('$305.00$300.00+$5.00')
  await pressByKey(value.getByRole('button', { name: 'Details' }))
  await expect.element(sheet).toMatchTextContent('The value of your holdings now, minus their cost')
  expect(returns).not.toBeNull()
  await expect
    .element(sheet)
    .toMatchTextContent('How the funds performed, regardless of when you invested (time-weighted)')
  await userEvent.keyboard('{Escape}')
  await pressByKey(part('Aggressive Growth').getByRole('button', { name: /^Aggressive Growth/ }))
  await expect.element(sheet).toMatchTextContent('Stocks from all over the world.')
  await expect.element(sheet.getByRole('button', { name: 'Invest Now' })).toBeEnabled()
  await expect.element(sheet.getByRole('button', { name: 'Sell' })).not.toBeInTheDocument()
})

test('a first-time investor answers questions and accepts the risks, and then checks the order', async () => {
  asksFirst()
  bank.post('/investing/orders', async () => {
    await mockPortfolio({ orders: [ORDER], riskAccepted: true })
    return { order: ORDER }
  })
  await open('/invest')
  await pressByKey(button('Invest Now in Balanced Portfolio'))
  await pressByKey(inSheet('Continue'))
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  await answer(1)
  const amount = sheet.getByLabelText('Amount')
  for (const [text, message] of [
    ['', 'Please enter a valid amount'],
    ['0', 'Please enter a valid amount'],
    ['9.99', 'The minimum investment is $10'],
    ['999999', "You don't have enough money for this"],
  ] as const) {
    await amount.fill('50')
    await expect.element(amount).not.toHaveAttribute('aria-invalid')
    await amount.fill(text)
    await pressByKey(inSheet('Continue'))
    await expect.element(findToast(message)).toBeVisible()
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
  }
  await amount.fill('250')
  await pressByKey(inSheet('Continue'))
  await expect.element(sheet.getByText('Check your order')).toBeVisible()
  await expect.element(sheet).toMatchTextContent(/You Pay\$250\.00Fee \(included\)\$[\d.]+You'll Get About[\d.]+ units/)
  await expect.element(sheet).toMatchTextContent('Investments can lose value')
  await pressByKey(inSheet('Invest Now'))
  await expect.element(findToast('Your order is placed')).toBeVisible()
  await expect.element(await pending('Buy Balanced Portfolio')).toBeVisible()
  expect(changeRequests().at(-1)).toMatchObject({
    path: '/investing/orders',
    json: { side: 'buy', fund: 'FUND_BALANCED', amountMinor: 250_00, asset: 'USD' },
  })
})

test('a fund above the customer’s risk is marked as such, and an order is canceled', async () => {
  asksFirst()
  const order = { ...ORDER, fund: 'FUND_AGGRESSIVE' as const, amountMinor: 100_00 }
  bank.post('/investing/orders', async () => {
    await mockPortfolio({ orders: [order], riskAccepted: true })
    return { order }
  })
  bank.post('/investing/orders/:id/cancel', async () => {
    await mockPortfolio({ riskAccepted: true })
    return { order: { ...order, status: 'cancelled' as const, cancelledBy: 'customer' as const } }
  })
  await open('/invest')
  await pressByKey(button('Invest Now in Aggressive Growth'))
  await answer(0)
  await expect.element(sheet).toMatchTextContent('Your answers suggest low risk. This fund is riskier.')
  await sheet.getByLabelText('Amount').fill('100')
  await pressByKey(inSheet('Continue'))
  await expect.element(findToast(/^This fund is riskier than your answers suggest/)).toBeVisible()
  await sheet.getByRole('checkbox', { name: 'I want to invest in it anyway' }).click()
  await pressByKey(inSheet('Continue'))
  await expect.element(sheet.getByText("You'll Get About")).toBeVisible()
  await pressByKey(inSheet('Invest Now'))
  await expect.element(findToast('Your order is placed')).toBeVisible()
  expect(changeRequests().at(-1)).toMatchObject({ json: { fund: 'FUND_AGGRESSIVE', acceptsMismatch: true } })
  await pressByKey(await pending('Buy Aggressive Growth'))
  await pressByKey(inSheet('Cancel Order'))
  await expect.element(findToast('Your order is canceled')).toBeVisible()
  await expect.element(page.getByText('Pending Orders')).not.toBeInTheDocument()
})

test('a part of the holding is sold, and not more than the holding', async () => {
  const { holdings } = await bank.recorded('/investing')
  const holding = holdings.find(({ fund }) => fund === 'FUND_BALANCED')
  if (!holding) throw new Error('Nothing is held')
  bank.post('/investing/orders', async () => {
    const order = { ...ORDER, side: 'sell' as const, amountMinor: null, unitsMinor: 1_000_000 }
    await mockPortfolio({ orders: [order] })
    return { order }
  })
  await open('/invest')
  await pressByKey(part('Balanced Portfolio').getByRole('button', { name: /^Balanced Portfolio/ }))
  await expect.element(sheet).toMatchTextContent(units(holding.unitsMinor))
  await expect.element(sheet).toMatchTextContent(dollars(holding.valueMinor))
  await expect.element(sheet).toMatchTextContent(dollars(holding.costMinor))
  await pressByKey(inSheet('Sell'))
  await sheet.getByRole('radio', { name: 'Part' }).click()
  await sheet.getByLabelText('Units').fill('999999')
  await pressByKey(inSheet('Continue'))
  await expect.element(findToast("You don't have that much to sell")).toBeVisible()
  await sheet.getByLabelText('Units').fill('1')
  await pressByKey(inSheet('Continue'))
  await expect.element(sheet.getByText("You'll Get About")).toBeVisible()
  await pressByKey(inSheet('Sell'))
  await expect.element(findToast('Your order is placed')).toBeVisible()
  await expect.element(await pending('Sell Balanced Portfolio')).toBeVisible()
  expect(changeRequests()).toMatchObject([{ json: { side: 'sell', fund: 'FUND_BALANCED', unitsMinor: 1_000_000 } }])
})

test('a plan is created, paused, resumed and ended', async () => {
  const { today } = await bank.recorded('/investing')
  const suitedPortfolio: Partial<Investments> = {
    riskAccepted: true,
    suitability: {
      answers: { horizon: 'under_two_years', loss: 'sell', reserves: 'under_three_months' },
      result: 'low',
      answeredAt: '2026-08-28T09:41:00.000Z',
    },
  }
  const plan: InvestmentPlan = {
    id: 'plan',
    fund: 'FUND_CONSERVATIVE',
    amountMinor: 50_00,
    asset: 'USD',
    every: 'month',
    nextOn: today,
    dueOn: today,
    status: 'active',
  }
  /** Mocks the plan with this status. The list has no ended plans. */
  const becomes = (status: InvestmentPlan['status']) => async () => {
    const changedPlan = { ...plan, status }
    await mockPortfolio({ ...suitedPortfolio, plans: status === 'cancelled' ? [] : [changedPlan] })
    return { plan: changedPlan }
  }
  await mockPortfolio(suitedPortfolio)
  bank.post('/investing/plans', becomes('active'))
  bank.post('/investing/plans/:id/pause', becomes('paused'))
  bank.post('/investing/plans/:id/resume', becomes('active'))
  bank.post('/investing/plans/:id/cancel', becomes('cancelled'))
  await open('/invest')
  await pressByKey(button(/^Invest Regularly/))
  await sheet.getByRole('radio', { name: /^Conservative Growth/ }).click()
  await sheet.getByLabelText('Amount').fill('50')
  await sheet.getByLabelText('First Date').fill('2020-01-01')
  await pressByKey(inSheet('Invest Regularly'))
  await expect.element(findToast('Please choose a date between today and two years from now')).toBeVisible()
  await sheet.getByLabelText('First Date').fill(today)
  await pressByKey(inSheet('Invest Regularly'))
  await expect.element(findToast('$50.00 goes into Conservative Growth every month')).toBeVisible()
  const row = main.getByRole('button', { name: /Every month/ })
  await pressByKey(row)
  await pressByKey(inSheet('Pause'))
  await expect.element(findToast('Your recurring investment is paused')).toBeVisible()
  await pressByKey(inSheet('Resume'))
  await expect.element(findToast('Your recurring investment has resumed')).toBeVisible()
  await pressByKey(inSheet('End'))
  await pressByKey(inSheet('End Recurring Investment'))
  await expect.element(findToast('Your recurring investment has ended')).toBeVisible()
  await expect.element(row).not.toBeInTheDocument()
  expect(changeRequests().map(({ path }) => path)).toEqual([
    '/investing/plans',
    '/investing/plans/plan/pause',
    '/investing/plans/plan/resume',
    '/investing/plans/plan/cancel',
  ])
  expect(changeRequests()[0]?.json).toMatchObject({ fund: 'FUND_CONSERVATIVE', amountMinor: 50_00, startsOn: today })
})
