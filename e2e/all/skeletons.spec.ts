import { expect, type Page, test } from '@playwright/test'
import { followRequests, visit } from '../bank.ts'

/*
 * What stands where figures will come is as large as they are: the rest of the screen stays where it is when they come.
 */

/** What a screen may move by in all to be called good (https://web.dev/articles/cls). */
const MOST_SHIFT = 0.1

/** Screens that draw themselves before the customer's data is there. */
const SCREENS = {
  money: [
    '/dashboard',
    '/transactions',
    '/statements',
    '/account-details',
    '/transfer',
    '/request',
    '/split-bill',
    '/add-money',
    '/savings',
  ],
  growing: ['/cards', '/loans', '/invest', '/crypto', '/rewards', '/analytics', '/carbon-footprint', '/ai-advisor'],
  'the customer': [
    '/settings',
    '/personal-info',
    '/security-privacy',
    '/payment-methods',
    '/help-center',
    '/notifications',
    '/notifications/preferences',
  ],
}

type Shift = { value: number; of: string[] }

/** Has the page note each shift of its layout, as the browser scores it. */
async function noteShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = []
    Object.assign(window, { shifts })
    type Entry = PerformanceEntry & { value: number; sources: { node: Node | null }[] }
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Entry[])
        shifts.push({ value, of: sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? '') })
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Holds what the bank answers until it is let through; what is asked after that is held no more. */
async function holdAnswers(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/v1/**', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

for (const [name, paths] of Object.entries(SCREENS)) {
  test(`${name}: figures come to where room was kept for them`, async ({ page }) => {
    await visit(page)
    await noteShifts(page)
    const allCame = followRequests(page)
    for (const path of paths) {
      await test.step(path, async () => {
        const letThrough = await holdAnswers(page)
        await page.goto(path)
        await expect(page.locator('h1').first()).toBeVisible()
        await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
        letThrough()
        await allCame()
        await expect(page.locator('.animate-shimmer')).toHaveCount(0)
        const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts)
        const sum = shifts.reduce((all, { value }) => all + value, 0)
        expect(sum, JSON.stringify(shifts)).toBeLessThan(MOST_SHIFT)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })
    }
  })
}
