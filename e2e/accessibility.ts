import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import type axe from 'axe-core'
import { ALL } from '../scripts/strength.ts'

/** A screen in one of its states, and how a person comes to it. */
export type Screen = [name: string, open: (page: Page) => Promise<unknown>]

/** Opens one screen after the other, and checks each: nothing is wider than a narrow phone, and axe finds nothing. */
export async function walk(page: Page, screens: readonly Screen[]): Promise<void> {
  for (const [name, open] of screens) {
    await test.step(name, async () => {
      await open(page)
      await expect(page.locator('h1').first()).toBeAttached()
      await expectNoOverflow(page, name)
      await expectAccessible(page, name)
    })
  }
}

/** The smallest screens that are to be used without scrolling sideways (WCAG 2.2, 1.4.10): a phone, and 1280 by 1024 at 400%. */
const SMALL = [
  { width: 320, height: 640 },
  { width: 320, height: 256 },
]

async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const usual = page.viewportSize()
  for (const size of SMALL) {
    await page.setViewportSize(size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${what}, width`).toBe(size.width)
  }
  if (usual) await page.setViewportSize(usual)
}

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Checks the page as it is now with axe: all rules in light and, in `npm run test:all`, contrast once more in dark, because
 * the colours are all that the theme changes. The page is to be opened with reduced motion, so that no colour is halfway.
 */
export async function expectAccessible(page: Page, what = 'the page'): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectNoViolations(page, {}, `${what}, light`)
  if (!ALL) return
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNoViolations(page, { runOnly: ['color-contrast'] }, `${what}, dark`)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** Axe describes what it finds to be right at length unless told otherwise, which takes longer than the checks. */
const VIOLATIONS_ALONE = { resultTypes: ['violations' as const], selectors: false }

async function expectNoViolations(page: Page, options: Pick<axe.RunOptions, 'runOnly'>, what: string): Promise<void> {
  await settled(page)
  const { violations } = await page.evaluate((given) => (window as unknown as { axe: typeof axe }).axe.run(given), {
    ...VIOLATIONS_ALONE,
    ...options,
  })
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
    what,
  ).toEqual([])
}

/**
 * Waits until nothing is halfway: no colour on its way from one theme to the other, no toast that comes or goes. For
 * two frames in a row, because React draws what was asked for a moment later.
 */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const isMoving = () =>
      document.getAnimations().some(({ playState }) => playState === 'running') ||
      document.querySelector('[data-sonner-toast]:is([data-mounted="false"], [data-removed="true"])') !== null
    for (let still = 0; still < 2; still += 1) {
      await frame()
      if (isMoving()) still = -1
    }
  })
}
