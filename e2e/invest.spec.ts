import { expect, type Page } from '@playwright/test'
import type { InvestmentHistory, InvestmentHolding, Investments } from '#contract/investing.ts'
import { readFromBank, readAvailable, readNewest, postToBank, pressByKey, findToast, visit } from './bank.ts'
import { withOwnBank } from './own-bank.ts'

const sheet = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => sheet(page).getByRole('button', { name })

/** Returns the holding of the balanced fund. */
async function readHolding(page: Page): Promise<InvestmentHolding> {
  const { holdings } = await readFromBank<Investments>(page, '/investing')
  const holding = holdings.find(({ fund }) => fund === 'FUND_BALANCED')
  if (!holding) throw new Error('The customer has no units of the fund')
  return holding
}

/** Answers the three questions with the middle choice, and accepts the risks. */
async function answer(page: Page): Promise<void> {
  const questions = sheet(page).getByRole('group')
  await expect(questions).toHaveCount(3)
  for (const question of await questions.all()) await question.getByRole('radio').nth(1).check()
  await pressByKey(button(page, 'Continue'))
  await pressByKey(button(page, 'I Understand the Risks'))
}

const aged = withOwnBank()

aged('invests at the next price, sells a part, and the ledger agrees', async ({ page }) => {
  await visit(page)
  await page.goto('/invest')
  const stateBefore = { available: await readAvailable(page), units: (await readHolding(page)).unitsMinor }
  await pressByKey(page.getByRole('button', { name: 'Invest Now in Balanced Portfolio' }))
  await answer(page)
  await sheet(page).getByLabel('Amount').fill('250')
  await pressByKey(button(page, 'Continue'))
  await pressByKey(button(page, 'Invest Now'))
  await expect(findToast(page, 'Your order is placed')).toBeVisible()
  // The amount of an order is set aside, and the fund is bought when there is a price.
  expect(await readAvailable(page)).toBe(stateBefore.available - 250_00)
  expect((await readHolding(page)).unitsMinor).toBe(stateBefore.units)

  await postToBank(page, '/sample/clock', { days: 7 })
  await page.reload()
  const holdingAfterPurchase = await readHolding(page)
  expect(holdingAfterPurchase.unitsMinor).toBeGreaterThan(stateBefore.units)
  const units = (holdingAfterPurchase.unitsMinor / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 6 })
  await pressByKey(page.getByRole('button', { name: /^Balanced Portfolio/ }))
  await expect(sheet(page).getByText(units)).toBeVisible()
  await pressByKey(button(page, 'Sell'))
  await sheet(page).getByRole('radio', { name: 'Part' }).click()
  await sheet(page).getByLabel('Units').fill('1')
  await pressByKey(button(page, 'Continue'))
  await expect(sheet(page).getByText("You'll Get About")).toBeVisible()
  await pressByKey(button(page, 'Sell'))
  await expect(findToast(page, 'Your order is placed')).toBeVisible()
  const availableBeforeSale = await readAvailable(page)
  const [lastTransaction] = await readNewest(page, 1)
  await postToBank(page, '/sample/clock', { days: 7 })
  await expect.poll(async () => (await readHolding(page)).unitsMinor).toBe(holdingAfterPurchase.unitsMinor - 1_000_000)
  // Moving the date forward also makes other payments due, and the bank books them one after the other.
  const readNewerTransactions = async () => {
    const newestTransactions = await readNewest(page, 20)
    return newestTransactions.slice(
      0,
      newestTransactions.findIndex(({ transactionId }) => transactionId === lastTransaction?.transactionId),
    )
  }
  await expect
    .poll(async () => {
      const explained = (await readNewerTransactions()).reduce(
        (sum, { amountMinor }) => sum + amountMinor,
        availableBeforeSale,
      )
      return (await readAvailable(page)) - explained
    })
    .toBe(0)
  const sale = (await readNewerTransactions()).find(({ category }) => category === 'investing')
  const [order] = (await readFromBank<InvestmentHistory>(page, '/investing/history')).orders
  expect(order).toMatchObject({ side: 'sell', status: 'filled', unitsMinor: 1_000_000 })
  expect(sale).toMatchObject({ status: 'completed', amountMinor: order?.amountMinor })
})
