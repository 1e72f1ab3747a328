import { expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { formatAmount } from '#contract/money.ts'
import type { InvestmentOrder, InvestmentPlan, Investments } from '#contract/investing.ts'
import { open, press, toast } from '#web/test/app.tsx'
import { bank, changes } from '#web/test/bank.ts'

const main = page.getByRole('main')
const part = (name: string) => main.getByRole('region', { name })
const sheet = page.getByRole('dialog')
const button = (name: string | RegExp) => page.getByRole('button', { name })
const inSheet = (name: string | RegExp) => sheet.getByRole('button', { name })
/** An order that has no price yet. */
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

/** From now on the bank's portfolio differs in this. */
async function knows(changed: Partial<Investments>): Promise<void> {
  bank.get('/investing', { ...(await bank.recorded('/investing')), ...changed })
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

/** The questions and the risks come once; the bank keeps what is answered. */
function asksFirst(): void {
  const suited: Partial<Investments> = {}
  bank.put('/investing/suitability', async ({ json }) => {
    const result = json.horizon === 'under_two_years' ? 'low' : 'medium'
    suited.suitability = { answers: json, result, answeredAt: '2026-08-28T09:41:00.000Z' }
    await knows(suited)
    return suited.suitability
  })
  bank.put('/investing/risk-notice', async () => {
    await knows({ ...suited, riskAccepted: true })
    return {}
  })
}

/** Answers the three questions, each with the answer at this place, and accepts the risks. */
async function answer(place: number): Promise<void> {
  const questions = sheet.getByRole('group')
  await expect.poll(() => questions.elements()).toHaveLength(3)
  for (const question of questions.all()) await question.getByRole('radio').nth(place).click()
  await press(inSheet('Continue'))
  await expect.element(sheet.getByText(/^You can lose money\./)).toBeVisible()
  await press(inSheet('I Understand the Risks'))
}

test('shows the value with its change, the three funds and what is held of them', async () => {
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

  // The chart: by keyboard, and as a table.
  const slider = value.getByRole('slider', { name: 'What your investments were worth over time' })
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', expect.stringContaining(`Value ${dollars(valueMinor)}`))
  expect(slider.element().getAttribute('aria-valuetext')).toContain('Invested')
  for (const [key, at] of [
    ['{Home}', '0'],
    ['{ArrowRight}', '1'],
  ] as const) {
    const element = slider.element()
    if (element instanceof HTMLElement) element.focus()
    await userEvent.keyboard(key)
    await expect.element(slider).toHaveValue(at)
  }
  await press(value.getByRole('button', { name: 'Show as table' }))
  await expect.element(value.getByRole('table').getByRole('row').nth(1)).toMatchTextContent(dollars(valueMinor))
  await value.getByRole('radio', { name: '1M' }).click()
  await expect.element(value.getByRole('radio', { name: '1M' })).toBeChecked()
})

test('a fund and the returns are explained one press away, and what is gained is drawn apart from what was put in', async () => {
  const { markets, returns } = await bank.recorded('/investing')
  await knows({ holdings: [], markets: markets.map((market) => ({ ...market, open: true })) })
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
  await press(value.getByRole('button', { name: 'Show as table' }))
  await expect.element(value.getByRole('row').nth(2)).toMatchTextContent('$305.00$300.00+$5.00')
  await press(value.getByRole('button', { name: 'Details' }))
  await expect.element(sheet).toMatchTextContent('What your holdings are worth now, less what they cost')
  expect(returns).not.toBeNull()
  await expect
    .element(sheet)
    .toMatchTextContent('How the funds performed, regardless of when you invested (time-weighted)')
  await userEvent.keyboard('{Escape}')
  await press(part('Aggressive Growth').getByRole('button', { name: /^Aggressive Growth/ }))
  await expect.element(sheet).toMatchTextContent('Shares from all over the world.')
  await expect.element(sheet.getByRole('button', { name: 'Invest Now' })).toBeEnabled()
  await expect.element(sheet.getByRole('button', { name: 'Sell' })).not.toBeInTheDocument()
})

test('who invests first answers questions and accepts the risks, and then checks the order', async () => {
  asksFirst()
  bank.post('/investing/orders', async () => {
    await knows({ orders: [ORDER], riskAccepted: true })
    return { order: ORDER }
  })
  await open('/invest')
  await press(button('Invest Now in Balanced Portfolio'))
  await press(inSheet('Continue'))
  await expect.element(toast('Please fill in all fields')).toBeVisible()
  await answer(1)
  const amount = sheet.getByLabelText('Amount')
  for (const [text, message] of [
    ['', 'Please enter a valid amount'],
    ['0', 'Please enter a valid amount'],
    ['9.99', 'The least you can invest is $10'],
    ['999999', "You don't have enough money for this"],
  ] as const) {
    await amount.fill('50')
    await expect.element(amount).not.toHaveAttribute('aria-invalid')
    await amount.fill(text)
    await press(inSheet('Continue'))
    await expect.element(toast(message)).toBeVisible()
    await expect.element(amount).toHaveAttribute('aria-invalid', 'true')
  }
  await amount.fill('250')
  await press(inSheet('Continue'))
  await expect.element(sheet.getByText('Check your order')).toBeVisible()
  await expect.element(sheet).toMatchTextContent(/You pay\$250\.00Fee, included\$[\d.]+You get about[\d.]+ units/)
  await expect.element(sheet).toMatchTextContent('Investments can lose value')
  await press(inSheet('Invest Now'))
  await expect.element(toast('Your order is placed')).toBeVisible()
  await expect.element(await pending('Buy Balanced Portfolio')).toBeVisible()
  expect(changes().at(-1)).toMatchObject({
    path: '/investing/orders',
    json: { side: 'buy', fund: 'FUND_BALANCED', amountMinor: 250_00, asset: 'USD' },
  })
})

test('a fund of more risk than suits somebody is said to be one, and an order is taken back', async () => {
  asksFirst()
  const order = { ...ORDER, fund: 'FUND_AGGRESSIVE' as const, amountMinor: 100_00 }
  bank.post('/investing/orders', async () => {
    await knows({ orders: [order], riskAccepted: true })
    return { order }
  })
  bank.post('/investing/orders/:id/cancel', async () => {
    await knows({ riskAccepted: true })
    return { order: { ...order, status: 'cancelled' as const, cancelledBy: 'customer' as const } }
  })
  await open('/invest')
  await press(button('Invest Now in Aggressive Growth'))
  await answer(0)
  await expect.element(sheet).toMatchTextContent('Your answers point to low risk. This fund has more.')
  await sheet.getByLabelText('Amount').fill('100')
  await press(inSheet('Continue'))
  await expect.element(toast(/^This has more risk than your answers suggest/)).toBeVisible()
  await sheet.getByRole('checkbox', { name: 'I want to invest in it all the same' }).click()
  await press(inSheet('Continue'))
  await expect.element(sheet.getByText('You get about')).toBeVisible()
  await press(inSheet('Invest Now'))
  await expect.element(toast('Your order is placed')).toBeVisible()
  expect(changes().at(-1)).toMatchObject({ json: { fund: 'FUND_AGGRESSIVE', acceptsMismatch: true } })
  await press(await pending('Buy Aggressive Growth'))
  await press(inSheet('Cancel Order'))
  await expect.element(toast('Your order is cancelled')).toBeVisible()
  await expect.element(page.getByText('Pending Orders')).not.toBeInTheDocument()
})

test('a part of what is held is sold, and no more than that', async () => {
  const { holdings } = await bank.recorded('/investing')
  const held = holdings.find(({ fund }) => fund === 'FUND_BALANCED')
  if (!held) throw new Error('Nothing is held')
  bank.post('/investing/orders', async () => {
    const order = { ...ORDER, side: 'sell' as const, amountMinor: null, unitsMinor: 1_000_000 }
    await knows({ orders: [order] })
    return { order }
  })
  await open('/invest')
  await press(part('Balanced Portfolio').getByRole('button', { name: /^Balanced Portfolio/ }))
  await expect.element(sheet).toMatchTextContent(units(held.unitsMinor))
  await expect.element(sheet).toMatchTextContent(dollars(held.valueMinor))
  await expect.element(sheet).toMatchTextContent(dollars(held.costMinor))
  await press(inSheet('Sell'))
  await sheet.getByRole('radio', { name: 'A part' }).click()
  await sheet.getByLabelText('Units').fill('999999')
  await press(inSheet('Continue'))
  await expect.element(toast("You don't have that much to sell")).toBeVisible()
  await sheet.getByLabelText('Units').fill('1')
  await press(inSheet('Continue'))
  await expect.element(sheet.getByText('You get about')).toBeVisible()
  await press(inSheet('Sell'))
  await expect.element(toast('Your order is placed')).toBeVisible()
  await expect.element(await pending('Sell Balanced Portfolio')).toBeVisible()
  expect(changes()).toMatchObject([{ json: { side: 'sell', fund: 'FUND_BALANCED', unitsMinor: 1_000_000 } }])
})

test('a plan is made, paused, resumed and ended', async () => {
  const { today } = await bank.recorded('/investing')
  const suited: Partial<Investments> = {
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
  /** From now on the plan is so; a plan that has ended is not listed. */
  const becomes = (status: InvestmentPlan['status']) => async () => {
    const changed = { ...plan, status }
    await knows({ ...suited, plans: status === 'cancelled' ? [] : [changed] })
    return { plan: changed }
  }
  await knows(suited)
  bank.post('/investing/plans', becomes('active'))
  bank.post('/investing/plans/:id/pause', becomes('paused'))
  bank.post('/investing/plans/:id/resume', becomes('active'))
  bank.post('/investing/plans/:id/cancel', becomes('cancelled'))
  await open('/invest')
  await press(button(/^Invest Regularly/))
  await sheet.getByRole('radio', { name: /^Conservative Growth/ }).click()
  await sheet.getByLabelText('Amount').fill('50')
  await sheet.getByLabelText('First Date').fill('2020-01-01')
  await press(inSheet('Invest Regularly'))
  await expect.element(toast('Please choose a date between today and two years from now')).toBeVisible()
  await sheet.getByLabelText('First Date').fill(today)
  await press(inSheet('Invest Regularly'))
  await expect.element(toast('$50.00 goes into Conservative Growth every month')).toBeVisible()
  const row = main.getByRole('button', { name: /Every month/ })
  await press(row)
  await press(inSheet('Pause'))
  await expect.element(toast('Your recurring investment is paused')).toBeVisible()
  await press(inSheet('Resume'))
  await expect.element(toast('Your recurring investment goes on')).toBeVisible()
  await press(inSheet('End'))
  await press(inSheet('End Recurring Investment'))
  await expect.element(toast('Your recurring investment has ended')).toBeVisible()
  await expect.element(row).not.toBeInTheDocument()
  expect(changes().map(({ path }) => path)).toEqual([
    '/investing/plans',
    '/investing/plans/plan/pause',
    '/investing/plans/plan/resume',
    '/investing/plans/plan/cancel',
  ])
  expect(changes()[0]?.json).toMatchObject({ fund: 'FUND_CONSERVATIVE', amountMinor: 50_00, startsOn: today })
})
