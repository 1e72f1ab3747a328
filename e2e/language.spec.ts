import { expect, test } from '@playwright/test'
import { arrive, ask, goTo, visit } from './bank.ts'
import { expectAccessible } from './accessibility.ts'
import type { Me } from '#contract/identity.ts'

test('a sample bank opens in English, whatever the browser speaks', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-DE' })
  const page = await context.newPage()
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await context.close()
})

test('what is read from right to left is without violations', async ({ page }) => {
  await arrive(page)
  await page.goto('/language')
  await page.getByRole('radio', { name: /العربية/ }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await goTo(page, '/transactions')
  await expect(page.getByRole('main').locator('li a').first()).toContainText('$5.60')
  await expectAccessible(page)
})

test('Chinese brings its own letters, and has quotation marks as wide as they are', async ({ page }) => {
  const families = new Set<string>()
  page.on('request', (request) => {
    // The five letters in which Chinese and Japanese are called by their names are files of their own.
    const [, family] = /\/assets\/(inter|noto-sans-[a-z]+)-(?!\d+-names)[^/]+\.woff2$/.exec(request.url()) ?? []
    if (family) families.add(family)
  })
  await visit(page)
  await page.goto('/savings')
  await expect(page.getByText('Add to Vacation Fund').first()).toBeVisible()
  await page.evaluate(() => document.fonts.ready)
  expect([...families]).toEqual(['inter'])
  await goTo(page, '/language')
  await page.getByRole('radio', { name: /中文/ }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh')
  await goTo(page, '/savings')
  const label = page.getByText(/^存入“/)
  await expect(label).toBeVisible()
  const widthOfQuote = () =>
    label.evaluate((element) => {
      const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text
      const range = document.createRange()
      const at = text.data.indexOf('“')
      range.setStart(text, at)
      range.setEnd(text, at + 1)
      return range.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(element).fontSize)
    })
  await expect.poll(widthOfQuote).toBeCloseTo(1, 1)
  // The list of languages has an Arabic name in it.
  expect([...families].toSorted()).toEqual(['inter', 'noto-sans-arabic', 'noto-sans-sc'])
})

test('is chosen by somebody who opens this screen first of all, and the toast stays on the screen', async ({
  page,
}) => {
  await page.goto('/language')
  await page.getByRole('radio', { name: /العربية/ }).click()
  const toast = page.locator('[data-sonner-toast]')
  await expect(toast).toContainText('تم تغيير اللغة')
  await expect.poll(async () => (await toast.boundingBox())?.x).toBe(12)
  await expect.poll(async () => (await toast.boundingBox())?.width).toBe(390 - 2 * 12)
  expect((await ask<Me>(page, '/me')).customer.language).toBe('ar')
})
