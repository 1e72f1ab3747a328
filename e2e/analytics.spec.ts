import { expect, type Page, test } from '@playwright/test'
import type { Analytics, CashFlowForecast } from '#contract/analytics.ts'
import { ask, available, openListening, post, press, visit } from './bank.ts'

const analytics = (page: Page, month = '') => ask<Analytics>(page, `/analytics${month && `?month=${month}`}`)

test('all payments to a payee are called by another category, and what is spent is shown live', async ({ page }) => {
  await visit(page)
  await openListening(page, '/analytics')
  // The forecast begins with the balance of the dashboard.
  const { expectedBalanceMinor, outgoingMinor } = await ask<CashFlowForecast>(page, '/analytics/forecast')
  expect(expectedBalanceMinor + outgoingMinor).toBe(await available(page))

  const sheet = page.getByRole('dialog')
  await press(page.getByRole('main').getByRole('button', { name: /^Transport/ }))
  await sheet.getByRole('button', { name: 'Change category of Swift Cabs' }).first().click()
  await sheet.getByRole('radio', { name: 'Shopping' }).check()
  await sheet.getByRole('button', { name: 'All from Swift Cabs' }).click()
  await expect(sheet.getByText('Swift Cabs')).toHaveCount(0)
  expect((await analytics(page)).spentMinor).toBe(1_500_00)
  const july = await analytics(page, '2026-07')
  expect(july.spentMinor).toBe(1_639_34)
  expect(july.categories.find((one) => one.category === 'transport')?.spentMinor).toBeLessThan(255_90)
  await page.keyboard.press('Escape')

  await post(page, '/sample/charges', { category: 'food', amountMinor: 10_00 })
  await expect(page.getByRole('region', { name: 'Your spending' })).toContainText('$1,510.00')
})
