import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import type { CryptoOverview, Holding, Quote } from '#contract/crypto.ts'
import { ask, available, newest, press, toast, visit } from './bank.ts'

const sheet = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => sheet(page).getByRole('button', { name, exact: true })
const way = (page: Page, name: string) => sheet(page).getByRole('radio', { name, exact: true }).click()

async function holding(page: Page, asset: Holding['asset']): Promise<Holding> {
  const found = (await ask<CryptoOverview>(page, '/crypto')).holdings.find((one) => one.asset === asset)
  if (!found) throw new Error(`There is no ${asset}`)
  return found
}

/** What the last trade moved on the current account: the coins and the fee are a transaction each. */
async function booked(page: Page): Promise<number> {
  const transactions = await newest(page, 2)
  for (const one of transactions) expect(one).toMatchObject({ category: 'crypto', status: 'completed' })
  return transactions.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

test('coins are bought and sold at a quote, as the ledger and the tax report say', async ({ page }) => {
  await visit(page)
  await page.clock.install()
  await page.goto('/crypto')
  const [before, spendable] = [await holding(page, 'ETH'), await available(page)]
  await press(page.getByRole('button', { name: 'Buy Crypto' }))
  await way(page, 'Ethereum')
  await sheet(page).getByLabel('Amount').fill('100')
  const answer = page.waitForResponse('**/crypto/quotes')
  await press(button(page, 'Get Quote'))
  const quote = (await (await answer).json()) as Quote
  await expect(button(page, 'Confirm Purchase')).toBeVisible()
  await page.clock.fastForward(1_000)
  await press(button(page, 'Confirm Purchase'))
  await expect(toast(page, /^You bought 0\.\d+\sETH for \$100\.00$/)).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)
  expect((await holding(page, 'ETH')).amountMinor).toBe(before.amountMinor + quote.amountMinor)
  expect(await available(page)).toBe(spendable - 100_00)
  expect(await booked(page)).toBe(-100_00)

  await press(page.getByRole('main').getByRole('button', { name: 'Sell', exact: true }))
  await way(page, 'Litecoin')
  await press(button(page, 'All'))
  await press(button(page, 'Get Quote'))
  await expect(button(page, 'Confirm Sale')).toBeVisible()
  await page.clock.fastForward(1_000)
  await press(button(page, 'Confirm Sale'))
  await expect(toast(page, /^You sold [\d.]+\sLTC for \$/)).toBeVisible()
  expect(await holding(page, 'LTC')).toMatchObject({ amountMinor: 0 })
  expect(await booked(page)).toBe((await available(page)) - (spendable - 100_00))

  await press(page.getByRole('button', { name: 'Tax Report' }))
  const download = page.waitForEvent('download')
  await press(button(page, 'Download CSV'))
  const file = await readFile(await (await download).path(), 'utf8')
  // Two purchases were sold, the first of them first; what is still there has no day of its sale.
  expect(file.match(/^LTC,2026-0[36]-\d\d,2026-08-28,/gm)).toHaveLength(2)
  expect(file.match(/^(BTC|ETH),2026-\d\d-\d\d,,/gm)).toHaveLength(5)
})
