import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { CryptoOverview, Quote, QuoteRequest } from '#contract/crypto.ts'
import { QUOTE_SECONDS } from '#contract/crypto-terms.ts'
import { formatAmount } from '#contract/money.ts'
import { open, pressByKey, findToast, runFakeTime } from '#web/test/app.tsx'
import { bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'

const main = page.getByRole('main')
const sheet = page.getByRole('dialog')
const asset = (name: string) => main.getByRole('listitem').filter({ hasText: name })
const button = (name: string) => sheet.getByRole('button', { name })
const chooseTradeTime = (name: string) => sheet.getByRole('radio', { name }).click()
const amount = sheet.getByLabelText('Amount')

const centsIn = (text: string): number => Number(/\$([\d,]+\.\d\d)/.exec(text)?.[1]?.replace(/[,.]/g, ''))

const passTime = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

/** Mocks the bank's overview with these changes. */
async function mockOverview(changes: Partial<CryptoOverview>): Promise<void> {
  bank.get('/crypto', { ...(await bank.recorded('/crypto')), ...changes })
}

/** Returns a quote for a tenth of a coin at $100. */
function quoteOf({ side, asset: coin }: Pick<QuoteRequest, 'side' | 'asset'>, priceMicros = 1_000_000_000): Quote {
  const now = Date.now()
  return {
    id: crypto.randomUUID(),
    side,
    asset: coin,
    amountMinor: 10_000_000,
    dollarsMinor: 100_00,
    feeMinor: 1_00,
    priceMicros,
    marketMicros: 995_000_000,
    quotedAt: new Date(now).toISOString(),
    expiresAt: new Date(now + QUOTE_SECONDS * 1000).toISOString(),
    seconds: QUOTE_SECONDS,
  }
}

/** Returns a trade at the price of a quote. */
const tradeOf = (quoted: Quote) => ({
  trade: { ...quoted, id: 'trade', kind: 'quote' as const, bookedAt: '2026-08-28T09:41:00.000Z' },
})

test('shows three assets, their total, the risk, and for one its chart and trades', async () => {
  const { holdings } = await bank.recorded('/crypto')
  await open('/crypto')
  await expect.element(asset('Litecoin')).toMatchTextContent('$')
  const { total, rows } = {
    total: main.element().querySelector('section')?.innerText ?? '',
    rows: [...main.element().querySelectorAll('li')].map((row) => row.innerText),
  }
  expect(rows).toHaveLength(3)
  for (const [index, [name, symbol]] of [
    ['Bitcoin', 'BTC'],
    ['Ethereum', 'ETH'],
    ['Litecoin', 'LTC'],
  ].entries()) {
    expect(rows[index]).toContain(name)
    // A row contains the amount of coins, their value and the change of the value.
    expect(rows[index]).toMatch(new RegExp(`\\d\\.\\d{4,8}\\s${symbol}`))
    expect(rows[index]).toMatch(/\$[\d,]+\.\d\d/)
    expect(rows[index]).toMatch(/[+−]\d+\.\d\d%/)
  }
  expect(rows.filter((row) => /−\d+\.\d\d%/.test(row))).toHaveLength(1)
  expect(centsIn(total.replace(/\s/g, ''))).toBe(rows.reduce((sum, row) => sum + centsIn(row), 0))
  for (const { asset: coin, amountMinor } of holdings) {
    const amountText = formatAmount(amountMinor, coin, { symbol: false }).replace(/0+$/, '')
    expect(rows.join('\n').replaceAll(/\s+/g, ' ')).toContain(`${amountText} ${coin}`)
  }
  await expect.element(main.getByRole('button', { name: 'Buy Crypto' })).toBeEnabled()
  await expect.element(main.getByRole('button', { name: 'Sell' })).toBeEnabled()
  await expect.element(main.getByRole('complementary', { name: 'Risk notice' })).toMatchTextContent('Crypto is risky.')

  await pressByKey(asset('Bitcoin').getByRole('button'))
  const chart = sheet.getByRole('slider', { name: 'Price of Bitcoin' })
  await expect.element(chart).toBeVisible()
  await chooseTradeTime('1Y')
  await expect.element(chart).toBeVisible()
  const averageMicros = holdings.find((holding) => holding.asset === 'BTC')?.averageCostMicros ?? 0
  const average = formatAmount(Math.round(averageMicros / 10_000), 'USD')
  await expect.element(sheet).toMatchTextContent(new RegExp(`Average Cost.*\\${average}`))
  await expect.element(sheet).toMatchTextContent(/Realized Profit\$0\.00/)
  await expect.poll(() => sheet.getByText('Bought', { exact: true }).elements()).toHaveLength(2)
})

test('shows that trading is paused, and that there are no coins', async () => {
  const { holdings } = await bank.recorded('/crypto')
  const emptyHolding = {
    amountMinor: 0,
    heldMinor: 0,
    valueMinor: 0,
    averageCostMicros: null,
    costMinor: 0,
    unrealisedMinor: 0,
  }
  await mockOverview({
    totalMinor: 0,
    unrealisedMinor: 0,
    holdings: holdings.map((holding) => ({
      ...holding,
      ...emptyHolding,
      market: holding.asset === 'ETH' ? 'halted' : 'open',
    })),
  })
  await open('/crypto')
  await expect.element(main.getByRole('heading', { name: 'Prices' })).toBeVisible()
  await expect.element(main.getByText(/^Trading in Ethereum is paused/)).toBeVisible()
  await expect.element(main.getByRole('button', { name: 'Sell' })).toBeDisabled()
  await expect.element(main.getByRole('complementary', { name: 'Risk notice' })).toBeVisible()
  await pressByKey(main.getByRole('button', { name: 'Buy Crypto' }))
  await chooseTradeTime('Ethereum')
  await expect.element(sheet.getByText(/^Trading in Ethereum is paused/)).toBeVisible()
  await expect.element(button('Get Quote')).toBeDisabled()
})

test('a purchase is made at a quote, which expires after 15 seconds', async () => {
  runFakeTime()
  let priceMicros = 1_000_000_000
  bank.post('/crypto/quotes', ({ json }) =>
    (json.amountMinor ?? 0) > 12_458_50 ? refusalAnswer('insufficient_funds') : quoteOf(json, priceMicros),
  )
  await open('/crypto')
  await pressByKey(main.getByRole('button', { name: 'Buy Crypto' }))
  for (const [text, refusal] of [
    ['', 'Enter an amount'],
    ['0', 'Please enter a valid amount'],
    ['0.99', 'This is too little to trade. Please choose a larger amount'],
    ['12458.51', "You don't have enough money for this"],
  ] as const) {
    await amount.fill(text)
    await pressByKey(button('Get Quote'))
    await expect.element(amount).toHaveAccessibleDescription(new RegExp(refusal))
  }
  await chooseTradeTime('Ethereum')
  await amount.fill('100')
  await pressByKey(button('Get Quote'))
  const quote = sheet.getByRole('region', { name: 'Quote' })
  const timer = sheet.getByRole('timer')
  await expect.element(timer).toMatchTextContent(/^1[2-5]$/)
  for (const text of ['You Pay', '$100.00', 'Spread of 0.5%', 'Fee$1.00'])
    await expect.element(quote).toMatchTextContent(text)
  await expect.element(sheet.getByRole('complementary', { name: 'Risk notice' })).toBeVisible()
  await passTime(15)
  await expect.element(sheet.getByRole('status').filter({ hasText: 'This quote has expired' })).toBeInTheDocument()
  expect(button('Confirm Purchase').query()).toBeNull()
  priceMicros = 1_010_000_000
  await pressByKey(button('New Quote'))
  await expect.element(timer).toMatchTextContent(/^1[2-5]$/)
  await expect.element(sheet.getByText(/^The price has gone up/)).toBeVisible()

  // A quote that the bank reports as expired is not retried automatically.
  bank.post('/crypto/trades', refusalAnswer('quote_expired'))
  await passTime(1)
  await pressByKey(button('Confirm Purchase'))
  await pressByKey(button('New Quote'))
  await expect.element(sheet.getByText('The price is the same as before.')).toBeVisible()
  const trades = () => changeRequests().filter(({ path }) => path === '/crypto/trades')
  expect(trades()).toHaveLength(1)
  bank.post('/crypto/trades', tradeOf(quoteOf({ side: 'buy', asset: 'ETH' })))
  await passTime(1)
  await pressByKey(button('Confirm Purchase'))
  await expect.element(findToast(/^You bought 0\.\d+\sETH for \$100\.00$/)).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(changeRequests().find(({ path }) => path === '/crypto/quotes')?.json).toEqual({
    side: 'buy',
    asset: 'BTC',
    amountMinor: 12_458_51,
    amountAsset: 'USD',
  })
})

test('all of a coin is sold at a quote', async () => {
  runFakeTime()
  bank.post('/crypto/quotes', ({ json }) => quoteOf(json))
  bank.post('/crypto/trades', tradeOf(quoteOf({ side: 'sell', asset: 'LTC' })))
  await open('/crypto')
  await pressByKey(main.getByRole('button', { name: 'Sell' }))
  await chooseTradeTime('Litecoin')
  await pressByKey(button('All'))
  await pressByKey(button('Get Quote'))
  await expect.element(button('Confirm Sale')).toBeVisible()
  await expect.element(sheet.getByText('After the fee')).toBeVisible()
  expect(changeRequests()[0]?.json).toEqual({ side: 'sell', asset: 'LTC', amountMinor: null, amountAsset: 'LTC' })
  await passTime(1)
  await pressByKey(button('Confirm Sale'))
  await expect.element(findToast(/^You sold [\d.]+\sLTC for \$100\.00$/)).toBeVisible()
})

test('an order reserves money until it is canceled', async () => {
  bank.post('/crypto/orders', async ({ json }) => {
    const placed = { ...json, id: 'order', createdAt: '2026-08-28T09:41:00.000Z', expiresAt: null }
    await mockOverview({ orders: [placed] })
    return { order: placed }
  })
  bank.post('/crypto/orders/:id/cancel', async () => {
    await mockOverview({ orders: [] })
    return {}
  })
  await open('/crypto')
  await pressByKey(main.getByRole('button', { name: 'Buy Crypto' }))
  await chooseTradeTime('Limit')
  await amount.fill('500')
  await pressByKey(button('Place Order'))
  const limit = sheet.getByLabelText('Highest Price for 1 Coin ($)')
  await expect.element(limit).toHaveAccessibleDescription(/^Enter an amount/)
  await limit.fill('60000')
  await expect.element(sheet.getByText(/^We set \$500\.00 aside/)).toBeVisible()
  await pressByKey(button('Place Order'))
  await expect.element(findToast('Order placed')).toBeVisible()
  await expect.element(asset('Buy Bitcoin at $60,000.00 or less')).toMatchTextContent('$500.00 set aside')
  await pressByKey(main.getByRole('button', { name: 'Cancel Order to Buy Bitcoin' }))
  await pressByKey(button('Cancel Order'))
  await expect.element(findToast('Order canceled')).toBeVisible()
  await expect.element(main.getByText('Open Orders')).not.toBeInTheDocument()
  expect(changeRequests()).toMatchObject([
    { json: { side: 'buy', asset: 'BTC', amountMinor: 500_00, amountAsset: 'USD', limitMicros: 60_000_000_000 } },
    { path: '/crypto/orders/order/cancel' },
  ])
})

test('a recurring buy of a coin continues until it is stopped', async () => {
  bank.post('/crypto/recurring', async ({ json: { startsOn, ...json } }) => {
    const recurring = { id: 'plan', nextOn: startsOn, ...json }
    await mockOverview({ recurring: [recurring] })
    return { recurring }
  })
  bank.delete('/crypto/recurring/:id', async () => {
    await mockOverview({ recurring: [] })
    return {}
  })
  await open('/crypto')
  await pressByKey(main.getByRole('button', { name: 'Buy Crypto' }))
  await chooseTradeTime('Recurring')
  await chooseTradeTime('Weekly')
  await sheet.getByLabelText('Amount per Purchase').fill('25')
  await sheet.getByLabelText('First Purchase').fill('2020-01-01')
  await pressByKey(button('Start Recurring Buy'))
  await expect.element(sheet.getByLabelText('First Purchase')).toHaveAttribute('aria-invalid', 'true')
  await sheet.getByLabelText('First Purchase').fill('2026-09-04')
  await pressByKey(button('Start Recurring Buy'))
  await expect.element(asset('$25.00 of Bitcoin every week')).toMatchTextContent('Next: Sep 4')
  await pressByKey(main.getByRole('button', { name: 'Stop Buying Bitcoin' }))
  await pressByKey(button('Stop Recurring Buy'))
  await expect.element(findToast('Recurring buy stopped')).toBeVisible()
  expect(changeRequests()).toMatchObject([
    { json: { asset: 'BTC', amountMinor: 25_00, every: 'week', startsOn: '2026-09-04' } },
    { method: 'DELETE', path: '/crypto/recurring/plan' },
  ])
})
