import { expect, test } from '@playwright/test'
import { visit } from './bank.ts'

const [LIGHT, DARK] = ['rgb(246, 244, 239)', 'rgb(15, 21, 19)']

test('the chosen theme, or that of the device, is there before the app has come', async ({ page }) => {
  await visit(page)
  // Asked for, and never answered.
  await page.route('**/assets/index-*.js', () => undefined)
  for (const [chosen, device, colour] of [
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
    await expect
      .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor))
      .toBe(colour)
    // Nothing of the app has run.
    await expect(page.locator('#root')).toHaveAttribute('inert')
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
