import { expect, test } from '@playwright/test'
import type { Rewards } from '#contract/rewards-api.ts'
import {
  readFromBank,
  readAvailable,
  readNewest,
  openWithLiveEvents,
  postToBank,
  visitAsAnother,
  findToast,
  visit,
} from './bank.ts'

test('points buy cashback, and a payment earns points live', async ({ page, browser }) => {
  await visit(page)
  const availableBefore = await readAvailable(page)
  await openWithLiveEvents(page, '/rewards')
  const card = page.getByRole('region', { name: 'Your Points' })
  await page.getByRole('button', { name: 'Redeem $10 Cashback' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Redeem 1,000 pts' }).click()
  await expect(findToast(page, '$10.00 cashback added to your account')).toBeVisible()
  await expect(card).toContainText('1,450')
  expect(await readAvailable(page)).toBe(availableBefore + 10_00)
  expect((await readNewest(page, 1))[0]).toMatchObject({ name: { code: 'rewards.cashback' }, amountMinor: 10_00 })

  const friend = await visitAsAnother(browser)
  await postToBank(page, '/transfers', { recipient: friend.customer.email, amountMinor: 20_00, asset: 'USD' })
  await expect(card).toContainText('1,455')
  expect((await readFromBank<Rewards>(page, '/rewards')).points).toBe(1_455)
})
