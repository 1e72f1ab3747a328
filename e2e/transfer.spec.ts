import { randomUUID } from 'node:crypto'
import { expect, type Page, test } from '@playwright/test'
import { lineNamed } from '#contract/line-texts.ts'
import type { TransactionDetail } from '#contract/accounts.ts'
import {
  readFromBank,
  readAvailable,
  confirmReview,
  readNewest,
  openWithAnnouncements,
  visitAsAnother,
  findToast,
  visit,
} from './bank.ts'

async function send(page: Page, amount: string, recipient: string, note = ''): Promise<void> {
  await page.goto('/transfer')
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Recipient').fill(recipient)
  if (note) await page.getByLabel('Note (optional)').fill(note)
  await page.getByRole('button', { name: 'Send Money' }).click()
  await confirmReview(page)
}

test('money arrives live at another customer, with the sender and the amount', async ({ page, browser }) => {
  const sender = await visit(page)
  const { page: otherPage, customer } = await visitAsAnother(browser)
  await openWithAnnouncements(otherPage, '/transactions')
  await expect(otherPage.locator('main li a').first()).toBeVisible()
  const typedEmail = customer.email.toUpperCase()
  await send(page, '42', `  ${typedEmail} `, 'Lunch')
  await expect(findToast(otherPage, `${sender.fullName} sent you $42.00`)).toBeVisible()
  await expect(otherPage.getByRole('link', { name: new RegExp(`${sender.fullName}.*\\+\\$42\\.00`) })).toBeVisible()
  expect(await readAvailable(otherPage)).toBe(1_250_050)
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,416.50')
  expect(await readAvailable(page)).toBe(1_241_650)
  expect((await readNewest(page, 1))[0]).toMatchObject({
    name: lineNamed(typedEmail),
    amountMinor: -42_00,
    category: 'transfer',
    status: 'completed',
    note: 'Lunch',
    balanceAfterMinor: 1_241_650,
  })
  await otherPage.context().close()
})

test('money to a person who is not a customer waits, and can be claimed once with its link', async ({
  page,
  browser,
}) => {
  await visit(page)
  const email = `friend.${randomUUID()}@elsewhere.example`
  await send(page, '25', email)
  await findToast(page, `$25.00 sent successfully to ${email}`).getByRole('button', { name: 'View' }).click()
  await expect(page.getByText('Waiting to be accepted')).toBeVisible()
  const [payment] = await readNewest(page, 1)
  const { claim } = await readFromBank<TransactionDetail>(page, `/transactions/${payment?.id}`)
  const { pathname, search } = new URL(claim?.url ?? '')
  await expect(page.getByText(pathname + search)).toBeVisible()

  const { page: otherPage } = await visitAsAnother(browser)
  await otherPage.goto(pathname + search)
  await otherPage.getByRole('button', { name: 'Accept $25.00' }).click()
  await expect(findToast(otherPage, 'is in your account')).toBeVisible()
  expect(await readAvailable(otherPage)).toBe(1_248_350)
  expect(await readAvailable(page)).toBe(1_243_350)
  await expect(page.getByText('Waiting to be accepted')).toHaveCount(0)
  await expect(otherPage).toHaveURL('/dashboard')
  await otherPage.goto(pathname + search)
  await expect(otherPage.getByText('This money has been accepted')).toBeVisible()
  await otherPage.context().close()
})

test('waiting money is taken back from its toast, after the customer leaves the screen that sent it', async ({
  page,
}) => {
  await visit(page)
  const email = `friend.${randomUUID()}@elsewhere.example`
  await send(page, '25', email)
  await expect(findToast(page, `$25.00 sent successfully to ${email}`)).toBeVisible()
  // A toast disappears after eight seconds, so the page must change before that.
  await expect(page).toHaveURL('/dashboard', { timeout: 6_000 })
  expect(await readAvailable(page)).toBe(1_243_350)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(findToast(page, '$25.00 is back in your account')).toBeVisible()
  expect(await readAvailable(page)).toBe(1_245_850)
  expect((await readNewest(page, 1))[0]).toMatchObject({ amountMinor: -25_00, status: 'returned' })
})
