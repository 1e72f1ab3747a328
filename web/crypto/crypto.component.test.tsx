import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { CryptoOverview, Quote, QuoteRequest } from '#contract/crypto.ts'
import { QUOTE_SECONDS } from '#contract/crypto-terms.ts'
import { formatAmount } from '#contract/money.ts'
import { open, press, toast, withTime } from '#web/test/app.tsx'
import { bank, changes, refused } from '#web/test/bank.ts'

const main = page.getByRole('main')
const sheet = page.getByRole('dialog')
const asset = (name: string) => main.getByRole('listitem').filter({ hasText: name })
const button = (name: string) => sheet.getByRole('button', { name })
const way = (name: string) => sheet.getByRole('radio', { name }).click()
const amount = sheet.getByLabelText('Amount')

const centsIn = (text: string): number => Number(/\$([\d,]+\.\d\d)/.exec(text)?.[1]?.replace(/[,.]/g, ''))

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

/** From now on the bank's overview differs in this. */
async function knows(changed: Partial<CryptoOverview>): Promise<void> {
  bank.get('/crypto', { ...(await bank.recorded('/crypto')), ...changed })
}

/** A tenth of a coin for $100. */
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

/** A trade as it was quoted. */
const tradeOf = (quoted: Quote) => ({
  trade: { ...quoted, id: 'trade', kind: 'quote' as const, bookedAt: '2026-08-28T09:41:00.000Z' },
})

test('shows three assets, their total, the risk, and of one its chart and trades', async () => {
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
    // So many coins, as text; what they are worth; and by how much that has changed.
    expect(rows[index]).toMatch(new RegExp(`\\d\\.\\d{4,8}\\s${symbol}`))
    expect(rows[index]).toMatch(/\$[\d,]+\.\d\d/)
    expect(rows[index]).toMatch(/[+−]\d+\.\d\d%/)
  }
  expect(rows.filter((row) => /−\d+\.\d\d%/.test(row))).toHaveLength(1)
  expect(centsIn(total.replace(/\s/g, ''))).toBe(rows.reduce((sum, row) => sum + centsIn(row), 0))
  for (const { asset: coin, amountMinor } of holdings) {
    const written = formatAmount(amountMinor, coin, { symbol: false }).replace(/0+$/, '')
    expect(rows.join('\n').replaceAll(/\s+/g, ' ')).toContain(`${written} ${coin}`)
  }
  await expect.element(main.getByRole('button', { name: 'Buy Crypto' })).toBeEnabled()
  await expect.element(main.getByRole('button', { name: 'Sell' })).toBeEnabled()
  await expect.element(main.getByRole('complementary', { name: 'Risk notice' })).toMatchTextContent('Crypto is risky.')

  await press(asset('Bitcoin').getByRole('button'))
  const chart = sheet.getByRole('slider', { name: 'Price of Bitcoin' })
  await expect.element(chart).toBeVisible()
  await way('1Y')
  await expect.element(chart).toBeVisible()
  const averageMicros = holdings.find((one) => one.asset === 'BTC')?.averageCostMicros ?? 0
  const average = formatAmount(Math.round(averageMicros / 10_000), 'USD')
  await expect.element(sheet).toMatchTextContent(new RegExp(`Average cost.*\\${average}`))
  await expect.element(sheet).toMatchTextContent(/Realized profit\$0\.00/)
  await expect.poll(() => sheet.getByText('Bought', { exact: true }).elements()).toHaveLength(2)
})

test('says where trading is paused, and where there are no coins', async () => {
  const { holdings } = await bank.recorded('/crypto')
  const none = {
    amountMinor: 0,
    heldMinor: 0,
    valueMinor: 0,
    averageCostMicros: null,
    costMinor: 0,
    unrealisedMinor: 0,
  }
  await knows({
    totalMinor: 0,
    unrealisedMinor: 0,
    holdings: holdings.map((one) => ({ ...one, ...none, market: one.asset === 'ETH' ? 'halted' : 'open' })),
  })
  await open('/crypto')
  await expect.element(main.getByRole('heading', { name: 'Prices' })).toBeVisible()
  await expect.element(main.getByText(/^Trading in Ethereum is paused/)).toBeVisible()
  await expect.element(main.getByRole('button', { name: 'Sell' })).toBeDisabled()
  await expect.element(main.getByRole('complementary', { name: 'Risk notice' })).toBeVisible()
  await press(main.getByRole('button', { name: 'Buy Crypto' }))
  await way('Ethereum')
  await expect.element(sheet.getByText(/^Trading in Ethereum is paused/)).toBeVisible()
  await expect.element(button('Get Quote')).toBeDisabled()
})

test('a purchase is made at a quote, which expires after 15 seconds', async () => {
  withTime()
  let priceMicros = 1_000_000_000
  bank.post('/crypto/quotes', ({ json }) =>
    (json.amountMinor ?? 0) > 12_458_50 ? refused('insufficient_funds') : quoteOf(json, priceMicros),
  )
  await open('/crypto')
  await press(main.getByRole('button', { name: 'Buy Crypto' }))
  for (const [text, refusal] of [
    ['', 'Enter an amount'],
    ['0', 'Please enter a valid amount'],
    ['0.99', 'This is too little to trade. Please choose a larger amount'],
    ['12458.51', "You don't have enough money for this"],
  ] as const) {
    await amount.fill(text)
    await press(button('Get Quote'))
    await expect.element(amount).toHaveAccessibleDescription(new RegExp(refusal))
  }
  await way('Ethereum')
  await amount.fill('100')
  await press(button('Get Quote'))
  const quote = sheet.getByRole('region', { name: 'Quote' })
  const timer = sheet.getByRole('timer')
  await expect.element(timer).toMatchTextContent(/^1[2-5]$/)
  for (const said of ['You pay', '$100.00', 'Spread of 0.5%', 'Fee$1.00'])
    await expect.element(quote).toMatchTextContent(said)
  await expect.element(sheet.getByRole('complementary', { name: 'Risk notice' })).toBeVisible()
  await pass(15)
  await expect.element(sheet.getByRole('status').filter({ hasText: 'This quote has expired' })).toBeInTheDocument()
  expect(button('Confirm Purchase').query()).toBeNull()
  priceMicros = 1_010_000_000
  await press(button('New Quote'))
  await expect.element(timer).toMatchTextContent(/^1[2-5]$/)
  await expect.element(sheet.getByText(/^The price has gone up/)).toBeVisible()

  // What the bank says has ended is not tried again by itself.
  bank.post('/crypto/trades', refused('quote_expired'))
  await pass(1)
  await press(button('Confirm Purchase'))
  await press(button('New Quote'))
  await expect.element(sheet.getByText('The price is the same as before.')).toBeVisible()
  const trades = () => changes().filter(({ path }) => path === '/crypto/trades')
  expect(trades()).toHaveLength(1)
  bank.post('/crypto/trades', tradeOf(quoteOf({ side: 'buy', asset: 'ETH' })))
  await pass(1)
  await press(button('Confirm Purchase'))
  await expect.element(toast(/^You bought 0\.\d+\sETH for \$100\.00$/)).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(changes().find(({ path }) => path === '/crypto/quotes')?.json).toEqual({
    side: 'buy',
    asset: 'BTC',
    amountMinor: 12_458_51,
    amountAsset: 'USD',
  })
})

test('all of a coin is sold at a quote', async () => {
  withTime()
  bank.post('/crypto/quotes', ({ json }) => quoteOf(json))
  bank.post('/crypto/trades', tradeOf(quoteOf({ side: 'sell', asset: 'LTC' })))
  await open('/crypto')
  await press(main.getByRole('button', { name: 'Sell' }))
  await way('Litecoin')
  await press(button('All'))
  await press(button('Get Quote'))
  await expect.element(button('Confirm Sale')).toBeVisible()
  await expect.element(sheet.getByText('After the fee')).toBeVisible()
  expect(changes()[0]?.json).toEqual({ side: 'sell', asset: 'LTC', amountMinor: null, amountAsset: 'LTC' })
  await pass(1)
  await press(button('Confirm Sale'))
  await expect.element(toast(/^You sold [\d.]+\sLTC for \$100\.00$/)).toBeVisible()
})

test('an order sets money aside until it is cancelled', async () => {
  bank.post('/crypto/orders', async ({ json }) => {
    const placed = { ...json, id: 'order', createdAt: '2026-08-28T09:41:00.000Z', expiresAt: null }
    await knows({ orders: [placed] })
    return { order: placed }
  })
  bank.post('/crypto/orders/:id/cancel', async () => {
    await knows({ orders: [] })
    return {}
  })
  await open('/crypto')
  await press(main.getByRole('button', { name: 'Buy Crypto' }))
  await way('Limit')
  await amount.fill('500')
  await press(button('Place Order'))
  const limit = sheet.getByLabelText('Highest price for 1 coin ($)')
  await expect.element(limit).toHaveAccessibleDescription(/^Enter an amount/)
  await limit.fill('60000')
  await expect.element(sheet.getByText(/^We set \$500\.00 aside/)).toBeVisible()
  await press(button('Place Order'))
  await expect.element(toast('Order placed')).toBeVisible()
  await expect.element(asset('Buy Bitcoin at $60,000.00 or less')).toMatchTextContent('$500.00 set aside')
  await press(main.getByRole('button', { name: 'Cancel order to buy Bitcoin' }))
  await press(button('Cancel Order'))
  await expect.element(toast('Order cancelled')).toBeVisible()
  await expect.element(main.getByText('Open Orders')).not.toBeInTheDocument()
  expect(changes()).toMatchObject([
    { json: { side: 'buy', asset: 'BTC', amountMinor: 500_00, amountAsset: 'USD', limitMicros: 60_000_000_000 } },
    { path: '/crypto/orders/order/cancel' },
  ])
})

test('a coin is bought again and again until that is stopped', async () => {
  bank.post('/crypto/recurring', async ({ json: { startsOn, ...json } }) => {
    const recurring = { id: 'plan', nextOn: startsOn, ...json }
    await knows({ recurring: [recurring] })
    return { recurring }
  })
  bank.delete('/crypto/recurring/:id', async () => {
    await knows({ recurring: [] })
    return {}
  })
  await open('/crypto')
  await press(main.getByRole('button', { name: 'Buy Crypto' }))
  await way('Recurring')
  await way('Weekly')
  await sheet.getByLabelText('Amount each time').fill('25')
  await sheet.getByLabelText('First Purchase').fill('2020-01-01')
  await press(button('Start Recurring Buy'))
  await expect.element(sheet.getByLabelText('First Purchase')).toHaveAttribute('aria-invalid', 'true')
  await sheet.getByLabelText('First Purchase').fill('2026-09-04')
  await press(button('Start Recurring Buy'))
  await expect.element(asset('$25.00 of Bitcoin every week')).toMatchTextContent('Next: Sep 4')
  await press(main.getByRole('button', { name: 'Stop buying Bitcoin' }))
  await press(button('Stop Buying'))
  await expect.element(toast('Recurring buy stopped')).toBeVisible()
  expect(changes()).toMatchObject([
    { json: { asset: 'BTC', amountMinor: 25_00, every: 'week', startsOn: '2026-09-04' } },
    { method: 'DELETE', path: '/crypto/recurring/plan' },
  ])
})
