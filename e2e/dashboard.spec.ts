import { expect, test } from '@playwright/test'
import { visitDashboard, postToBank } from './bank.ts'

test('a top-up rolls the balance live to its new value, and marks its row', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await visitDashboard(page)
  const balance = page.getByRole('region', { name: 'Balance' })
  const glowing = page.locator('li.animate-glow')
  await expect(balance.locator('[aria-live=polite]')).toHaveText('$12,458.50')
  const { width } = (await balance.boundingBox()) ?? { width: 0 }
  // Figures roll for a moment, so a test that checks at intervals may miss it.
  const rollHandle = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<true>()
    const findReel = () => document.querySelector('.reel') && resolve(true)
    new MutationObserver(findReel).observe(document.body, { childList: true, subtree: true })
    return { promise }
  })
  await postToBank(page, '/top-ups', { amountMinor: 25_00, asset: 'USD', method: 'card' })
  await rollHandle.evaluate(({ promise }) => promise)
  expect((await balance.boundingBox())?.width).toBe(width)
  await expect(glowing).toHaveText(/Card deposit/)
  await expect(page.locator('.reel')).toHaveCount(0)
  await expect(balance.locator('.tabular').first()).toHaveText('$12,483.50')
})
