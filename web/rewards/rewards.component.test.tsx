import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { Rewards } from '#contract/rewards-api.ts'
import { open, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, emitLiveEvent } from '#web/test/bank.ts'

const row = (title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const card = page.getByRole('region', { name: 'Your Points' })
const premium = page.getByRole('region', { name: 'Premium' })
const sheet = page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name })

/** Mocks the bank's rewards with these changes. */
async function mockRewards(changes: Partial<Rewards>): Promise<Rewards> {
  const rewards = { ...(await bank.recorded('/rewards')), ...changes }
  bank.get('/rewards', rewards)
  return rewards
}

test('shows the points of the specification, the rewards and the ways to earn points', async () => {
  await open('/rewards')
  await expect.element(page.getByRole('heading', { name: 'Rewards', level: 1 })).toBeVisible()
  await expect.element(card).toMatchTextContent('2,550 points to the next tier')
  await expect
    .element(page.getByRole('progressbar', { name: 'Progress to the next tier' }))
    .toHaveAttribute('aria-valuenow', '49')
  await expect.element(card).toMatchTextContent('Sapling')
  expect(card.element().querySelector('[data-grown]')?.getAttribute('data-grown')).toBe('49')
  for (const [title, cost] of [
    ['$10 Cashback', '1,000 pts'],
    ['Premium Subscription', '1 month, ·2,500 pts, ·50 to go'],
    ['$50 Voucher', '5,000 pts, ·2,550 to go'],
    ['Airport Lounge Access', '3,500 pts, ·1,050 to go'],
    ['Make a Payment', '+5'],
    ['Refer a Friend', '+500'],
    ['Set Up a Direct Debit', '+100'],
    ['Use Your Card Abroad', '+20'],
    ['Use Your Card Abroad', 'per transaction'],
  ] as const)
    await expect.element(row(title).first()).toMatchTextContent(cost)
  // The points are enough for one reward only.
  expect(page.getByRole('button', { name: /^Redeem/ }).elements()).toHaveLength(1)
  await expect.element(button('Redeem $10 Cashback')).toBeVisible()
  await expect.element(page.getByText(/Premium gives 2x points\./)).toBeVisible()
  await expect.element(button('Upgrade Now')).toBeVisible()
  await expect.element(page.getByText('Points History')).toBeVisible()
  const { referral } = await bank.recorded('/rewards')
  await expect.element(page.getByText(referral.code)).toBeVisible()
})

test('cashback is redeemed after a confirmation, and points earned since are shown', async () => {
  const recording = await bank.recorded('/rewards')
  bank.post('/rewards/redemptions', async ({ json }) => {
    await mockRewards({ points: 1_450 })
    return {
      id: 'redemption',
      reward: json.reward,
      points: 1_000,
      code: null,
      isSample: true,
      redeemedAt: '2026-08-28T09:41:00.000Z',
    }
  })
  await open('/rewards')
  await button('Redeem $10 Cashback').click()
  await sheet.getByRole('button', { name: 'Keep My Points' }).click()
  await expect.element(sheet).not.toBeInTheDocument()
  expect(changeRequests()).toEqual([])
  await button('Redeem $10 Cashback').click()
  await expect.element(sheet).toMatchTextContent('$10.00 goes to your account right away.')
  await sheet.getByRole('button', { name: 'Redeem 1,000 pts' }).click()
  await expect.element(findToast('$10.00 cashback added to your account')).toBeVisible()
  expect(changeRequests()).toMatchObject([{ path: '/rewards/redemptions', json: { reward: 'cashback' } }])
  // Spent points still count toward the next tier.
  await expect.element(card).toMatchTextContent(/1,450.*2,550 points to the next tier/)

  await mockRewards({ points: 1_955, referral: { ...recording.referral, friends: 1 } })
  emitLiveEvent({ type: 'balance' })
  await expect.element(card).toMatchTextContent('1,955')
  await expect.element(page.getByText(/1 friend has joined/)).toBeVisible()
})

test('Premium is bought, doubles points, is canceled and kept', async () => {
  const { premium: none } = await bank.recorded('/rewards')
  const has = (status: 'renews' | 'ends') => ({ ...none, status, until: '2026-09-28T09:41:00.000Z' })
  bank.post('/rewards/premium', () => mockRewards({ premium: has('renews') }))
  bank.post('/rewards/premium/cancel', () => mockRewards({ premium: has('ends') }))
  bank.post('/rewards/premium/resume', () => mockRewards({ premium: has('renews') }))
  await open('/rewards')
  await button('Upgrade Now').click()
  await expect.element(sheet).toMatchTextContent("We'll take $9.99 from your account today")
  await sheet.getByRole('button', { name: 'Pay $9.99 and Upgrade' }).click()
  await expect.element(findToast('Welcome to Premium!')).toBeVisible()
  await expect.element(premium).toMatchTextContent(/You have Premium.*for \$9\.99/)
  await expect.element(row('Refer a Friend')).toMatchTextContent('+1,000')
  await pressByKey(button('Cancel Premium'))
  await sheet.getByRole('button', { name: 'Cancel Premium' }).click()
  await expect.element(findToast('Premium canceled')).toBeVisible()
  await expect.element(premium).toMatchTextContent("It's yours until")
  await pressByKey(button('Keep Premium'))
  await expect.element(findToast('Premium will renew')).toBeVisible()
  await expect.element(button('Cancel Premium')).toBeVisible()
  expect(changeRequests()).toMatchObject([
    { path: '/rewards/premium', json: { priceMinor: 9_99, asset: 'USD' } },
    { path: '/rewards/premium/cancel' },
    { path: '/rewards/premium/resume' },
  ])
})

test('the rings are complete at the next tier, which has a name, and without points there is a picture', async () => {
  await mockRewards({ tier: { points: 5_000, target: 5_000 } })
  bank.get('/rewards/history', { lines: [], nextCursor: null })
  await open('/rewards')
  await expect.element(card).toMatchTextContent('Alder Tree')
  expect(card.element().querySelector('[data-grown]')?.getAttribute('data-grown')).toBe('100')
  await expect.element(page.getByRole('heading', { name: 'No points yet' })).toBeVisible()
  await expect.poll(() => document.querySelector('[data-picture=insights] > svg')).not.toBeNull()
})
