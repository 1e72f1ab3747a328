import { expect, test } from '@playwright/test'
import { visit } from './bank.ts'

const [LIGHT, DARK] = ['rgb(246, 244, 239)', 'rgb(15, 21, 19)']

test('the chosen theme, or the device’s theme, applies before the app loads', async ({ page }) => {
  await visit(page)
  // The request for the app's code never gets a response.
  await page.route('**/assets/index-*.js', () => undefined)
  for (const [chosen, device, color] of [
    ['dark', 'light', DARK],
    ['light', 'dark', LIGHT],
    [null, 'dark', DARK],
    [null, 'light', LIGHT],
  ] as const) {
    await page.emulateMedia({ colorScheme: device })
    await page.goto('/dashboard', { waitUntil: 'commit' })
    await page.evaluate(
      (theme) => (theme ? localStorage.setItem('alder.theme', theme) : localStorage.removeItem('alder.theme')),
      chosen,
    )
    await page.goto('/dashboard', { waitUntil: 'commit' })
    await expect(page.getByText('More Features')).toBeAttached()
    await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe(color)
    // The app's code has not run.
    await expect(page.locator('#root')).toHaveAttribute('inert')
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
