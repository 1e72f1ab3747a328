import { expect, type Page, test } from '@playwright/test'
import type { Dashboard } from '#contract/accounts.ts'
import type { Goal, GoalList } from '#contract/savings.ts'
import { ask, available, newest, press, toast, visit } from './bank.ts'

const goals = async (page: Page): Promise<Goal[]> => (await ask<GoalList>(page, '/goals')).goals
const card = (page: Page, name: string) => page.getByRole('main').getByRole('region', { name })
const sheet = (page: Page) => page.getByRole('dialog')
const manage = (page: Page, name: string) => press(page.getByRole('button', { name: `Manage ${name}` }))

test('shows the three goals and adds to the first, as the spec says', async ({ page }) => {
  await visit(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: 'Add to Vacation Fund' }).click()
  await expect(page).toHaveURL('/savings')
  for (const [name, figures, percent] of [
    ['Vacation Fund', '$2,450.00 of $5,000.00', '49'],
    ['Emergency Fund', '$8,500.00 of $10,000.00', '85'],
    ['New Car', '$3,200.00 of $15,000.00', '21'],
  ] as const) {
    await expect(card(page, name)).toContainText(figures)
    await expect(card(page, name)).toContainText(`${percent}%`)
    await expect(card(page, name).getByRole('progressbar')).toHaveAttribute('aria-valuenow', percent)
  }
  await expect(card(page, 'Total Savings')).toContainText('$14,150.00')
  await expect(card(page, 'Total Savings')).toContainText('You earn 4% interest a year (4.07% APY)')

  const form = page.getByRole('form', { name: 'Add to Vacation Fund' })
  const amount = form.getByLabel('Add to Vacation Fund')
  for (const text of ['', '0', '-5', 'abc']) {
    await amount.fill(text)
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(amount).toHaveAttribute('aria-invalid', 'true')
    await expect(toast(page, 'Please enter a valid amount')).toBeVisible()
  }
  await amount.fill('12458.51')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(toast(page, "You don't have enough money for this")).toBeVisible()
  expect(await available(page)).toBe(1_245_850)
  await amount.fill('50')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(toast(page, '$50.00 added to Vacation Fund!')).toBeVisible()
  await expect(page).toHaveURL('/dashboard', { timeout: 4_000 })
  await expect(page.getByRole('region', { name: 'Savings goal' })).toContainText('$2,500.00 of $5,000.00')
  // What is saved is no spending.
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('+$2,340.00 this month')
  expect(await available(page)).toBe(1_240_850)
  expect((await newest(page, 1))[0]).toMatchObject({ amountMinor: -50_00, category: 'savings', status: 'completed' })
})

test('a goal is made, added to, kept up every month, withdrawn from, locked and closed', async ({ page }) => {
  await visit(page)
  await page.goto('/savings')
  await press(page.getByRole('button', { name: 'New Goal' }))
  await press(sheet(page).getByRole('button', { name: 'Create Goal' }))
  await expect(toast(page, 'Please fill in all fields')).toBeVisible()
  await expect(sheet(page).getByLabel('Name')).toHaveAccessibleDescription('Give your goal a name')
  await sheet(page).getByRole('radio', { name: 'Home' }).check()
  await sheet(page).getByLabel('Name').fill('New Kitchen')
  await sheet(page).getByLabel('Target', { exact: true }).fill('1200')
  await sheet(page).getByLabel('Target Date (optional)').fill('2020-01-01')
  await press(sheet(page).getByRole('button', { name: 'Create Goal' }))
  await expect(toast(page, 'Please choose a date in the future')).toBeVisible()
  await sheet(page).getByLabel('Target Date (optional)').fill('2027-08-28')
  await press(sheet(page).getByRole('button', { name: 'Create Goal' }))
  await expect(toast(page, 'New Kitchen is ready. Start saving!')).toBeVisible()
  await expect(card(page, 'New Kitchen')).toContainText('$100.00 a month gets you there by Aug 28, 2027')

  await press(page.getByRole('button', { name: 'Add money to New Kitchen' }))
  await sheet(page).getByLabel('Amount').fill('300')
  await press(sheet(page).getByRole('button', { name: 'Add Money' }))
  await expect(toast(page, '$300.00 added to New Kitchen!')).toBeVisible()
  await expect(card(page, 'New Kitchen')).toContainText('$300.00 of $1,200.00')
  await expect(page).toHaveURL('/savings')

  await manage(page, 'New Kitchen')
  await press(sheet(page).getByRole('button', { name: 'Save Every Month' }))
  await expect(sheet(page).getByLabel('Every month')).toHaveValue('75.00')
  await sheet(page).getByLabel('Day of the Month').fill('32')
  await press(sheet(page).getByRole('button', { name: 'Save Every Month' }))
  await expect(sheet(page).getByLabel('Day of the Month')).toHaveAccessibleDescription('Enter a day from 1 to 31')
  await sheet(page).getByLabel('Day of the Month').fill('31')
  await press(sheet(page).getByRole('button', { name: 'Save Every Month' }))
  await expect(card(page, 'New Kitchen')).toContainText('$75.00 every month, next on Aug 31')

  await manage(page, 'New Kitchen')
  await press(sheet(page).getByRole('switch', { name: 'Round-ups' }))
  await press(sheet(page).getByRole('radio', { name: '×2' }))
  await expect(toast(page, 'Your card payments are rounded up into New Kitchen')).toBeVisible()
  await expect(sheet(page)).toContainText('Added')
  await press(sheet(page).getByRole('button', { name: 'Withdraw Money' }))
  await sheet(page).getByLabel('Amount').fill('300.01')
  await press(sheet(page).getByRole('button', { name: 'Withdraw Money' }))
  await expect(toast(page, "You don't have enough money for this")).toBeVisible()
  await sheet(page).getByLabel('Amount').fill('100')
  await press(sheet(page).getByRole('button', { name: 'Withdraw Money' }))
  await expect(toast(page, '$100.00 is back in your account')).toBeVisible()
  await expect(card(page, 'New Kitchen')).toContainText('Rounds up your card payments, ×2')

  await manage(page, 'New Kitchen')
  await press(sheet(page).getByRole('button', { name: 'Close Goal' }))
  await expect(sheet(page)).toContainText('$200.00')
  await press(sheet(page).getByRole('button', { name: 'Close Goal' }))
  await expect(toast(page, 'New Kitchen is closed')).toContainText('$200.00 is back in your account')
  await expect(card(page, 'New Kitchen')).toHaveCount(0)
  expect(await available(page)).toBe(1_245_850)

  await manage(page, 'New Car')
  await press(sheet(page).getByRole('button', { name: /^Lock/ }))
  await sheet(page).getByLabel('Locked Until').fill('2027-12-24')
  await press(sheet(page).getByRole('button', { name: 'Lock Goal' }))
  await expect(toast(page, 'Locked until December 24, 2027')).toBeVisible()
  await expect(card(page, 'New Car')).toContainText('Locked until Dec 24, 2027')
  await manage(page, 'New Car')
  await expect(sheet(page).getByRole('button', { name: 'Withdraw Money' })).toBeDisabled()
  await press(sheet(page).getByRole('button', { name: /^Lock/ }))
  await press(sheet(page).getByRole('button', { name: 'Unlock in 24 Hours' }))
  await expect(card(page, 'New Car')).toContainText('Unlocks on')
  expect((await goals(page)).map(({ name, savedMinor }) => [name, savedMinor])).toEqual([
    ['Vacation Fund', 245_000],
    ['Emergency Fund', 850_000],
    ['New Car', 320_000],
  ])
  expect((await ask<Dashboard>(page, '/dashboard')).account.monthChangeMinor).toBe(234_000)
})
