import axe from 'axe-core'
import { expect, inject } from 'vitest'
import { commands } from '#web/test/commands.ts'

/** Axe describes what it finds to be right at length unless told otherwise, which takes longer than the checks. */
const VIOLATIONS_ALONE = { resultTypes: ['violations' as const], selectors: false }

/** Two frames in a row without motion: React draws what was asked for a moment later. */
async function settled(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const isMoving = () =>
    document.getAnimations().some(({ playState }) => playState === 'running') ||
    document.querySelector('[data-sonner-toast]:is([data-mounted="false"], [data-removed="true"])') !== null
  for (let still = 0; still < 2; still += 1) {
    await frame()
    if (isMoving()) still = -1
  }
}

async function expectNoViolations(what: string, rules: readonly string[]): Promise<void> {
  await settled()
  const runOnly = rules.length > 0 && { runOnly: [...rules] }
  const { violations } = await axe.run(document, { ...VIOLATIONS_ALONE, ...runOnly })
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
    what,
  ).toEqual([])
}

declare module 'vitest' {
  interface ProvidedContext {
    isAll: boolean
  }
}

/**
 * Checks the page as it is now with axe: all rules in light and, in `npm run test:all`, contrast once more in dark, because
 * the colours are all that the theme changes.
 */
export async function expectAccessible(what = 'the page'): Promise<void> {
  await expectNoViolations(`${what}, light`, [])
  if (!inject('isAll')) return
  await commands.preferColors('dark')
  try {
    await expectNoViolations(`${what}, dark`, ['color-contrast'])
  } finally {
    await commands.preferColors('light')
  }
}
