import { expect, type Page, test } from '@playwright/test'
import type { Mandate } from '#contract/direct-debits.ts'
import { readFromBank, readAvailable, readNewest, pressByKey, findToast, visit } from './bank.ts'

const BALANCE_MINOR = 1_245_850
const BANK = 'Harbor Bank'

const section = (page: Page, title: string) =>
  page.locator('main section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const dialog = (page: Page) => page.getByRole('dialog')
const mandates = async (page: Page) => (await readFromBank<{ mandates: Mandate[] }>(page, '/mandates')).mandates

/** Returns the deposits that the other bank shows, in the form in which they are typed: '0.07'. */
async function deposits(page: Page): Promise<string[]> {
  await page.goto('/sample')
  const rows = section(page, 'What Your Other Bank Shows').getByText(/^\+\$0\.\d\d$/)
  await expect(rows).toHaveCount(2)
  return (await rows.allTextContents()).map((text) => text.slice(2))
}

async function link(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Link New Account' }).click()
  await dialog(page).getByLabel('Bank Name').fill(BANK)
  await dialog(page).getByLabel('Routing Number').fill('011000015')
  await dialog(page).getByLabel('Account Number').fill('1234 567 890')
  await dialog(page).getByRole('button', { name: 'Link Account' }).click()
  await expect(findToast(page, `${BANK} linked`)).toBeVisible()
  await expect(dialog(page)).toBeHidden()
}

async function verify(page: Page, [first = '', second = '']: string[]): Promise<void> {
  await page.getByRole('button', { name: `Manage ${BANK}` }).click()
  await dialog(page).getByLabel('First Deposit').fill(first)
  await dialog(page).getByLabel('Second Deposit').fill(second)
  await dialog(page).getByRole('button', { name: 'Verify' }).click()
}

test('moves money out to another bank and in from it, and takes a transfer back', async ({ page }) => {
  await visit(page)
  await page.goto('/payment-methods')
  await link(page)
  const amounts = await deposits(page)
  await page.goto('/payment-methods')
  await verify(page, amounts.toReversed())
  await expect(findToast(page, `${BANK} is verified`)).toBeVisible()
  expect(await readAvailable(page)).toBe(BALANCE_MINOR)
  await dialog(page).getByRole('button', { name: 'Move Money Out' }).click()
  await dialog(page).getByLabel('Amount').fill('1000')
  await dialog(page).getByRole('button', { name: 'Move Money' }).click()
  await expect(findToast(page, `$1,000.00 is on its way to ${BANK}`)).toContainText('It arrives by Monday, August 31.')
  await expect(dialog(page)).toBeHidden()
  expect(await readAvailable(page)).toBe(BALANCE_MINOR - 100_000)
  expect((await readNewest(page, 1))[0]).toMatchObject({ amountMinor: -100_000, status: 'pending', category: 'payout' })

  await page.goto('/add-money')
  await page.getByRole('button', { name: '$50', exact: true }).click()
  await page.getByRole('radio', { name: 'Bank Transfer' }).click()
  await expect(page.getByRole('radio', { name: new RegExp(BANK) })).toBeChecked()
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).click()
  await expect(findToast(page, '$50.00 is on its way')).toContainText('will arrive by')
  expect((await readNewest(page, 1))[0]).toMatchObject({ name: { params: { name: BANK } }, amountMinor: 5000 })

  await page.goto('/sample')
  await page.getByRole('button', { name: 'Send a Withdrawal Back' }).click()
  await expect(findToast(page, `${BANK} sent back $1,000.00`)).toBeVisible()
  expect(await readAvailable(page)).toBe(BALANCE_MINOR)
})

test('direct debits are returned, approved and collected', async ({ page }) => {
  await visit(page)
  await page.goto('/payment-methods')
  const debits = section(page, 'Direct Debits')
  await debits.getByRole('button', { name: /Brightwater Energy/ }).click()
  await dialog(page).getByRole('button', { name: 'Claim Back $145.00, Aug 5' }).click()
  await dialog(page).getByRole('button', { name: 'Claim Back', exact: true }).click()
  await expect(findToast(page, '$145.00 is back in your account')).toBeVisible()
  expect(await readAvailable(page)).toBe(BALANCE_MINOR + 14_500)

  await page.goto('/sample')
  await page.getByRole('button', { name: 'Receive a Direct Debit Request' }).click()
  await pressByKey(findToast(page, 'requested a direct debit').getByRole('button', { name: 'Show' }))
  await expect(page).toHaveURL('/payment-methods')
  await debits.getByRole('button', { name: /^Approve / }).click()
  await expect(findToast(page, 'can now collect by direct debit')).toBeVisible()
  await expect(debits.getByRole('listitem')).toHaveCount(3)
  expect((await mandates(page)).map(({ status }) => status)).toEqual(['active', 'active', 'active'])

  await page.goto('/sample')
  const availableBefore = await readAvailable(page)
  await page.getByRole('button', { name: 'Collect a Bill' }).click()
  await expect(findToast(page, / collected \$/)).toBeVisible()
  const [collected] = await readNewest(page, 1)
  expect(collected).toMatchObject({ category: 'bills', paymentMethod: { code: 'direct_debit' } })
  expect(await readAvailable(page)).toBe(availableBefore + (collected?.amountMinor ?? 0))
})
