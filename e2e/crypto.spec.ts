import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import type { CryptoOverview, Holding } from '#contract/crypto.ts'
import type { Coin } from '#contract/markets.ts'
import { formatAmount } from '#contract/money.ts'
import { ask, available, newest, press, toast, visit } from './bank.ts'

const overview = (page: Page) => ask<CryptoOverview>(page, '/crypto')
const holding = async (page: Page, coin: Coin): Promise<Holding> => {
  const found = (await overview(page)).holdings.find(({ asset }) => asset === coin)
  if (!found) throw new Error(`There is no ${coin}`)
  return found
}
const main = (page: Page) => page.getByRole('main')
const sheet = (page: Page) => page.getByRole('dialog')
const asset = (page: Page, name: string) => main(page).getByRole('listitem').filter({ hasText: name })
const button = (page: Page, name: string) => sheet(page).getByRole('button', { name, exact: true })
const way = (page: Page, name: string) => sheet(page).getByRole('radio', { name, exact: true }).click()

const centsIn = (text: string): number => Number(/\$([\d,]+\.\d\d)/.exec(text)?.[1]?.replace(/[,.]/g, ''))

/** What the last trade moved on the current account: the coins and the fee are a transaction each. */
async function booked(page: Page): Promise<number> {
  const transactions = await newest(page, 2)
  for (const one of transactions) expect(one).toMatchObject({ category: 'crypto', status: 'completed' })
  return transactions.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

/** What the screen shows at one moment: prices move while it is looked at. */
async function shown(page: Page): Promise<{ total: string; rows: string[] }> {
  return main(page).evaluate((element) => ({
    total: element.querySelector('section')?.innerText ?? '',
    rows: [...element.querySelectorAll('li')].map((row) => row.innerText),
  }))
}

test('shows three assets, one of them down, their total and the risk, as the spec says', async ({ page }) => {
  await visit(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Crypto', exact: true }).click()
  await expect(page).toHaveURL('/crypto')
  await expect(asset(page, 'Litecoin')).toContainText('$')

  const { total, rows } = await shown(page)
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

  const bank = await overview(page)
  for (const { asset: coin, amountMinor } of bank.holdings) {
    const written = formatAmount(amountMinor, coin, { symbol: false }).replace(/0+$/, '')
    await expect(main(page).getByText(`${written} ${coin}`)).toBeVisible()
  }
  await expect(main(page).getByRole('button', { name: 'Buy Crypto' })).toBeEnabled()
  await expect(main(page).getByRole('button', { name: 'Sell', exact: true })).toBeEnabled()
  await expect(main(page).getByRole('complementary', { name: 'Risk notice' })).toContainText('Crypto is risky.')

  // One of them: its chart, what is held and what was traded.
  await press(asset(page, 'Bitcoin').getByRole('button'))
  await expect(sheet(page).getByRole('slider', { name: 'Price of Bitcoin' })).toBeVisible()
  await way(page, '1Y')
  await expect(sheet(page).getByRole('slider', { name: 'Price of Bitcoin' })).toBeVisible()
  const { averageCostMicros, realisedMinor } = await holding(page, 'BTC')
  await expect(sheet(page).getByText('Average cost').locator('..')).toContainText(
    formatAmount(Math.round((averageCostMicros ?? 0) / 10_000), 'USD'),
  )
  expect(realisedMinor).toBe(0)
  await expect(sheet(page).getByText('Realized profit', { exact: true }).locator('..')).toContainText('$0.00')
  await expect(sheet(page).getByText('Bought', { exact: true })).toHaveCount(2)
})

test('buys at a quote that expires after 15 seconds', async ({ page }) => {
  await visit(page)
  await page.clock.install()
  await page.goto('/crypto')
  const [before, spendable] = [await holding(page, 'ETH'), await available(page)]
  await press(main(page).getByRole('button', { name: 'Buy Crypto' }))
  const amount = sheet(page).getByLabel('Amount')
  for (const [text, refusal] of [
    ['', 'Enter an amount'],
    ['0', 'Please enter a valid amount'],
    ['0.99', 'This is too little to trade. Please choose a larger amount'],
    ['12458.51', "You don't have enough money for this"],
  ] as const) {
    await amount.fill(text)
    await press(button(page, 'Get Quote'))
    await expect(amount).toHaveAccessibleDescription(new RegExp(refusal))
  }
  await way(page, 'Ethereum')
  await amount.fill('100')
  await press(button(page, 'Get Quote'))
  const quote = sheet(page).getByRole('region', { name: 'Quote' })
  await expect(quote).toContainText('You pay')
  await expect(quote).toContainText('$100.00')
  await expect(quote).toContainText('Spread of 0.5%')
  await expect(quote).toContainText('Fee$1.00')
  await expect(sheet(page).getByRole('complementary', { name: 'Risk notice' })).toBeVisible()
  await expect(sheet(page).getByRole('timer')).toHaveText(/^1[2-5]$/)

  await page.clock.fastForward(15_000)
  await expect(sheet(page).getByRole('status').filter({ hasText: 'This quote has expired' })).toBeAttached()
  await expect(button(page, 'Confirm Purchase')).toHaveCount(0)
  await press(button(page, 'New Quote'))
  await expect(sheet(page).getByText(/^The price (has gone|is the same)/)).toBeVisible()
  await expect(sheet(page).getByRole('timer')).toHaveText(/^1[2-5]$/)

  // What the bank says has ended is not tried again by itself.
  await page.route('**/crypto/trades', (route) =>
    route.fulfill({ status: 410, json: { error: { code: 'quote_expired', message: '' } } }),
  )
  await page.clock.fastForward(1_000)
  await press(button(page, 'Confirm Purchase'))
  await expect(button(page, 'New Quote')).toBeVisible()
  await page.unroute('**/crypto/trades')
  expect(await available(page)).toBe(spendable)

  const answer = page.waitForResponse('**/crypto/quotes')
  await press(button(page, 'New Quote'))
  const quoted = (await (await answer).json()) as { amountMinor: number; dollarsMinor: number }
  await expect(button(page, 'Confirm Purchase')).toBeVisible()
  await page.clock.fastForward(1_000)
  await press(button(page, 'Confirm Purchase'))
  await expect(toast(page, /^You bought 0\.\d+\sETH for \$100\.00$/)).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)

  expect((await holding(page, 'ETH')).amountMinor).toBe(before.amountMinor + quoted.amountMinor)
  expect(await available(page)).toBe(spendable - 100_00)
  expect(await booked(page)).toBe(-100_00)
})

test('sells all of a coin, sets money aside for an order, buys again and again, and lists tax lots', async ({
  page,
}) => {
  await visit(page)
  await page.clock.install()
  await page.goto('/crypto')
  const spendable = await available(page)
  await press(main(page).getByRole('button', { name: 'Sell', exact: true }))
  await way(page, 'Litecoin')
  await press(button(page, 'All'))
  await press(button(page, 'Get Quote'))
  await expect(button(page, 'Confirm Sale')).toBeVisible()
  await expect(sheet(page).getByText('After the fee')).toBeVisible()
  await page.clock.fastForward(1_000)
  await press(button(page, 'Confirm Sale'))
  await expect(toast(page, /^You sold [\d.]+\sLTC for \$/)).toBeVisible()
  const sold = await holding(page, 'LTC')
  expect(sold.amountMinor).toBe(0)
  expect(sold.realisedMinor).not.toBe(0)
  const proceeds = (await available(page)) - spendable
  expect(await booked(page)).toBe(proceeds)
  await expect(asset(page, 'Litecoin')).toContainText('0 LTC')

  await press(main(page).getByRole('button', { name: 'Buy Crypto' }))
  await way(page, 'Limit')
  await sheet(page).getByLabel('Amount').fill('500')
  await press(button(page, 'Place Order'))
  await expect(sheet(page).getByLabel('Highest price for 1 coin ($)')).toHaveAccessibleDescription('Enter an amount')
  await sheet(page).getByLabel('Highest price for 1 coin ($)').fill('60000')
  await expect(sheet(page).getByText('We set $500.00 aside')).toBeVisible()
  await press(button(page, 'Place Order'))
  await expect(toast(page, 'Order placed')).toBeVisible()
  await expect(asset(page, 'Buy Bitcoin at $60,000.00 or less')).toContainText('$500.00 set aside')
  expect(await available(page)).toBe(spendable + proceeds - 500_00)
  await press(main(page).getByRole('button', { name: 'Cancel order to buy Bitcoin' }))
  await press(button(page, 'Cancel Order'))
  await expect(toast(page, 'Order cancelled')).toBeVisible()
  await expect(main(page).getByText('Open Orders')).toHaveCount(0)
  expect(await available(page)).toBe(spendable + proceeds)

  await press(main(page).getByRole('button', { name: 'Buy Crypto' }))
  await way(page, 'Recurring')
  await way(page, 'Weekly')
  await sheet(page).getByLabel('Amount each time').fill('25')
  await sheet(page).getByLabel('First Purchase').fill('2020-01-01')
  await press(button(page, 'Start Recurring Buy'))
  await expect(sheet(page).getByLabel('First Purchase')).toHaveAttribute('aria-invalid', 'true')
  await sheet(page).getByLabel('First Purchase').fill('2026-09-04')
  await press(button(page, 'Start Recurring Buy'))
  await expect(asset(page, '$25.00 of Bitcoin every week')).toContainText('Next: Sep 4')
  await press(main(page).getByRole('button', { name: 'Stop buying Bitcoin' }))
  await press(button(page, 'Stop Buying'))
  await expect(toast(page, 'Recurring buy stopped')).toBeVisible()
  expect((await overview(page)).recurring).toEqual([])

  await press(main(page).getByRole('button', { name: 'Tax Report' }))
  const download = page.waitForEvent('download')
  await press(button(page, 'Download CSV'))
  const file = await readFile(await (await download).path(), 'utf8')
  // Two purchases were sold, the first of them first; what is still there has no day of its sale.
  expect(file.match(/^LTC,2026-0[36]-\d\d,2026-08-28,/gm)).toHaveLength(2)
  expect(file.match(/^(BTC|ETH),2026-\d\d-\d\d,,/gm)).toHaveLength(4)
})

test('says where trading is paused, and where there are no coins', async ({ page }) => {
  await visit(page)
  const known = await overview(page)
  const none = {
    amountMinor: 0,
    heldMinor: 0,
    valueMinor: 0,
    averageCostMicros: null,
    costMinor: 0,
    unrealisedMinor: 0,
  }
  await page.route('**/api/v1/crypto', (route) =>
    route.fulfill({
      json: {
        ...known,
        totalMinor: 0,
        unrealisedMinor: 0,
        holdings: known.holdings.map((one) => ({ ...one, ...none, market: one.asset === 'ETH' ? 'halted' : 'open' })),
      },
    }),
  )
  await page.goto('/crypto')
  await expect(main(page).getByRole('heading', { name: 'Prices' })).toBeVisible()
  await expect(main(page).getByText('Trading in Ethereum is paused')).toBeVisible()
  await expect(main(page).getByRole('button', { name: 'Sell', exact: true })).toBeDisabled()
  await expect(main(page).getByRole('complementary', { name: 'Risk notice' })).toBeVisible()
  await press(main(page).getByRole('button', { name: 'Buy Crypto' }))
  await way(page, 'Ethereum')
  await expect(sheet(page).getByText('Trading in Ethereum is paused')).toBeVisible()
  await expect(button(page, 'Get Quote')).toBeDisabled()
})
