import { expect, test } from '@playwright/test'
import { lineNamed } from '#contract/line-texts.ts'
import {
  readAvailable,
  confirmReview,
  readNewest,
  openWithAnnouncements,
  visitAsAnother,
  findToast,
  visit,
} from './bank.ts'

test('a payment that is due today is made at once, and arrives live', async ({ page, browser }) => {
  const sender = await visit(page)
  const { page: otherPage, customer } = await visitAsAnother(browser)
  await openWithAnnouncements(otherPage, '/transactions')
  await expect(otherPage.locator('main li a').first()).toBeVisible()
  await page.goto('/transfer')
  await page.getByLabel('Amount').fill('42')
  await page.getByLabel('Recipient').fill(customer.email)
  await page.getByRole('radio', { name: 'Weekly' }).click()
  await page.getByLabel('First Payment').fill('2026-08-28')
  await page.getByRole('button', { name: 'Schedule Payment' }).click()
  await confirmReview(page)
  await expect(findToast(otherPage, `${sender.fullName} sent you $42.00`)).toBeVisible()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,416.50')
  // The next payments are on Fridays.
  await expect(page.getByRole('link', { name: /\$42\.00.*Sep 4/ })).toBeVisible()
  expect((await readNewest(page, 1))[0]).toMatchObject({
    name: lineNamed(customer.email),
    amountMinor: -42_00,
    status: 'completed',
    balanceAfterMinor: 1_241_650,
  })
  expect(await readAvailable(otherPage)).toBe(1_250_050)
  await otherPage.context().close()
})
