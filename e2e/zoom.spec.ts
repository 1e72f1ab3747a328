import { expect, type Page, test } from '@playwright/test'
import { goTo, visit } from './bank.ts'

/** A window of 1280 by 1024 at 400% (WCAG 2.2, 1.4.10). Elements with a fixed position must leave room for the content. */
const ZOOMED = { width: 320, height: 256 }

const MAX_STOPS = 60

test.use({ viewport: ZOOMED, isMobile: false, hasTouch: false })

/** Returns the controls that Tab reaches but that are covered or out of view (WCAG 2.2, 2.4.11). */
async function unseenStops(page: Page): Promise<string[]> {
  const unseenControls: string[] = []
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press('Tab')
    const measurements = await page.evaluate(() => {
      const element = document.activeElement
      if (!element || element === document.body) return null
      const box = element.getBoundingClientRect()
      // An invisible radio button lies over its label's drawing, so the label counts as the control.
      const control = element.closest('label') ?? element
      const points = [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y] as const))
      const isSeen = points.some(([x, y]) => {
        const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y)
        return top !== null && (control.contains(top) || top.contains(control))
      })
      const first = element.hasAttribute('data-stop')
      element.setAttribute('data-stop', '')
      return { first, isSeen, name: element.getAttribute('aria-label') ?? element.textContent ?? '' }
    })
    if (measurements === null || measurements.first) break
    if (!measurements.isSeen) unseenControls.push(measurements.name)
  }
  return unseenControls
}

const SHEETS: readonly [path: string, button: string | RegExp][] = [
  ['/dashboard', 'Pay'],
  ['/savings', 'New Goal'],
  ['/cards', 'Create Virtual Card'],
  ['/crypto', 'Buy Crypto'],
]

test('at 400% no text is cut off, and the focused element is visible', async ({ page }) => {
  await visit(page)
  for (const path of ['/dashboard', '/transfer', '/cards', '/statements', '/loans', '/settings']) {
    await test.step(path, async () => {
      await goTo(page, path)
      await expect(page.locator('.animate-shimmer')).toHaveCount(0)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(ZOOMED.width)
      expect(await unseenStops(page), path).toEqual([])
    })
  }
  for (const [path, button] of SHEETS) {
    await test.step(`${path}, ${String(button)}`, async () => {
      await goTo(page, path)
      await page.getByRole('button', { name: button, exact: true }).click()
      const sheet = page.getByRole('dialog')
      await expect(sheet).toBeVisible()
      expect(await unseenStops(page), path).toEqual([])
      // The scrolling part is at least as tall as a field.
      expect(await sheet.locator('.overflow-y-auto').evaluate(({ clientHeight }) => clientHeight)).toBeGreaterThan(80)
    })
  }
})
