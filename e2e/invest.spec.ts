import { expect, type Page } from '@playwright/test'
import type { InvestmentHistory, InvestmentHolding, Investments } from '#contract/investing.ts'
import { ask, available, newest, post, press, toast, visit } from './bank.ts'
import { withOwnBank } from './own-bank.ts'

const sheet = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => sheet(page).getByRole('button', { name })

/** What is held of the balanced fund. */
async function holding(page: Page): Promise<InvestmentHolding> {
  const { holdings } = await ask<Investments>(page, '/investing')
  const found = holdings.find(({ fund }) => fund === 'FUND_BALANCED')
  if (!found) throw new Error('Nothing is held')
  return found
}

/** Answers the three questions with what is in the middle, and accepts the risks. */
async function answer(page: Page): Promise<void> {
  const questions = sheet(page).getByRole('group')
  await expect(questions).toHaveCount(3)
  for (const question of await questions.all()) await question.getByRole('radio').nth(1).check()
  await press(button(page, 'Continue'))
  await press(button(page, 'I Understand the Risks'))
}

const aged = withOwnBank()

aged('invests at the next price, sells a part, and the ledger agrees', async ({ page }) => {
  await visit(page)
  await page.goto('/invest')
  const before = { available: await available(page), units: (await holding(page)).unitsMinor }
  await press(page.getByRole('button', { name: 'Invest Now in Balanced Portfolio' }))
  await answer(page)
  await sheet(page).getByLabel('Amount').fill('250')
  await press(button(page, 'Continue'))
  await press(button(page, 'Invest Now'))
  await expect(toast(page, 'Your order is placed')).toBeVisible()
  // What is ordered is set aside, and nothing is bought until there is a price.
  expect(await available(page)).toBe(before.available - 250_00)
  expect((await holding(page)).unitsMinor).toBe(before.units)

  await post(page, '/sample/clock', { days: 7 })
  await page.reload()
  const bought = await holding(page)
  expect(bought.unitsMinor).toBeGreaterThan(before.units)
  const units = (bought.unitsMinor / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 6 })
  await press(page.getByRole('button', { name: /^Balanced Portfolio/ }))
  await expect(sheet(page).getByText(units)).toBeVisible()
  await press(button(page, 'Sell'))
  await sheet(page).getByRole('radio', { name: 'A part' }).click()
  await sheet(page).getByLabel('Units').fill('1')
  await press(button(page, 'Continue'))
  await expect(sheet(page).getByText('You get about')).toBeVisible()
  await press(button(page, 'Sell'))
  await expect(toast(page, 'Your order is placed')).toBeVisible()
  const unsold = await available(page)
  const [last] = await newest(page, 1)
  await post(page, '/sample/clock', { days: 7 })
  await expect.poll(async () => (await holding(page)).unitsMinor).toBe(bought.unitsMinor - 1_000_000)
  // Other things come due as well when the date is put forward, and are booked one after the other.
  const since = async () => {
    const all = await newest(page, 20)
    return all.slice(
      0,
      all.findIndex(({ transactionId }) => transactionId === last?.transactionId),
    )
  }
  await expect
    .poll(async () => {
      const explained = (await since()).reduce((sum, { amountMinor }) => sum + amountMinor, unsold)
      return (await available(page)) - explained
    })
    .toBe(0)
  const sale = (await since()).find(({ category }) => category === 'investing')
  const [order] = (await ask<InvestmentHistory>(page, '/investing/history')).orders
  expect(order).toMatchObject({ side: 'sell', status: 'filled', unitsMinor: 1_000_000 })
  expect(sale).toMatchObject({ status: 'completed', amountMinor: order?.amountMinor })
})
