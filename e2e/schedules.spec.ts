import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import type { Contact } from '#contract/payments.ts'
import type { Schedule } from '#contract/schedules.ts'
import { lineNamed } from '#contract/wording.ts'
import { ask, available, goTo, newest, post, someoneElse, toast, visit } from './bank.ts'

const schedules = async (page: Page) => (await ask<{ schedules: Schedule[] }>(page, '/schedules')).schedules

test('a monthly payment is scheduled, seen coming, changed, skipped and cancelled', async ({ page }) => {
  await visit(page)
  await page.goto('/transfer')
  await expect(page.getByRole('radio', { name: 'Now' })).toBeChecked()
  await page.getByLabel('Amount').fill('25')
  await page.getByRole('button', { name: 'Sarah Johnson' }).click()
  await page.getByRole('radio', { name: 'Monthly' }).click()
  // Tomorrow, unless another date is chosen.
  await expect(page.getByLabel('First Payment')).toHaveValue('2026-08-29')
  await page.getByLabel('First Payment').fill('2026-08-27')
  await page.getByRole('radio', { name: 'After' }).click()
  await page.getByRole('button', { name: 'Schedule Payment' }).click()
  await expect(toast(page, 'Please choose a date between today and two years from now')).toBeVisible()
  await expect(page.getByLabel('Number of Payments')).toHaveAccessibleDescription('Enter a number')
  await page.getByLabel('First Payment').fill('2026-08-31')
  await page.getByLabel('Number of Payments').fill('2')
  await expect(page.getByText('$25.00 to Sarah Johnson every month from August 31, 2026')).toBeVisible()
  // The toast is in front of the button.
  await page.getByLabel('Number of Payments').press('Enter')
  const done = toast(page, '$25.00 to sarah.johnson@example.com is scheduled')
  await expect(done).toContainText('The first payment goes out on August 31, 2026.')
  await expect(page).toHaveURL('/dashboard', { timeout: 4_000 })
  await expect(page.getByText('$12,433.50 left to spend after $25.00 due this month')).toBeVisible()
  expect(await available(page)).toBe(1_245_850)

  await page.getByRole('link', { name: /Sarah Johnson.*\$25\.00.*Aug 31/ }).click()
  const sheet = page.getByRole('dialog')
  await expect(sheet).toContainText('After 2 more payments')
  await sheet.getByRole('button', { name: 'Edit' }).click()
  await sheet.getByLabel('Amount').fill('30')
  await sheet.getByLabel('Note (optional)').fill('Rent')
  await sheet.getByRole('button', { name: 'Save Changes' }).click()
  await expect(toast(page, 'The scheduled payment is changed')).toBeVisible()
  await expect(sheet).toContainText('$30.00')
  await expect(sheet).toContainText('Rent')
  await sheet.getByRole('button', { name: 'Skip Next' }).click()
  await expect(sheet).toContainText('Nothing is sent on August 31, 2026. The payments after it stay as they are.')
  await sheet.getByRole('button', { name: 'Skip Payment' }).click()
  await expect(toast(page, 'The payment on August 31, 2026 is skipped')).toBeVisible()
  const row = page.getByRole('button', { name: /Sarah Johnson.*\$30\.00.*Every month.*Next: Sep 30/ })
  // The toast is in front of it.
  await row.press('Enter')
  await expect(sheet).toContainText('After 1 more payment')
  expect(await schedules(page)).toMatchObject([{ amountMinor: 30_00, note: 'Rent', nextOn: '2026-09-30' }])
  await sheet.getByRole('button', { name: 'Cancel' }).click()
  await sheet.getByRole('button', { name: 'Cancel Payment' }).click()
  await expect(toast(page, 'The scheduled payment is cancelled')).toBeVisible()
  await expect(row).toHaveCount(0)
  expect(await schedules(page)).toEqual([])
  expect(await available(page)).toBe(1_245_850)
})

test('what is due today is paid right away, and arrives live', async ({ page, browser }) => {
  const sender = await visit(page)
  const { page: other, customer } = await someoneElse(browser)
  await other.goto('/transactions')
  await expect(other.locator('main li a').first()).toBeVisible()
  await page.goto('/transfer')
  await page.getByLabel('Amount').fill('42')
  await page.getByLabel('Recipient').fill(customer.email)
  await page.getByRole('radio', { name: 'Weekly' }).click()
  await page.getByLabel('First Payment').fill('2026-08-28')
  await page.getByRole('button', { name: 'Schedule Payment' }).click()
  await expect(toast(other, `${sender.fullName} sent you $42.00`)).toBeVisible()
  await expect(page).toHaveURL('/dashboard', { timeout: 4_000 })
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,416.50')
  // The next ones are on Fridays.
  await expect(page.getByRole('link', { name: /\$42\.00.*Sep 4/ })).toBeVisible()
  expect((await newest(page, 1))[0]).toMatchObject({
    name: lineNamed(customer.email),
    amountMinor: -42_00,
    status: 'completed',
    balanceAfterMinor: 1_241_650,
  })
  expect(await available(other)).toBe(1_250_050)
  await other.context().close()
})

test('a larger sum to somebody new is asked about once more, and again after a change', async ({ page }) => {
  await visit(page)
  await page.goto('/transfer')
  const email = `somebody.${randomUUID()}@elsewhere.example`
  // Whoever only shared a bill was never paid: the address may be mistyped there, too.
  const people = [{ name: email, address: email }]
  await post(page, '/bills', { totalMinor: 10_00, asset: 'USD', division: 'equal', people })
  const send = page.getByRole('button', { name: 'Send Money' })
  const question = page.getByRole('dialog', { name: 'Is this the right address?' })
  await page.getByLabel('Amount').fill('1500')
  await page.getByLabel('Recipient').fill(email)
  await send.click()
  await expect(question).toContainText('$1,500.00')
  await expect(question).toContainText(email)
  await question.getByRole('button', { name: 'Go Back' }).click()
  await page.getByLabel('Amount').fill('1600')
  await send.click()
  expect(await available(page)).toBe(1_245_850)
  await question.getByRole('button', { name: 'Send $1,600.00' }).click()
  await expect(toast(page, `$1,600.00 sent successfully to ${email}`)).toBeVisible()
  expect(await available(page)).toBe(1_085_850)
  // Now they are a contact.
  await goTo(page, '/transfer')
  await page.getByLabel('Amount').fill('1600')
  await page.getByRole('button', { name: email }).click()
  await send.click()
  await expect(toast(page, `$1,600.00 sent successfully to ${email}`)).toBeVisible()
  expect(await available(page)).toBe(925_850)
})

test('contacts are found, made favorites, chosen and removed', async ({ page }) => {
  await visit(page)
  await page.goto('/transfer')
  const contacts = async () => (await ask<{ contacts: Contact[] }>(page, '/contacts')).contacts.map(({ name }) => name)
  const before = await contacts()
  expect(before[0]).not.toBe('Emma Wilson')
  await page.getByRole('button', { name: 'See All' }).click()
  const sheet = page.getByRole('dialog', { name: 'All contacts' })
  await expect(sheet.getByRole('listitem')).toHaveCount(before.length)
  await sheet.getByLabel('Search').fill('emma')
  await expect(sheet.getByRole('listitem')).toHaveCount(1)
  await sheet.getByRole('button', { name: 'Add Emma Wilson to Favorites' }).click()
  await expect(sheet.getByRole('button', { name: 'Remove Emma Wilson from Favorites' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await sheet.getByLabel('Search').fill('no such person')
  await expect(sheet).toContainText('No contacts found')
  await sheet.getByLabel('Search').fill('')
  await sheet.getByRole('button', { name: 'Remove David Brown' }).click()
  await sheet.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(sheet.getByRole('listitem')).toHaveCount(before.length - 1)
  expect(await contacts()).toEqual([
    'Emma Wilson',
    ...before.filter((name) => !['Emma Wilson', 'David Brown'].includes(name)),
  ])
  await sheet.getByRole('button', { name: /^Mike Chen/ }).click()
  await expect(sheet).toHaveCount(0)
  await expect(page.getByLabel('Recipient')).toHaveValue('mike.chen@example.com')
  await expect(page.getByRole('button', { name: /Emma Wilson/ })).toContainText('Favorite')
})
