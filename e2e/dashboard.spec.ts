import { expect, test } from '@playwright/test'
import { arrive, post } from './bank.ts'

test('a top-up rolls the balance live to what it is now, and marks its row', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await arrive(page)
  const balance = page.getByRole('region', { name: 'Balance' })
  const glowing = page.locator('li.animate-glow')
  await expect(balance.locator('[aria-live=polite]')).toHaveText('$12,458.50')
  const { width } = (await balance.boundingBox()) ?? { width: 0 }
  // Figures roll for a moment, which whoever looks now and then may miss.
  const rolled = await page.evaluateHandle(() => {
    const { promise, resolve } = Promise.withResolvers<true>()
    const look = () => document.querySelector('.reel') && resolve(true)
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    return { promise }
  })
  await post(page, '/top-ups', { amountMinor: 25_00, asset: 'USD', method: 'card' })
  await rolled.evaluate(({ promise }) => promise)
  expect((await balance.boundingBox())?.width).toBe(width)
  await expect(glowing).toHaveText(/Card top-up/)
  await expect(page.locator('.reel')).toHaveCount(0)
  await expect(balance.locator('.tabular').first()).toHaveText('$12,483.50')
})
