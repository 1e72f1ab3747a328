import { expect, type Page, test } from '@playwright/test'
import type { Dashboard } from '#contract/accounts.ts'
import { nameInWords } from '#server/test/words.ts'
import { arrive, ask, post, visitIn } from './bank.ts'

test('shows the figures of the account, and the ledger says the same', async ({ page }) => {
  const customer = await arrive(page)
  await expect(page).toHaveTitle(/Dashboard · Alder$/)
  const firstName = customer.fullName.split(' ')[0]
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Good morning, ${firstName}`)
  await expect(page.getByRole('banner')).toContainText(
    "You've spent $1,500.00 this month, 8.5% less than at this point last month.",
  )

  const balance = page.getByRole('region', { name: 'Balance' })
  await expect(balance).toContainText('$12,458.50')
  await expect(balance).toContainText('+$2,340.00 this month')

  const goal = page.getByRole('region', { name: 'Savings goal' })
  await expect(goal).toContainText('Vacation Fund')
  await expect(goal).toContainText('$2,450.00 of $5,000.00')
  await expect(goal.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '49')

  const { account, recent, upcoming } = await ask<Dashboard>(page, '/dashboard')
  expect(account).toMatchObject({
    availableMinor: 1_245_850,
    monthChangeMinor: 234_000,
    heldMinor: 0,
    incomingMinor: 0,
    spentMinor: 150_000,
  })
  const { spentMinor, spentLastMonthMinor } = account
  expect(Math.round((1 - spentMinor / spentLastMonthMinor) * 1000)).toBe(85)
  expect(upcoming?.next.map(({ kind, name, amountMinor }) => [kind, name, amountMinor])).toEqual([
    ['direct_debit', 'Brightwater Energy', 145_00],
    ['direct_debit', 'Fernline Broadband', 65_00],
  ])
  await expect(page.getByRole('heading', { name: 'Upcoming' })).toBeVisible()
  const bill = page.getByRole('link', { name: /^Brightwater Energy.*\$145\.00/ })
  await expect(bill).toHaveAttribute('href', '/payment-methods')
  for (const { name } of recent) await expect(page.getByRole('link', { name: nameInWords(name) }).first()).toBeVisible()
})

test('hides every sum, and keeps them hidden on this device', async ({ page }) => {
  await arrive(page)
  const balance = page.getByRole('region', { name: 'Balance' })
  await page.getByRole('button', { name: 'Hide Balance' }).click()
  const sums = /\$|\d%/
  await expect(page.locator('#root')).not.toContainText(sums)
  await page.reload()
  await expect(page.getByRole('button', { name: 'Show Balance' })).toBeVisible()
  await expect(balance).toContainText('Balance hidden')
  await expect(page.getByRole('region', { name: 'Savings goal' })).toContainText('Amount hidden')
  await expect(page.getByRole('link', { name: /Copper Kettle.*Amount hidden/ }).first()).toBeVisible()
  await expect(page.getByRole('banner')).toContainText("You've spent")
  await expect(page.locator('#root')).not.toContainText(sums)
  await page.getByRole('button', { name: 'Show Balance' }).click()
  await expect(balance).toContainText('$12,458.50')
})

/** Waits for figures that roll, from now on: they do so for a moment, which whoever looks now and then may miss. */
async function watchForRolling(page: Page): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<true>()
    const look = () => document.querySelector('.reel') && resolve(true)
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    return { promise }
  })
  return () => seen.evaluate(({ promise }) => promise)
}

test('rolls the balance to what it is now, marks the new row once, and says it once', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await arrive(page)
  const balance = page.getByRole('region', { name: 'Balance' })
  const said = balance.locator('[aria-live=polite]')
  const glowing = page.locator('li.animate-glow')
  await expect(said).toHaveText('$12,458.50')
  await expect(glowing).toHaveCount(0)
  const { width } = (await balance.boundingBox()) ?? { width: 0 }
  const rolled = await watchForRolling(page)
  await post(page, '/top-ups', { amountMinor: 25_00, asset: 'USD', method: 'card' })
  await rolled()
  // A screen reader is given the new balance while its figures still roll.
  await expect(said).toHaveText('$12,483.50')
  expect((await balance.boundingBox())?.width).toBe(width)
  await expect(glowing).toHaveCount(1)
  await expect(glowing).toContainText('Card top-up')
  await expect(page.locator('.reel')).toHaveCount(0)
  await expect(balance.locator('.tabular').first()).toHaveText('$12,483.50')
  // It is known by now, wherever it is shown.
  await page.getByRole('link', { name: 'See All' }).click()
  await expect(page.getByRole('link', { name: /Card top-up/ })).toBeVisible()
  await expect(glowing).toHaveCount(0)
  // What moves while another screen is open rolls when this one is back.
  await post(page, '/top-ups', { amountMinor: 25_00, asset: 'USD', method: 'card' })
  const rolledAgain = await watchForRolling(page)
  await page.getByRole('link', { name: 'Back' }).click()
  await rolledAgain()
  await expect(said).toHaveText('$12,508.50')
  await expect(page.locator('.reel')).toHaveCount(0)
  // Without motion it only stands there.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await post(page, '/top-ups', { amountMinor: 25_00, asset: 'USD', method: 'card' })
  await expect(said).toHaveText('$12,533.50')
  const timings = await page.locator('.reel-strip').evaluateAll((strips) =>
    strips.map((strip) => {
      const { animationDuration, animationDelay } = getComputedStyle(strip)
      return Number.parseFloat(animationDuration) + Number.parseFloat(animationDelay)
    }),
  )
  for (const seconds of timings) expect(seconds).toBeLessThan(0.001)
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
  const retry = page.getByRole('button', { name: 'Try Again' })
  // It may have been trying just then.
  await expect(async () => {
    await page.clock.fastForward(5_000)
    await expect(retry).toBeEnabled({ timeout: 200 })
  }).toPass()
  await page.unroute('**/api/v1/dashboard')
  await retry.click()
  await page.clock.resume()
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$12,458.50')
})

test('features whose names need a line more have their pictures on one line with the others', async ({ page }) => {
  await visitIn(page, 'pl')
  await page.goto('/dashboard')
  const splitBill = page.locator('main section a[href="/split-bill"]')
  await expect(splitBill).toHaveText('Podziel rachunek')
  const tops = await page
    .locator('main section a:is([href="/loans"], [href="/split-bill"], [href="/rewards"]) > svg')
    .evaluateAll((pictures) => pictures.map((picture) => picture.getBoundingClientRect().top))
  expect(tops).toHaveLength(3)
  expect(new Set(tops).size).toBe(1)
})
