import { expect, test } from '@playwright/test'
import type { Dashboard } from '#contract/accounts.ts'
import { nameInWords } from '#server/test/words.ts'
import { arrive, ask } from './bank.ts'

test('shows the figures of the account, and the ledger says the same', async ({ page }) => {
  const customer = await arrive(page)
  await expect(page).toHaveTitle('Dashboard · Alder')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Good morning')
  await expect(page.getByRole('heading', { level: 1 })).toContainText(customer.fullName)

  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText('$12,458.50')
  await expect(balance).toContainText('+$2,340.00 this month')

  const goal = page.getByRole('region', { name: 'Savings goal' })
  await expect(goal).toContainText('Vacation Fund')
  await expect(goal).toContainText('$2,450.00 of $5,000.00')
  await expect(goal.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '49')

  const { account, recent } = await ask<Dashboard>(page, '/dashboard')
  expect(account).toMatchObject({
    availableMinor: 1_245_850,
    monthChangeMinor: 234_000,
    heldMinor: 0,
    incomingMinor: 0,
  })
  for (const { name } of recent) await expect(page.getByRole('link', { name: nameInWords(name) }).first()).toBeVisible()
})

test('hides the balance, and keeps it hidden on this device', async ({ page }) => {
  await arrive(page)
  const balance = page.getByRole('region', { name: 'Balance' })
  await page.getByRole('button', { name: 'Hide Balance' }).click()
  await expect(balance).not.toContainText('12,458')
  await expect(balance).not.toContainText('2,340')
  await page.reload()
  await expect(page.getByRole('button', { name: 'Show Balance' })).toBeVisible()
  await expect(balance).toContainText('Balance hidden')
  await page.getByRole('button', { name: 'Show Balance' }).click()
  await expect(balance).toContainText('$12,458.50')
})

const LINKS = [
  ['Add Money', '/add-money'],
  ['Send', '/transfer'],
  ['Request', '/request'],
  ['Cards', '/cards'],
  ['Invest', '/invest'],
  ['Add to Vacation Fund', '/savings'],
  ['AI Advisor', '/ai-advisor'],
  ['Analytics', '/analytics'],
  ['Crypto', '/crypto'],
  ['Carbon', '/carbon-footprint'],
  ['Loans', '/loans'],
  ['Split Bill', '/split-bill'],
  ['Rewards', '/rewards'],
  ['See All', '/transactions'],
  ['Notifications', '/notifications'],
  ['Settings', '/settings'],
] as const

test('leads everywhere it says, and each place leads back', async ({ page }) => {
  await arrive(page)
  for (const [name, path] of LINKS) {
    await page
      .getByRole('link', { name, exact: name === 'Send' })
      .first()
      .click()
    await expect(page).toHaveURL(path)
    // A screen reader is taken to the heading of the new screen.
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await page.getByRole('link', { name: 'Back' }).click()
    await expect(page).toHaveURL('/dashboard')
  }
})

test('says so where the bank does not answer, and goes on when it does', async ({ page }) => {
  await page.clock.install()
  await page.route('**/api/v1/dashboard', (route) =>
    route.fulfill({ status: 503, json: { error: { code: 'unavailable' } } }),
  )
  await page.goto('/dashboard')
  // Three more tries, 1, 2 and 4 seconds apart.
  await expect(async () => {
    await page.clock.fastForward(5_000)
    await expect(page.getByRole('alert')).toContainText("Alder isn't available right now", { timeout: 200 })
  }).toPass()
  // The page tries by itself too, every now and then: not while its clock stands still.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  await page.unroute('**/api/v1/dashboard')
  await page.getByRole('button', { name: 'Try Again' }).click()
  await page.clock.resume()
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,458.50')
})
