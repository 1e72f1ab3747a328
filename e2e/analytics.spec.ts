import { expect, type Page, test } from '@playwright/test'
import type { Analytics, CashFlowForecast } from '#contract/analytics.ts'
import { readFromBank, readAvailable, openWithLiveEvents, postToBank, pressByKey, visit } from './bank.ts'

const analytics = (page: Page, month = '') => readFromBank<Analytics>(page, `/analytics${month && `?month=${month}`}`)

test('all payments to a payee get another category, and spending is updated live', async ({ page }) => {
  await visit(page)
  await openWithLiveEvents(page, '/analytics')
  // The forecast starts with the balance on the dashboard.
  const { expectedBalanceMinor, outgoingMinor } = await readFromBank<CashFlowForecast>(page, '/analytics/forecast')
  expect(expectedBalanceMinor + outgoingMinor).toBe(await readAvailable(page))

  const sheet = page.getByRole('dialog')
  await pressByKey(page.getByRole('main').getByRole('button', { name: /^Transport/ }))
  await sheet.getByRole('button', { name: 'Change Category of Swift Cabs' }).first().click()
  await sheet.getByRole('radio', { name: 'Shopping' }).check()
  await sheet.getByRole('button', { name: 'All from Swift Cabs' }).click()
  await expect(sheet.getByText('Swift Cabs')).toHaveCount(0)
  expect((await analytics(page)).spentMinor).toBe(1_500_00)
  const july = await analytics(page, '2026-07')
  expect(july.spentMinor).toBe(1_639_34)
  expect(july.categories.find((row) => row.category === 'transport')?.spentMinor).toBeLessThan(255_90)
  await page.keyboard.press('Escape')

  await postToBank(page, '/sample/charges', { category: 'food', amountMinor: 10_00 })
  await expect(page.getByRole('region', { name: 'Your spending' })).toContainText('$1,510.00')
})
