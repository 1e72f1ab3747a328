import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { readNewest, visit } from './bank.ts'

test('shares the receipt of a payment as a PDF', async ({ page }) => {
  await visit(page)
  const [latest] = await readNewest(page, 1)
  await page.goto(`/transaction-detail?id=${latest?.id}`)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Receipt' }).click()
  const receipt = await coming
  expect(receipt.suggestedFilename()).toBe(`alder-receipt-${latest?.transactionId}.pdf`)
  expect(await readFile(await receipt.path(), 'latin1')).toMatch(/^%PDF-/)
})
