import { readFileSync } from 'node:fs'
import { expect, type Page, test } from '@playwright/test'
import type axe from 'axe-core'
import { ALL } from '../scripts/test-effort.ts'
import { expectAppReady } from './bank.ts'

/** A screen in one of its states, with the steps that open it. */
export type ScreenState = [name: string, open: (page: Page) => Promise<unknown>]

/** Opens each screen and checks it: nothing is wider than a narrow phone, and axe finds no violation. */
export async function checkScreens(page: Page, screens: readonly ScreenState[]): Promise<void> {
  for (const [name, open] of screens) {
    await test.step(name, async () => {
      await open(page)
      // While the app replaces the prerendered screen, the page has no headings for a moment.
      await expectAppReady(page)
      await expect(page.locator('h1').first()).toBeAttached()
      await expectNoOverflow(page, name)
      await expectAccessible(page, name)
    })
  }
}

/** The smallest screens on which a page must not scroll sideways (WCAG 2.2, 1.4.10): a phone, and 1280 by 1024 at 400%. */
const SMALL = [
  { width: 320, height: 640 },
  { width: 320, height: 256 },
]

async function expectNoOverflow(page: Page, label: string): Promise<void> {
  const usualSize = page.viewportSize()
  for (const size of SMALL) {
    await page.setViewportSize(size)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${label}, width`).toBe(size.width)
  }
  if (usualSize) await page.setViewportSize(usualSize)
}

const AXE = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Checks the current page with axe: all rules in light and, in `npm run test:all`, contrast once more in dark. The theme
 * changes only colors, so the other rules run once. Open the page with reduced motion, so that no color is in transition.
 */
export async function expectAccessible(page: Page, label = 'the page'): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await expectNoViolations(page, {}, `${label}, light`)
  if (!ALL) return
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await expectNoViolations(page, { runOnly: ['color-contrast'] }, `${label}, dark`)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
}

/** By default, axe also describes each passed check in detail, which takes longer than the checks. */
const VIOLATIONS_ALONE = { resultTypes: ['violations' as const], selectors: false }

async function expectNoViolations(page: Page, options: Pick<axe.RunOptions, 'runOnly'>, label: string): Promise<void> {
  await settled(page)
  const { violations } = await page.evaluate(
    (axeOptions) => (window as unknown as { axe: typeof axe }).axe.run(axeOptions),
    {
      ...VIOLATIONS_ALONE,
      ...options,
    },
  )
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
    label,
  ).toEqual([])
}

/**
 * Waits until the page is at rest: no color in transition between themes, and no toast that appears or leaves. The page must be
 * at rest for two frames in a row, because React draws an update a moment later.
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
