import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import type { LoanOverview } from '#contract/loans.ts'
import { ask, available, expectDelay, newest, press, toast, visit } from './bank.ts'

test('a loan is applied for, offered, paid out and settled, and leaves a statement', async ({ page }) => {
  await visit(page)
  const before = await available(page)
  await page.goto('/loans')
  const sheet = page.getByRole('dialog')
  await expectDelay(page, '/loan-applications', '/dashboard', 2_000, async () => {
    await press(page.getByRole('button', { name: 'Apply for Loan' }))
    await expect(toast(page, "Loan application submitted! We'll review and respond within 24 hours.")).toBeVisible()
  })
  await expect.poll(async () => (await ask<LoanOverview>(page, '/loans')).application?.status).toBe('offered')

  await page.getByRole('main').getByRole('link', { name: 'Loans' }).click()
  await press(page.getByRole('button', { name: 'Accept Offer' }))
  await press(sheet.getByRole('button', { name: 'Accept Offer' }))
  await expect(toast(page, '$5,000.00 is in your account')).toBeVisible()
  expect(await available(page)).toBe(before + 5_000_00)
  expect((await newest(page, 1))[0]).toMatchObject({ amountMinor: 5_000_00, category: 'loan' })

  const download = page.waitForEvent('download')
  await press(page.getByRole('button', { name: 'Download Statement' }))
  expect(readFileSync(await (await download).path(), 'latin1')).toMatch(/^%PDF-/)

  await press(page.getByRole('button', { name: 'Settle Early' }))
  await press(sheet.getByRole('button', { name: 'Settle Loan' }))
  await expect(toast(page, 'Your loan is repaid')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Loan of \$5,000/ })).toContainText('Repaid in full')
  expect(await available(page)).toBe(before)
})
