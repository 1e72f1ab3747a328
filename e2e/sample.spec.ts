import { expect } from '@playwright/test'
import type { Me } from '#contract/identity.ts'
import type { SamplePanel } from '#contract/sample.ts'
import { nameInWords } from '#server/test/line-texts.ts'
import { expectAccessible } from './accessibility.ts'
import {
  visitDashboard,
  readFromBank,
  readAvailable,
  confirmReview,
  goTo,
  readNewest,
  openWithAnnouncements,
  findToast,
  visit,
} from './bank.ts'
import { withOwnBank } from './own-bank.ts'

const test = withOwnBank()

// All tests share the bank's date, so they run one after the other.
test.describe.configure({ mode: 'serial' })
test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('money from a bank arrives when the date is moved forward', async ({ page }) => {
  await visit(page)
  await page.goto('/add-money')
  await page.getByRole('button', { name: '$500', exact: true }).click()
  await page.getByRole('radio', { name: 'Bank Transfer' }).click()
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$500.00 on its way to you')
  expect((await readNewest(page, 1))[0]).toMatchObject({ status: 'pending', amountMinor: 50_000 })

  await page.getByRole('link', { name: 'Sample Controls' }).click()
  const date = page.getByRole('region', { name: 'Bank date' })
  await expect(date).toContainText('August 28, 2026')
  await date.getByRole('button', { name: '3 days' }).click()
  await expect(findToast(page, "It's now August 31, 2026")).toBeVisible()
  await expect(date).toContainText('August 31, 2026')
  await expect(date).toContainText('Monday')

  await page.getByRole('link', { name: 'Back' }).click()
  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText('$12,958.50')
  await expect(balance).not.toContainText('on its way to you')
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: 'Bank deposit' })).toContainText('Today')
  expect(await readAvailable(page)).toBe(1_295_850)
  expect((await readNewest(page, 1))[0]).toMatchObject({ status: 'completed', amountMinor: 50_000 })
})

test('the simulated shop and employer make their payments', async ({ page }) => {
  await visit(page)
  await page.goto('/sample')
  await page.getByRole('button', { name: 'Transport' }).click()
  await expect(findToast(page, 'paid at')).toBeVisible()
  const [charge] = await readNewest(page, 1)
  expect(charge).toMatchObject({ category: 'transport', status: 'completed' })
  await goTo(page, '/transactions')
  await expect(page.getByRole('main').locator('li a').first()).toContainText(charge ? nameInWords(charge.name) : '')

  await page.goto('/sample')
  await page.getByRole('button', { name: 'Pay by Card Abroad' }).click()
  await expect(findToast(page, 'paid at')).toBeVisible()
  expect((await readNewest(page, 1))[0]).toMatchObject({ category: 'food', status: 'completed' })
  const availableBefore = await readAvailable(page)
  await page.getByRole('button', { name: 'Receive Your Salary' }).click()
  await expect(findToast(page, 'Payday!')).toBeVisible()
  expect(await readAvailable(page)).toBe(availableBefore + 350_000)
})

test('a declined payment shows the reason at once, and a button if there is a remedy', async ({ page }) => {
  await visit(page)
  await openWithAnnouncements(page, '/sample')
  await page.getByRole('button', { name: 'Get Declined' }).click()
  const tooMuch = findToast(page, 'Card payment declined')
  await expect(tooMuch).toContainText('This is over the $5,000 maximum for one card payment.')
  await expect(tooMuch.getByRole('button', { name: 'Change Limit' })).toHaveCount(0)

  await page.goto('/cards')
  await page.getByRole('button', { name: 'Freeze' }).first().click()
  await expect(page.getByRole('button', { name: 'Unfreeze' })).toBeVisible()
  await openWithAnnouncements(page, '/sample')
  await page.getByRole('button', { name: 'Pay by Card Abroad' }).click()
  const frozen = findToast(page, 'Your card is frozen. Unfreeze it to pay.')
  await expect(frozen.getByRole('button', { name: 'Unfreeze' })).toBeVisible()
  await page.goto('/notifications')
  await expect(page.getByRole('main').getByRole('link').filter({ hasText: 'Card payment declined' })).toHaveCount(2)
  expect(await readAvailable(page)).toBe(1_245_850)
})

test('shows an address that another browser can pay to', async ({ page, browser, context, own }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page)
  await openWithAnnouncements(page, '/sample')
  const { customer } = await readFromBank<SamplePanel>(page, '/sample')
  await page.getByRole('button', { name: 'Copy Email' }).click()
  await expect(findToast(page, 'Email copied')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(customer.email)

  const otherPage = await (await browser.newContext({ baseURL: own.bank.url })).newPage()
  await visitDashboard(otherPage)
  await otherPage.goto('/transfer')
  await otherPage.getByLabel('Amount').fill('25')
  await otherPage.getByRole('textbox', { name: 'Recipient' }).fill(customer.email)
  await otherPage.getByRole('button', { name: 'Send Money' }).click()
  await confirmReview(otherPage)
  await expect(findToast(page, 'sent you $25.00')).toBeVisible()
  expect(await readAvailable(page)).toBe(1_248_350)
  await otherPage.context().close()
})

test('starting over opens a new customer after a confirmation', async ({ page }) => {
  const customerBefore = await visit(page)
  await page.goto('/sample')
  await page.getByRole('button', { name: 'Start Over' }).click()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Keep This Customer' }).click()
  await expect(dialog).toHaveCount(0)
  expect((await readFromBank<Me>(page, '/me')).customer).toEqual(customerBefore)
  await page.getByRole('button', { name: 'Start Over' }).click()
  await dialog.getByRole('button', { name: 'Start Over' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,458.50')
  const { customer } = await readFromBank<Me>(page, '/me')
  expect(customer.email).not.toBe(customerBefore.email)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(customer.fullName.split(' ')[0] ?? '')
})

test('has no violations, light and dark', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visit(page)
  await page.goto('/sample')
  await expect(page.getByRole('button', { name: 'Copy Email' })).toBeEnabled()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Start Over' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
})
