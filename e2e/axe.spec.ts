import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from './accessibility.ts'
import { arrive } from './bank.ts'

const SCREENS: [string, (page: Page) => Promise<void>][] = [
  [
    'dashboard',
    async (page) => {
      await arrive(page)
      await expect(page.getByRole('link', { name: 'Open mailbox' })).toBeVisible()
    },
  ],
  [
    'transfer',
    async (page) => {
      await page.goto('/transfer')
      await page.getByRole('button', { name: 'Sarah Johnson' }).click()
    },
  ],
  [
    'transfer, refused',
    async (page) => {
      await page.goto('/transfer')
      await page.getByRole('button', { name: 'Send Money' }).click()
      await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Please fill in all fields')
    },
  ],
  [
    'add money',
    async (page) => {
      await page.goto('/add-money')
      await page.getByRole('button', { name: '$50', exact: true }).click()
      await page.getByRole('radio', { name: 'Bank Transfer' }).click()
    },
  ],
  [
    'transactions',
    async (page) => {
      await page.goto('/transactions?category=food')
      await expect(page.getByRole('link', { name: /Copper Kettle/ }).first()).toBeVisible()
    },
  ],
  [
    'filters',
    async (page) => {
      await page.goto('/transactions')
      await page.getByRole('button', { name: 'Filters' }).click()
      await expect(page.getByRole('button', { name: 'Show transactions' })).toBeVisible()
    },
  ],
  [
    'no transactions found',
    async (page) => {
      await page.goto('/transactions?q=no+such+thing')
      await expect(page.getByText('No transactions found')).toBeVisible()
    },
  ],
  [
    'transaction detail',
    async (page) => {
      await page.goto('/transactions')
      await page
        .getByRole('link', { name: /Copper Kettle/ })
        .first()
        .click()
      await expect(page.getByText('so far', { exact: false })).toBeVisible()
    },
  ],
  [
    'claim',
    async (page) => {
      await page.goto('/claim?token=none')
      await expect(page.getByText('This payment link is not valid')).toBeVisible()
    },
  ],
  ['mailbox', (page) => page.goto('/sample/mail').then(() => undefined)],
  ['not built yet', (page) => page.goto('/cards').then(() => undefined)],
  ['not found', (page) => page.goto('/nowhere').then(() => undefined)],
]

test('every screen is without violations, light and dark', async ({ page }) => {
  test.setTimeout(90_000)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await arrive(page)
  for (const [name, open] of SCREENS) {
    await test.step(name, async () => {
      await open(page)
      await expect(page.locator('h1').first()).toBeVisible()
      await expectAccessible(page, name)
    })
  }
})
