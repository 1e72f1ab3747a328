import { expect, test } from '@playwright/test'
import { visitDashboard, readFromBank, goTo, visit } from './bank.ts'
import { expectAccessible } from './accessibility.ts'
import type { Me } from '#contract/identity.ts'

test('a sample bank opens in English in a browser of any language', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'de-DE' })
  const page = await context.newPage()
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await context.close()
})

test('right-to-left pages have no violations', async ({ page }) => {
  await visitDashboard(page)
  await page.goto('/language')
  await page.getByRole('radio', { name: /العربية/ }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await goTo(page, '/transactions')
  await expect(page.getByRole('main').locator('li a').first()).toContainText('$5.60')
  await expectAccessible(page)
})

test('Chinese loads its own fonts, and has full-width quotation marks', async ({ page }) => {
  const families = new Set<string>()
  page.on('request', (request) => {
    // The letters in the native names of Chinese and Japanese have font files of their own.
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
      const quoteIndex = text.data.indexOf('“')
      range.setStart(text, quoteIndex)
      range.setEnd(text, quoteIndex + 1)
      return range.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(element).fontSize)
    })
  await expect.poll(widthOfQuote).toBeCloseTo(1, 1)
  // The list of languages contains an Arabic name.
  expect([...families].toSorted()).toEqual(['inter', 'noto-sans-arabic', 'noto-sans-sc'])
})

test('can be changed by a visitor who opens this screen first, and the toast stays on the screen', async ({ page }) => {
  await page.goto('/language')
  await page.getByRole('radio', { name: /العربية/ }).click()
  const toast = page.locator('[data-sonner-toast]')
  await expect(toast).toContainText('تم تغيير اللغة')
  await expect.poll(async () => (await toast.boundingBox())?.x).toBe(12)
  await expect.poll(async () => (await toast.boundingBox())?.width).toBe(390 - 2 * 12)
  expect((await readFromBank<Me>(page, '/me')).customer.language).toBe('ar')
})
