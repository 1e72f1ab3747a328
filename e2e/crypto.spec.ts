import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import type { CryptoOverview, Holding, Quote } from '#contract/crypto.ts'
import { readFromBank, readAvailable, readNewest, pressByKey, findToast, visit } from './bank.ts'

const sheet = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => sheet(page).getByRole('button', { name, exact: true })
const chooseTradeTime = (page: Page, name: string) => sheet(page).getByRole('radio', { name, exact: true }).click()

async function readHolding(page: Page, asset: Holding['asset']): Promise<Holding> {
  const holding = (await readFromBank<CryptoOverview>(page, '/crypto')).holdings.find(
    (candidate) => candidate.asset === asset,
  )
  if (!holding) throw new Error(`There is no ${asset}`)
  return holding
}

/** Returns the change that the last trade made to the current account. The coins and the fee are separate transactions. */
async function readTradeChange(page: Page): Promise<number> {
  const transactions = await readNewest(page, 2)
  for (const transaction of transactions) expect(transaction).toMatchObject({ category: 'crypto', status: 'completed' })
  return transactions.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
}

test('coins are bought and sold at a quote, and the ledger and the tax report agree', async ({ page }) => {
  await visit(page)
  await page.clock.install()
  await page.goto('/crypto')
  const [holdingBefore, availableBefore] = [await readHolding(page, 'ETH'), await readAvailable(page)]
  await pressByKey(page.getByRole('button', { name: 'Buy Crypto' }))
  await chooseTradeTime(page, 'Ethereum')
  await sheet(page).getByLabel('Amount').fill('100')
  const answer = page.waitForResponse('**/crypto/quotes')
  await pressByKey(button(page, 'Get Quote'))
  const quote = (await (await answer).json()) as Quote
  await expect(button(page, 'Confirm Purchase')).toBeVisible()
  await page.clock.fastForward(1_000)
  await pressByKey(button(page, 'Confirm Purchase'))
  await expect(findToast(page, /^You bought 0\.\d+\sETH for \$100\.00$/)).toBeVisible()
  await expect(sheet(page)).toHaveCount(0)
  expect((await readHolding(page, 'ETH')).amountMinor).toBe(holdingBefore.amountMinor + quote.amountMinor)
  expect(await readAvailable(page)).toBe(availableBefore - 100_00)
  expect(await readTradeChange(page)).toBe(-100_00)

  await pressByKey(page.getByRole('main').getByRole('button', { name: 'Sell', exact: true }))
  await chooseTradeTime(page, 'Litecoin')
  await pressByKey(button(page, 'All'))
  await pressByKey(button(page, 'Get Quote'))
  await expect(button(page, 'Confirm Sale')).toBeVisible()
  await page.clock.fastForward(1_000)
  await pressByKey(button(page, 'Confirm Sale'))
  await expect(findToast(page, /^You sold [\d.]+\sLTC for \$/)).toBeVisible()
  expect(await readHolding(page, 'LTC')).toMatchObject({ amountMinor: 0 })
  expect(await readTradeChange(page)).toBe((await readAvailable(page)) - (availableBefore - 100_00))

  await pressByKey(page.getByRole('button', { name: 'Tax Report' }))
  const download = page.waitForEvent('download')
  await pressByKey(button(page, 'Download CSV'))
  const file = await readFile(await (await download).path(), 'utf8')
  // The sale used up two purchases, the oldest first. Coins that are still held have no sale date.
  expect(file.match(/^LTC,2026-0[36]-\d\d,2026-08-28,/gm)).toHaveLength(2)
  expect(file.match(/^(BTC|ETH),2026-\d\d-\d\d,,/gm)).toHaveLength(5)
})
