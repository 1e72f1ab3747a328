import { expect, type Page, test } from '@playwright/test'
import type { InvestmentHistory, InvestmentHolding, InvestmentPreview, Investments } from '#contract/investing.ts'
import { ask, available, newest, post, press, toast, visit } from './bank.ts'
import { withOwnBank } from './own-bank.ts'

const investments = (page: Page) => ask<Investments>(page, '/investing')
async function holding(page: Page, fund: InvestmentHolding['fund']): Promise<InvestmentHolding> {
  const found = (await investments(page)).holdings.find((one) => one.fund === fund)
  if (!found) throw new Error(`Nothing of ${fund} is held`)
  return found
}
const part = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name, exact: true })
/** A part of the screen by its heading. */
const section = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name, exact: true, level: 2 }) })
const sheet = (page: Page) => page.getByRole('dialog')
const dollars = (minor: number) => (minor / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
const units = (minor: number) => (minor / 1_000_000).toLocaleString('en-US', { minimumFractionDigits: 6 })

/** Answers the three questions, each with the answer at this place, and accepts the risks. */
async function answer(page: Page, place: number): Promise<void> {
  const questions = sheet(page).getByRole('group')
  await expect(questions).toHaveCount(3)
  for (const question of await questions.all()) await question.getByRole('radio').nth(place).check()
  await press(sheet(page).getByRole('button', { name: 'Continue' }))
  await expect(sheet(page).getByText('You can lose money.')).toBeVisible()
  await press(sheet(page).getByRole('button', { name: 'I Understand the Risks' }))
}

test('shows the value with its change and the three options, as the spec says', async ({ page }) => {
  await visit(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Invest', exact: true }).first().click()
  await expect(page).toHaveURL('/invest')
  const { valueMinor, monthChange, holdings } = await investments(page)
  const value = part(page, 'Portfolio Value')
  await expect(value).toContainText(dollars(valueMinor))
  const sign = (monthChange?.amountMinor ?? 0) > 0 ? '+' : ''
  await expect(value).toContainText(`${sign}${dollars(monthChange?.amountMinor ?? 0)}`)
  await expect(value).toContainText('in the past month')
  for (const [name, risk, rate] of [
    ['Conservative Growth', 'Low risk', '5-7% annually'],
    ['Balanced Portfolio', 'Medium risk', '8-12% annually'],
    ['Aggressive Growth', 'High risk', '15-20% annually'],
  ] as const) {
    await expect(part(page, name)).toContainText(risk)
    await expect(part(page, name)).toContainText(rate)
    await expect(part(page, name).getByRole('button', { name: 'Invest Now' })).toBeEnabled()
  }
  await expect(page.getByText('Investments can lose value')).toBeVisible()
  for (const { valueMinor: worth, unitsMinor } of holdings) {
    const row = page.getByRole('button', { name: `${units(unitsMinor)} units` })
    await expect(row).toContainText(dollars(worth))
  }

  // The chart: by keyboard, and as a table.
  const slider = value.getByRole('slider', { name: 'What your investments were worth over time' })
  await expect(slider).toHaveAttribute('aria-valuetext', new RegExp(`Value \\${dollars(valueMinor)}, Invested`))
  await slider.press('Home')
  await expect(slider).toHaveValue('0')
  await slider.press('ArrowRight')
  await expect(slider).toHaveValue('1')
  await press(value.getByRole('button', { name: 'Show as table' }))
  await expect(value.getByRole('table').getByRole('row').nth(1)).toContainText(dollars(valueMinor))
  await value.getByRole('radio', { name: '1M' }).click()
  await expect(value.getByRole('radio', { name: '1M' })).toBeChecked()
})

const aged = withOwnBank()

aged('invests at the next price, sells a part, and the ledger agrees', async ({ page }) => {
  await visit(page)
  await page.goto('/invest')
  const before = { available: await available(page), units: (await holding(page, 'FUND_BALANCED')).unitsMinor }
  await press(page.getByRole('button', { name: 'Invest Now in Balanced Portfolio' }))
  await press(sheet(page).getByRole('button', { name: 'Continue' }))
  await expect(toast(page, 'Please fill in all fields')).toBeVisible()
  await answer(page, 1)

  const amount = sheet(page).getByLabel('Amount')
  for (const [text, message] of [
    ['', 'Please enter a valid amount'],
    ['0', 'Please enter a valid amount'],
    ['9.99', 'The least you can invest is $10'],
    ['999999', "You don't have enough money for this"],
  ] as const) {
    await amount.fill(text)
    await press(sheet(page).getByRole('button', { name: 'Continue' }))
    await expect(toast(page, message)).toBeVisible()
    await expect(amount).toHaveAttribute('aria-invalid', 'true')
  }
  await amount.fill('250')
  await press(sheet(page).getByRole('button', { name: 'Continue' }))
  const preview = await ask<InvestmentPreview>(page, '/investing/preview?side=buy&fund=FUND_BALANCED&amountMinor=25000')
  await expect(sheet(page)).toContainText(dollars(preview.feeMinor))
  await expect(sheet(page)).toContainText(units(preview.unitsMinor))
  await expect(sheet(page)).toContainText('Investments can lose value')
  await press(sheet(page).getByRole('button', { name: 'Invest Now' }))
  await expect(toast(page, 'Your order is placed')).toBeVisible()
  await expect(section(page, 'Pending Orders')).toContainText('Buy Balanced Portfolio')
  // What is ordered is set aside, and nothing is bought until there is a price.
  expect(await available(page)).toBe(before.available - 250_00)
  expect((await holding(page, 'FUND_BALANCED')).unitsMinor).toBe(before.units)

  await post(page, '/sample/clock', { days: 7 })
  await page.reload()
  await expect(section(page, 'Pending Orders')).toHaveCount(0)
  const bought = await holding(page, 'FUND_BALANCED')
  expect(bought.unitsMinor).toBeGreaterThan(before.units)
  await press(page.getByRole('button', { name: `${units(bought.unitsMinor)} units` }))
  await expect(sheet(page)).toContainText(dollars(bought.valueMinor))
  await expect(sheet(page)).toContainText(dollars(bought.costMinor))

  await press(sheet(page).getByRole('button', { name: 'Sell' }))
  await sheet(page).getByRole('radio', { name: 'A part' }).click()
  await sheet(page).getByLabel('Units').fill('999999')
  await press(sheet(page).getByRole('button', { name: 'Continue' }))
  await expect(toast(page, "You don't have that much to sell")).toBeVisible()
  await sheet(page).getByLabel('Units').fill('1')
  await press(sheet(page).getByRole('button', { name: 'Continue' }))
  await expect(sheet(page).getByText('You get about')).toBeVisible()
  await press(sheet(page).getByRole('button', { name: 'Sell' }))
  await expect(toast(page, 'Your order is placed')).toBeVisible()
  await expect(section(page, 'Pending Orders')).toContainText('Sell Balanced Portfolio')
  const unsold = await available(page)
  const [last] = await newest(page, 1)
  await post(page, '/sample/clock', { days: 7 })
  await page.reload()
  await expect.poll(async () => (await holding(page, 'FUND_BALANCED')).unitsMinor).toBe(bought.unitsMinor - 1_000_000)
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

test('an order is taken back, and a plan is made, paused, resumed and ended', async ({ page }) => {
  await visit(page)
  await page.goto('/invest')
  await press(page.getByRole('button', { name: 'Invest Now in Aggressive Growth' }))
  await answer(page, 0)
  await expect(sheet(page)).toContainText('Your answers point to low risk. This fund has more.')
  await sheet(page).getByLabel('Amount').fill('100')
  await press(sheet(page).getByRole('button', { name: 'Continue' }))
  await expect(toast(page, 'This has more risk than your answers suggest')).toBeVisible()
  await sheet(page).getByRole('checkbox', { name: 'I want to invest in it all the same' }).check()
  await press(sheet(page).getByRole('button', { name: 'Continue' }))
  await expect(sheet(page).getByText('You get about')).toBeVisible()
  await press(sheet(page).getByRole('button', { name: 'Invest Now' }))
  await expect(toast(page, 'Your order is placed')).toBeVisible()
  const held = await available(page)
  await press(section(page, 'Pending Orders').getByRole('button', { name: 'Buy Aggressive Growth' }))
  await press(sheet(page).getByRole('button', { name: 'Cancel Order' }))
  await expect(toast(page, 'Your order is cancelled')).toBeVisible()
  await expect(section(page, 'Pending Orders')).toHaveCount(0)
  expect(await available(page)).toBe(held + 100_00)

  // The questions and the risks come once.
  await press(page.getByRole('button', { name: 'Invest Regularly' }))
  await sheet(page).getByRole('radio', { name: 'Conservative Growth' }).check()
  await sheet(page).getByLabel('Amount').fill('50')
  await sheet(page).getByLabel('First Date').fill('2020-01-01')
  await press(sheet(page).getByRole('button', { name: 'Invest Regularly' }))
  await expect(toast(page, 'Please choose a date between today and two years from now')).toBeVisible()
  await sheet(page)
    .getByLabel('First Date')
    .fill((await investments(page)).today)
  await press(sheet(page).getByRole('button', { name: 'Invest Regularly' }))
  await expect(toast(page, '$50.00 goes into Conservative Growth every month')).toBeVisible()
  const plan = section(page, 'Recurring Investments').getByRole('button', { name: 'Every month' })
  await press(plan)
  await press(sheet(page).getByRole('button', { name: 'Pause' }))
  await expect(toast(page, 'Your recurring investment is paused')).toBeVisible()
  await press(sheet(page).getByRole('button', { name: 'Resume' }))
  await expect(toast(page, 'Your recurring investment goes on')).toBeVisible()
  await press(sheet(page).getByRole('button', { name: 'End', exact: true }))
  await press(sheet(page).getByRole('button', { name: 'End Recurring Investment' }))
  await expect(toast(page, 'Your recurring investment has ended')).toBeVisible()
  await expect(plan).toHaveCount(0)
})
