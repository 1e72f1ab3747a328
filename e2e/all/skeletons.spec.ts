import { expect, type Page, test } from '@playwright/test'
import { followRequests, visit } from '../bank.ts'

/* A placeholder must have the size of its figures, so that the rest of the screen does not move when they arrive. */

/** The largest total layout shift that counts as good (https://web.dev/articles/cls). */
const MAX_SHIFT = 0.1

/** Screens that render before the customer's data arrives. */
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

/** Makes the page record each layout shift with the browser's score. */
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

/** Holds the bank's responses until the returned function is called. Later requests are not held. */
async function holdAnswers(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/v1/**', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

for (const [name, paths] of Object.entries(SCREENS)) {
  test(`${name} reserves the space of its figures before they load`, async ({ page }) => {
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
        const sum = shifts.reduce((total, { value }) => total + value, 0)
        expect(sum, JSON.stringify(shifts)).toBeLessThan(MAX_SHIFT)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      })
    }
  })
}
