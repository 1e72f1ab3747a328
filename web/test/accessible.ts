import axe from 'axe-core'
import { expect, inject } from 'vitest'
import { commands } from '#web/test/commands.ts'

/** Describes only the violations. Axe takes longer to describe passed checks than to run all checks. */
const VIOLATIONS_ONLY = { resultTypes: ['violations' as const], selectors: false }

/**
 * Waits until two consecutive frames have no animation. One frame is not enough, because React renders an update with a delay.
 */
async function waitUntilStill(): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const isMoving = () =>
    document.getAnimations().some(({ playState }) => playState === 'running') ||
    document.querySelector('[data-sonner-toast]:is([data-mounted="false"], [data-removed="true"])') !== null
  for (let stillFrames = 0; stillFrames < 2; stillFrames += 1) {
    await frame()
    if (isMoving()) stillFrames = -1
  }
}

/** Runs the given rules, or all rules if none are given. `name` describes the page in a failure. */
async function expectNoViolations(name: string, rules: readonly string[]): Promise<void> {
  await waitUntilStill()
  const filter = rules.length > 0 && { runOnly: [...rules] }
  const { violations } = await axe.run(document, { ...VIOLATIONS_ONLY, ...filter })
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
    name,
  ).toEqual([])
}

declare module 'vitest' {
  interface ProvidedContext {
    /** True for `npm run test:all`. */
    isFullRun: boolean
  }
}

/**
 * Checks the current page with axe. All rules run in the light theme. `npm run test:all` also runs the contrast rule in the
 * dark theme. The other rules are not repeated, because the themes differ only in their colors.
 */
export async function expectNoAxeViolations(name = 'the page'): Promise<void> {
  await expectNoViolations(`${name}, light`, [])
  if (!inject('isFullRun')) return
  await commands.preferColors('dark')
  try {
    await expectNoViolations(`${name}, dark`, ['color-contrast'])
  } finally {
    await commands.preferColors('light')
  }
}
