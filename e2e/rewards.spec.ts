import { expect, type Page, test } from '@playwright/test'
import type { Rewards } from '#contract/rewards-api.ts'
import { ask, available, newest, post, someoneElse, toast, visit } from './bank.ts'

const rewards = (page: Page) => ask<Rewards>(page, '/rewards')
const points = async (page: Page) => (await rewards(page)).points
const row = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const premium = (page: Page) => page.getByRole('region', { name: 'Premium', exact: true })
const card = (page: Page) => page.getByRole('region', { name: 'Your Points' })

test('shows the points of the story, what they buy and what earns them', async ({ page }) => {
  await visit(page)
  await page.goto('/rewards')
  await expect(page.getByRole('heading', { name: 'Rewards', level: 1 })).toBeVisible()
  await expect(card(page)).toContainText('2,450')
  await expect(card(page)).toContainText('2,450 of 5,000 to the next tier')
  await expect(page.getByRole('progressbar', { name: 'Progress to the next tier' })).toHaveAttribute(
    'aria-valuenow',
    '49',
  )
  for (const [title, cost] of [
    ['$10 Cashback', '1,000 pts'],
    ['Premium Subscription', '1 month, ·2,500 pts, ·50 to go'],
    ['$50 Voucher', '5,000 pts, ·2,550 to go'],
    ['Airport Lounge Access', '3,500 pts, ·1,050 to go'],
  ] as const) {
    await expect(row(page, title)).toContainText(cost)
  }
  // The only one there are points for.
  await expect(page.getByRole('button', { name: /^Redeem/ })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Redeem $10 Cashback' })).toBeVisible()
  for (const [title, earned] of [
    ['Make a Payment', '+5'],
    ['Refer a Friend', '+500'],
    ['Set Up a Direct Debit', '+100'],
    ['Use Your Card Abroad', '+20'],
  ] as const) {
    await expect(row(page, title)).toContainText(earned)
  }
  await expect(row(page, 'Use Your Card Abroad')).toContainText('per transaction')
  await expect(page.getByText('Premium gives 2x points.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upgrade Now' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Points History' }).or(page.getByText('Points History'))).toBeVisible()
  expect(await points(page)).toBe(2_450)
})

test('redeems cashback, earns as payments happen, and doubles with Premium', async ({ page, browser }) => {
  await visit(page)
  const before = await available(page)
  await page.goto('/rewards')
  await page.getByRole('button', { name: 'Redeem $10 Cashback' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep My Points' }).click()
  expect(await points(page)).toBe(2_450)
  await page.getByRole('button', { name: 'Redeem $10 Cashback' }).click()
  await expect(page.getByRole('dialog')).toContainText('$10.00 goes to your account right away.')
  await page.getByRole('dialog').getByRole('button', { name: 'Redeem 1,000 pts' }).click()
  await expect(toast(page, '$10.00 cashback added to your account')).toBeVisible()
  await expect(card(page)).toContainText('1,450')
  await expect(card(page)).toContainText('2,450 of 5,000 to the next tier')
  await expect(row(page, '−1,000')).toContainText('$10 Cashback')
  expect(await points(page)).toBe(1_450)
  expect(await available(page)).toBe(before + 10_00)
  expect((await newest(page, 1))[0]).toMatchObject({ name: { code: 'rewards.cashback' }, amountMinor: 10_00 })

  const friend = await someoneElse(browser)
  const pay = (recipient: string) => post(page, '/transfers', { recipient, amountMinor: 20_00, asset: 'USD' })
  await pay(friend.customer.email)
  // Live, with nothing pressed.
  await expect(card(page)).toContainText('1,455', { timeout: 3_000 })

  await page.getByRole('button', { name: 'Upgrade Now' }).click()
  await expect(page.getByRole('dialog')).toContainText("We'll take $9.99 from your account today")
  await page.getByRole('dialog').getByRole('button', { name: 'Pay $9.99 and Upgrade' }).click()
  await expect(toast(page, 'Welcome to Premium!')).toBeVisible()
  await expect(premium(page)).toContainText('You have Premium')
  await expect(premium(page)).toContainText('for $9.99')
  await expect(row(page, 'Refer a Friend')).toContainText('+1,000')
  expect((await newest(page, 1))[0]).toMatchObject({ name: { code: 'rewards.premium' }, amountMinor: -9_99 })
  await pay((await someoneElse(browser)).customer.email)
  await expect(card(page)).toContainText('1,465', { timeout: 3_000 })

  await page.getByRole('button', { name: 'Cancel Premium' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel Premium' }).click()
  await expect(toast(page, 'Premium cancelled')).toBeVisible()
  await expect(premium(page)).toContainText("It's yours until")
  expect((await rewards(page)).premium.status).toBe('ends')
  await page.getByRole('button', { name: 'Keep Premium' }).click()
  await expect(toast(page, 'Premium will renew')).toBeVisible()
  expect((await rewards(page)).premium.status).toBe('renews')
})

test('a friend who signs up by the link and is verified brings 500 points', async ({ page, browser }) => {
  await visit(page)
  await page.goto('/rewards')
  const { code } = (await rewards(page)).referral
  await expect(page.getByText(code)).toBeVisible()
  const friend = await (await browser.newContext()).newPage()
  await friend.goto(`/signup?ref=${code}`)
  await friend.getByLabel('Full Name').fill('Frida Friend')
  await friend.getByLabel('Email').fill(`frida.${code.toLowerCase()}@example.com`)
  await friend.getByRole('button', { name: 'Continue' }).click()
  await friend.getByLabel('Phone').fill('+1 202 555 0173')
  await friend.getByLabel('Password', { exact: true }).fill('a quiet harbour at dusk')
  await friend.getByLabel('Confirm Password').fill('a quiet harbour at dusk')
  await friend.getByRole('button', { name: 'Continue' }).click()
  await friend.getByRole('button', { name: 'Create Account' }).click()
  await expect(friend).toHaveURL('/kyc', { timeout: 10_000 })
  await expect.poll(async () => (await rewards(page)).referral.friends).toBe(1)
  expect(await points(page)).toBe(2_450)
  for (const [step, type] of [
    ['id', 'passport'],
    ['selfie', 'selfie'],
    ['address', 'utility_bill'],
  ] as const) {
    await post(friend, `/kyc/specimens/${step}`, { type })
  }
  await post(friend, '/kyc/submission', {})
  await expect(card(page)).toContainText('2,950', { timeout: 5_000 })
  await expect(row(page, 'Friend referred').first()).toContainText('+500')
  await expect(page.getByText('1 friend has joined')).toBeVisible()
})
