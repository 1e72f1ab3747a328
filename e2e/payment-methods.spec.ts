import { expect, type Page, test } from '@playwright/test'
import type { Mandate } from '#contract/direct-debits.ts'
import type { LinkedAccounts } from '#contract/linked-accounts.ts'
import { ask, available, newest, press, toast, visit } from './bank.ts'

const BALANCE_MINOR = 1_245_850
const BANK = 'Harbor Bank'

const section = (page: Page, title: string) =>
  page.locator('main section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
const dialog = (page: Page) => page.getByRole('dialog')
const mandates = async (page: Page) => (await ask<{ mandates: Mandate[] }>(page, '/mandates')).mandates

/** What the other bank shows, as amounts are typed: '0.07'. */
async function deposits(page: Page): Promise<string[]> {
  await page.goto('/sample')
  const rows = section(page, 'What Your Other Bank Shows').getByText(/^\+\$0\.\d\d$/)
  await expect(rows).toHaveCount(2)
  return (await rows.allTextContents()).map((text) => text.slice(2))
}

async function link(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Link New Account' }).click()
  const submit = dialog(page).getByRole('button', { name: 'Link Account' })
  await submit.click()
  await expect(toast(page, 'Please fill in all fields')).toBeVisible()
  await dialog(page).getByLabel('Bank Name').fill(BANK)
  await dialog(page).getByLabel('Routing Number').fill('011000016')
  await dialog(page).getByLabel('Account Number').fill('1234 567 890')
  await submit.click()
  await expect(toast(page, 'Please enter a valid routing number')).toBeVisible()
  await dialog(page).getByLabel('Routing Number').fill('011000015')
  await submit.click()
  await expect(toast(page, `${BANK} linked`)).toContainText("We've sent two small deposits to it")
  await expect(dialog(page)).toBeHidden()
}

async function verify(page: Page, [first = '', second = '']: string[]): Promise<void> {
  await page.getByRole('button', { name: `Manage ${BANK}` }).click()
  await dialog(page).getByLabel('First Deposit').fill(first)
  await dialog(page).getByLabel('Second Deposit').fill(second)
  await dialog(page).getByRole('button', { name: 'Verify' }).click()
}

test('shows two cards and what is linked, and moves money in from another bank and out to it', async ({ page }) => {
  await visit(page)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Payment Methods' }).click()
  const cards = section(page, 'Cards')
  await expect(cards.getByRole('listitem').first()).toContainText(
    /Main Card.*Debit card •••• \d{4}.*Expires 12\/28.*Primary Payment Method/,
  )
  await expect(cards.getByRole('listitem').nth(1)).toContainText(/Credit card •••• \d{4}.*Expires 12\/28/)
  await expect(cards.getByText('Primary Payment Method')).toHaveCount(1)
  await cards.getByRole('link', { name: 'Add Card' }).click()
  await expect(page).toHaveURL('/cards')
  await page.goBack()
  const linked = section(page, 'Linked Accounts')
  await expect(linked.getByRole('listitem')).toHaveText([/Pocket Wallet.*@example\.com/, /Paylane.*Connected/])
  await expect(linked.getByRole('button', { name: /^Manage / })).toHaveCount(2)

  await link(page)
  await expect(linked.getByRole('listitem').nth(2)).toContainText(/•••• 7890.*Not verified yet/)
  const amounts = await deposits(page)
  await page.goto('/payment-methods')
  await verify(page, ['0.99', '1.00'])
  await expect(toast(page, "These amounts don't match. Please check them and try again")).toBeVisible()
  await expect(dialog(page)).toContainText('You have 2 tries left.')
  await page.keyboard.press('Escape')
  await verify(page, amounts.toReversed())
  await expect(toast(page, `${BANK} is verified`)).toBeVisible()
  expect(await available(page)).toBe(BALANCE_MINOR)

  await dialog(page).getByRole('button', { name: 'Move Money Out' }).click()
  await dialog(page).getByLabel('Amount').fill('99999')
  await dialog(page).getByRole('button', { name: 'Move Money' }).click()
  await expect(toast(page, "You don't have enough money for this")).toBeVisible()
  expect(await available(page)).toBe(BALANCE_MINOR)
  await dialog(page).getByLabel('Amount').fill('1000')
  await dialog(page).getByRole('button', { name: 'Move Money' }).click()
  await expect(toast(page, `$1,000.00 is on its way to ${BANK}`)).toContainText('It arrives by Monday, August 31.')
  await expect(dialog(page)).toBeHidden()
  expect(await available(page)).toBe(BALANCE_MINOR - 100_000)
  expect((await newest(page, 1))[0]).toMatchObject({ amountMinor: -100_000, status: 'pending', category: 'payout' })

  await page.goto('/add-money')
  await page.getByRole('button', { name: '$50', exact: true }).click()
  await page.getByRole('radio', { name: 'Bank Transfer' }).click()
  await expect(page.getByRole('radio', { name: new RegExp(BANK) })).toBeChecked()
  await page.getByRole('main').getByRole('button', { name: 'Add Money' }).click()
  await expect(toast(page, '$50.00 added successfully!')).toContainText('will arrive by')
  expect((await newest(page, 1))[0]).toMatchObject({ name: { params: { name: BANK } }, amountMinor: 5000 })

  await page.goto('/sample')
  await page.getByRole('button', { name: 'Send a Withdrawal Back' }).click()
  await expect(toast(page, `${BANK} sent back $1,000.00`)).toBeVisible()
  expect(await available(page)).toBe(BALANCE_MINOR)

  await page.goto('/payment-methods')
  await page.getByRole('button', { name: `Manage ${BANK}` }).click()
  await dialog(page).getByRole('button', { name: 'Remove Account' }).click()
  await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(toast(page, `${BANK} removed`)).toBeVisible()
  await expect(linked.getByRole('listitem')).toHaveCount(2)
  expect((await ask<LinkedAccounts>(page, '/linked-accounts')).accounts).toHaveLength(3)
})

test('direct debits are claimed back, approved, collected and cancelled', async ({ page }) => {
  await visit(page)
  await page.goto('/payment-methods')
  const debits = section(page, 'Direct Debits')
  await expect(debits.getByRole('listitem')).toHaveText([
    /Brightwater Energy.*\$145\.00 on Sep 8/,
    /Fernline Broadband.*\$65\.00 on Sep 14/,
  ])
  await debits.getByRole('button', { name: /Brightwater Energy/ }).click()
  await expect(dialog(page).getByRole('button', { name: /^Claim back/ })).toHaveCount(2)
  await dialog(page).getByRole('button', { name: 'Claim back $145.00, Aug 5' }).click()
  await dialog(page).getByRole('button', { name: 'Claim Back', exact: true }).click()
  await expect(toast(page, '$145.00 is back in your account')).toBeVisible()
  await expect(dialog(page).getByText('Aug 5 · Claimed back')).toBeVisible()
  expect(await available(page)).toBe(BALANCE_MINOR + 14_500)

  await page.goto('/sample')
  await page.getByRole('button', { name: 'Ask for a Direct Debit' }).click()
  await press(toast(page, 'asked for a direct debit').getByRole('button', { name: 'Show' }))
  await expect(page).toHaveURL('/payment-methods')
  await debits.getByRole('button', { name: /^Approve / }).click()
  await expect(toast(page, 'can now collect by direct debit')).toBeVisible()
  await expect(debits.getByRole('listitem')).toHaveCount(3)
  expect((await mandates(page)).map(({ status }) => status)).toEqual(['active', 'active', 'active'])

  await page.goto('/sample')
  const before = await available(page)
  await page.getByRole('button', { name: 'Collect a Bill' }).click()
  await expect(toast(page, / collected \$/)).toBeVisible()
  const [collected] = await newest(page, 1)
  expect(collected).toMatchObject({ category: 'bills', paymentMethod: { code: 'direct_debit' } })
  expect(await available(page)).toBe(before + (collected?.amountMinor ?? 0))

  await page.goto('/payment-methods')
  await debits.getByRole('button', { name: /Fernline Broadband/ }).click()
  await dialog(page).getByRole('button', { name: 'Cancel Direct Debit' }).click()
  await dialog(page).getByRole('button', { name: 'Cancel Direct Debit' }).click()
  await expect(toast(page, 'Fernline Broadband can no longer collect')).toBeVisible()
  await expect(dialog(page).getByText('Status')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(debits.getByRole('listitem').filter({ hasText: 'Fernline Broadband' })).toContainText('Cancelled')
})
