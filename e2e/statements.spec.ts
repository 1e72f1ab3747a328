import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import type { StatementSummary } from '#contract/statements.ts'
import {
  readFromBank,
  readAvailable,
  openWithLiveEvents,
  postToBank,
  pressByKey,
  visitAsAnother,
  findToast,
  visit,
} from './bank.ts'

const summary = (page: Page, from: string, to: string) =>
  readFromBank<StatementSummary>(page, `/statements/current?from=${from}&to=${to}`)
const figures = (page: Page) => page.getByRole('region', { name: 'Summary' })
const dollars = (minor: number) =>
  `$${(Math.abs(minor) / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`

async function fileOf(page: Page, button: RegExp): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    pressByKey(page.getByRole('button', { name: button })),
  ])
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
}

const CSV = `Date,Description,Amount
2026-08-03,Kroger Groceries,-45.20
2026-08-04,Shell Fuel,-30.00
2026-07-05,Netflix,-15.99
`
async function choose(page: Page, name: string, text: string | Buffer): Promise<void> {
  // A file that is chosen before the app is ready has no effect. A person cannot choose one then.
  await expect(page.locator('#root')).not.toHaveAttribute('inert')
  const files = page.getByLabel('A statement from another bank')
  await files.setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
}

test('a statement of a month or of any days is a PDF, CSV, OFX or camt.053 file, from the transactions and from the settings', async ({
  page,
  browser,
}) => {
  await visit(page)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Statements' }).click()
  await expect(page).toHaveURL('/statements')
  await openWithLiveEvents(page, '/transactions')
  await page.getByRole('link', { name: 'Statements' }).first().click()
  await expect(page.getByRole('heading', { name: 'Statements', level: 1 })).toBeVisible()

  // The current month up to today is selected.
  await expect(page.getByRole('button', { name: 'August 2026' })).toHaveAttribute('aria-pressed', 'true')
  const august = await summary(page, '2026-08-01', '2026-08-28')
  expect(august.openingMinor + august.inMinor - august.outMinor).toBe(august.closingMinor)
  for (const minor of [august.openingMinor, august.inMinor, august.outMinor, august.closingMinor])
    await expect(figures(page)).toContainText(dollars(minor))
  await expect(figures(page)).toContainText(`${august.count} transactions`)

  const pdf = await fileOf(page, /^Download PDF/)
  expect(pdf.name).toBe('Alder-2026-08-01-2026-08-28.pdf')
  expect(pdf.content.subarray(0, 5).toString()).toBe('%PDF-')
  const csv = await fileOf(page, /^Download CSV/)
  expect(csv.content.toString().trim().split('\r\n')).toHaveLength(august.count + 3)
  expect((await fileOf(page, /^Download OFX/)).content.toString()).toContain('<?OFX OFXHEADER="200"')
  const camt = await fileOf(page, /^Download camt\.053/)
  expect(camt.name).toBe('Alder-2026-08-01-2026-08-28.xml')
  expect(camt.content.toString()).toContain('urn:iso:std:iso:20022:tech:xsd:camt.053.001.08')

  // A new payment is in the figures at once.
  const friend = await visitAsAnother(browser)
  await postToBank(page, '/transfers', { recipient: friend.customer.email, amountMinor: 20_00, asset: 'USD' })
  await expect(figures(page)).toContainText(dollars(august.closingMinor - 20_00))

  await page.getByRole('button', { name: 'July 2026' }).click()
  const july = await summary(page, '2026-07-01', '2026-07-31')
  expect(july.closingMinor).toBe(august.openingMinor)
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-07-01')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2026-07-31')
  await expect(figures(page)).toContainText(dollars(july.closingMinor))
  await page.getByRole('button', { name: 'This Year' }).click()
  await expect(page.getByLabel('From', { exact: true })).toHaveValue('2026-01-01')

  // An invalid range shows an error at its field, and there is no download.
  const [fromField, toField] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
  for (const [firstDay, lastDay, invalidField, errorText] of [
    ['2026-08-20', '2026-08-10', fromField, "The first day can't be after the last day"],
    ['2025-08-01', '2026-08-10', fromField, 'A statement can cover up to 366 days'],
    ['2026-08-20', '2026-08-29', toField, "A statement can't end after today"],
    ['1969-12-31', '2026-08-10', fromField, "A statement can't begin before 1970"],
    ['', '2026-08-10', fromField, 'Please fill in all fields'],
    ['2026-08-10', '', toField, 'Please fill in all fields'],
  ] as const) {
    await fromField.fill(firstDay)
    await toField.fill(lastDay)
    await toField.blur()
    await expect(invalidField).toHaveAttribute('aria-invalid', 'true')
    await expect(invalidField).toHaveAccessibleDescription(errorText)
    await expect(page.locator('[aria-invalid]')).toHaveCount(1)
    await expect(figures(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Download PDF/ })).toBeDisabled()
  }
  // A year that is still being typed shows no error.
  await toField.fill('2026-08-20')
  await fromField.fill('0002-08-10')
  await expect(page.locator('[aria-invalid]')).toHaveCount(0)
  await fromField.fill('2026-08-10')
  await expect(figures(page)).toContainText('Closing Balance')
  await expect(page.getByRole('button', { name: /^Download PDF/ })).toBeEnabled()

  // A card with its own balance has statements too.
  await page.getByRole('button', { name: /••••/ }).first().click()
  await expect(figures(page)).toContainText('Closing Balance')

  await page.context().setOffline(true)
  await page.evaluate(() => window.dispatchEvent(new Event('offline')))
  await expect(figures(page)).toContainText('You need to be online to see statements.')
  await expect(page.getByRole('button', { name: /^Download PDF/ })).toBeDisabled()
  await expect(page.getByText('You need to be online to import a statement.')).toBeVisible()
  await page.context().setOffline(false)
})

test('another bank’s statement is previewed, saved, shown by month and category, and removed', async ({ page }) => {
  await visit(page)
  const availableBefore = await readAvailable(page)
  await page.goto('/statements')
  await expect(page.getByText('Your account here stays the same')).toBeVisible()
  await choose(page, 'august.csv', CSV)
  const sheet = page.getByRole('dialog', { name: 'Check the import' })
  await expect(sheet).toContainText('3 payments')
  await expect(sheet).toContainText('Kroger Groceries')
  await expect(sheet).toContainText('Food & Drink')
  await expect(sheet.getByLabel('Amount', { exact: true })).toHaveValue('2')
  // The chosen column contains no amounts.
  await sheet.getByLabel('Amount', { exact: true }).selectOption('0')
  await expect(sheet.getByRole('alert')).toContainText('Please choose a different column for each field')
  await sheet.getByLabel('Amount', { exact: true }).selectOption('2')
  await sheet.getByRole('button', { name: 'Import 3 Payments' }).click()
  await expect(findToast(page, '3 payments imported')).toBeVisible()
  await expect(sheet).toBeHidden()

  const importedSpending = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Spending from Other Banks' }) })
  await expect(importedSpending).toContainText('August 2026')
  await expect(importedSpending).toContainText('$75.20')
  await expect(importedSpending.getByRole('listitem').filter({ hasText: 'Food & Drink' })).toContainText('$45.20')
  await importedSpending.getByRole('button', { name: 'Previous Month' }).click()
  await expect(importedSpending).toContainText('July 2026')
  await expect(importedSpending.getByRole('listitem')).toContainText('$15.99')
  // Imported transactions do not change the balance.
  expect(await readAvailable(page)).toBe(availableBefore)

  // Analytics shows the imported spending beside the spending here, which stays the same.
  await page.goto('/analytics')
  const otherBanksSection = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Spending from Other Banks' }) })
  await expect(otherBanksSection.getByRole('listitem').filter({ hasText: 'Food & Dining' })).toContainText('$45.20')
  await expect(page.getByRole('button', { name: /^Food & Dining/ })).toContainText('$520.00')
  await page.getByRole('button', { name: 'Previous Month' }).click()
  await expect(otherBanksSection.getByRole('listitem')).toHaveCount(1)
  await expect(otherBanksSection.getByRole('listitem')).toContainText('$15.99')
  await otherBanksSection.getByRole('link', { name: 'Statements' }).click()
  await expect(page).toHaveURL('/statements')

  await choose(page, 'again.csv', CSV)
  await expect(sheet).toContainText('You already have 3 of them.')
  await expect(sheet.getByRole('button', { name: 'Nothing New to Import' })).toBeDisabled()
  await page.keyboard.press('Escape')

  for (const [text, errorText] of [
    ['x'.repeat(1024 * 1024 + 1), 'Please choose a file no larger than 1 MB'],
    ['<html></html>', "We couldn't read this file"],
  ] as const) {
    await choose(page, 'bad.csv', text)
    await expect(findToast(page, new RegExp(errorText))).toBeVisible()
  }

  await page.getByRole('button', { name: 'Remove august.csv' }).click()
  const asking = page.getByRole('dialog', { name: 'Remove this import?' })
  await expect(asking).toContainText('Its payments will be removed from your analytics.')
  await asking.getByRole('button', { name: 'Remove Import' }).click()
  await expect(page.getByRole('button', { name: 'Remove august.csv' })).toHaveCount(0)
  await expect(importedSpending).toHaveCount(0)
})

test('a file with two possible readings leads to a question, and the preview lists omitted lines with reasons', async ({
  page,
}) => {
  await visit(page)
  await page.goto('/statements')
  const file = 'Date,Description,Amount\n2026-08-03,Rent,-25.000\n2026-08-04,Garage,-3.000\n2026-02-30,Nothing,-1.000\n'
  await choose(page, 'odd.csv', file)
  const sheet = page.getByRole('dialog', { name: 'Check the import' })
  await expect(sheet.getByRole('status')).toContainText('This file can be read in more than one way.')
  await sheet.getByText('3 lines will be skipped').click()
  await expect(sheet.getByRole('listitem').filter({ hasText: 'Rent' })).toContainText(
    'The amount can be read in two ways',
  )
  await expect(sheet.getByRole('button', { name: 'Nothing New to Import' })).toBeDisabled()
  await sheet.getByLabel('Number Format').selectOption({ label: '1.234,56' })
  await expect(sheet).toContainText('−$28,000.00')
  await expect(sheet.getByRole('status')).toHaveCount(0)
  await expect(sheet.getByRole('listitem').filter({ hasText: 'Nothing' })).toContainText('No date we can read')
  await sheet.getByRole('button', { name: 'Import 2 Payments' }).click()
  await expect(findToast(page, '2 payments imported')).toBeVisible()

  // The preview shows the decoded letters, and the customer can choose another encoding.
  await choose(page, 'letters.csv', Buffer.from('Date,Name,Amount\n2026-08-01,Caf\u00E9,-1.00\n', 'latin1'))
  await expect(sheet).toContainText('Café')
  await sheet.getByLabel('Encoding').selectOption('windows-1251')
  await expect(sheet).toContainText('Cafй')
})

test('a notice announces the statement of a month, and leads to it', async ({ page }) => {
  await visit(page)
  // server/statements/monthly.test.ts covers the end of the month.
  await page.route(/\/api\/v1\/notifications(?:\?|$)/, async (route) => {
    const answer = await route.fetch()
    const { notices, ...otherContent } = (await answer.json()) as { notices: object[] }
    const ready = { kind: 'statement_ready', params: { month: '2026-06' } }
    await route.fulfill({
      response: answer,
      json: { ...otherContent, notices: notices.map((notice) => ({ ...notice, ...ready })) },
    })
  })
  await page.goto('/notifications')
  await page
    .getByRole('link', { name: /Your statement for June 2026 is ready/ })
    .first()
    .click()
  await expect(page).toHaveURL('/statements?month=2026-06')
  await expect(page.getByRole('button', { name: 'June 2026' })).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2026-06-30')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a file that is chosen while the statements load is not lost', async ({ page }) => {
  await visit(page)
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/v1/statements', async (route) => {
    await gate
    await route.continue()
  })
  await page.route('**/api/v1/imports/preview', async (route) => {
    release()
    await expect(page.getByRole('button', { name: 'This Year' })).toBeVisible()
    await route.continue()
  })
  await page.goto('/statements')
  await choose(page, 'august.csv', CSV)
  await expect(page.getByRole('dialog', { name: 'Check the import' })).toContainText('3 payments')
})
