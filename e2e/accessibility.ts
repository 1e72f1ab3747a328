import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/**
 * Checks the page as it is now with axe: all rules in light, and contrast once more in dark, because the colours are all
 * that the theme changes. The page is to be opened with reduced motion, so that no colour is halfway.
 */
export async function expectAccessible(page: Page, what = 'the page'): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectNoViolations(new AxeBuilder({ page }), `${what}, light`)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNoViolations(new AxeBuilder({ page }).withRules(['color-contrast']), `${what}, dark`)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

async function expectNoViolations(axe: AxeBuilder, what: string): Promise<void> {
  const { violations } = await axe.analyze()
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
    what,
  ).toEqual([])
}
