import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import type { LoanOverview } from '#contract/loans.ts'
import { readFromBank, readAvailable, expectDelay, readNewest, pressByKey, findToast, visit } from './bank.ts'

test('a loan is applied for, offered, paid out and settled, and leaves a statement', async ({ page }) => {
  await visit(page)
  const availableBefore = await readAvailable(page)
  await page.goto('/loans')
  const sheet = page.getByRole('dialog')
  await expectDelay(page, '/loan-applications', '/dashboard', 2_000, async () => {
    await pressByKey(page.getByRole('button', { name: 'Apply for Loan' }))
    await expect(findToast(page, "Loan application submitted! We'll review and respond within 24 hours.")).toBeVisible()
  })
  await expect.poll(async () => (await readFromBank<LoanOverview>(page, '/loans')).application?.status).toBe('offered')

  await page.getByRole('main').getByRole('link', { name: 'Loans' }).click()
  await pressByKey(page.getByRole('button', { name: 'Accept Offer' }))
  await pressByKey(sheet.getByRole('button', { name: 'Accept Offer' }))
  await expect(findToast(page, '$5,000.00 is in your account')).toBeVisible()
  expect(await readAvailable(page)).toBe(availableBefore + 5_000_00)
  expect((await readNewest(page, 1))[0]).toMatchObject({ amountMinor: 5_000_00, category: 'loan' })

  const download = page.waitForEvent('download')
  await pressByKey(page.getByRole('button', { name: 'Download Statement' }))
  expect(readFileSync(await (await download).path(), 'latin1')).toMatch(/^%PDF-/)

  await pressByKey(page.getByRole('button', { name: 'Pay Off Early' }))
  await pressByKey(sheet.getByRole('button', { name: 'Pay Off Loan' }))
  await expect(findToast(page, 'Your loan is repaid')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Loan of \$5,000/ })).toContainText('Repaid in full')
  expect(await readAvailable(page)).toBe(availableBefore)
})
