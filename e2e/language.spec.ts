import { expect, test } from '@playwright/test'
import { arrive, ask, goTo, signIn, signOut, speak, visit } from './bank.ts'
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

test('German is chosen, said in English, and spoken from then on', async ({ page }) => {
  await arrive(page)
  await page.goto('/settings')
  await page.getByRole('link', { name: 'Language' }).click()
  await expect(page.getByRole('radio', { name: /English/ })).toBeChecked()
  await page.getByRole('radio', { name: /Deutsch/ }).click()
  await expect(page.getByRole('region', { name: /alt\+T/ })).toContainText('Language changed to German')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sprache')
  await expect(page.getByRole('radio', { name: /Deutsch/ })).toBeFocused()
  expect((await ask<Me>(page, '/me')).customer.language).toBe('de')
  await page.goto('/dashboard')
  await expect(page.getByRole('main')).toContainText('12.458,50')
  await expect(page.locator('body')).not.toContainText('Recent Transactions')
})

test('the choice comes along to another device, and is not the next customer’s there', async ({ browser }) => {
  const [email, password] = [`language.${Date.now()}@example.com`, 'correct horse battery']
  const first = await browser.newPage()
  await signIn(first, email, password)
  await first.goto('/language')
  await first.getByRole('radio', { name: /العربية/ }).click()
  await expect(first.locator('html')).toHaveAttribute('dir', 'rtl')
  const second = await browser.newPage()
  await signIn(second, email, password)
  await second.goto('/dashboard')
  await expect(second.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(second.getByRole('main')).toContainText('المعاملات')
  await signOut(second)
  await first.close()
  await second.close()
})

test('Arabic is read from right to left, amounts and time from left to right', async ({ page }) => {
  await arrive(page)
  await page.goto('/language')
  await page.getByRole('radio', { name: /العربية/ }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  await page.goto('/transactions')
  const row = page.getByRole('main').locator('li a').first()
  await expect(row).toContainText('$5.60')
  // The icon stands at the right, where a line begins.
  const [icon, rowBox] = [await row.locator('svg').first().boundingBox(), await row.boundingBox()]
  expect(icon?.x ?? 0).toBeGreaterThan((rowBox?.x ?? 0) + (rowBox?.width ?? 0) / 2)
  await expectAccessible(page)

  await goTo(page, '/analytics')
  const bar = (month: string) => page.locator(`[data-bar="${month}"]`)
  await expect(bar('2026-08')).toBeAttached()
  const [january, august] = [await bar('2026-01').boundingBox(), await bar('2026-08').boundingBox()]
  expect(january?.x ?? 0).toBeLessThan(august?.x ?? 0)
})

test('Chinese brings its own letters, and has quotation marks as wide as they are', async ({ page }) => {
  const families = new Set<string>()
  page.on('request', (request) => {
    const [, family] = /\/assets\/(inter|noto-sans-[a-z]+)-[^/]+\.woff2$/.exec(request.url()) ?? []
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
  await expect(toast).toContainText('Language changed to Arabic')
  await expect.poll(async () => (await toast.boundingBox())?.x).toBe(12)
  await expect.poll(async () => (await toast.boundingBox())?.width).toBe(390 - 2 * 12)
  expect((await ask<Me>(page, '/me')).customer.language).toBe('ar')
})

test('an amount is typed as the language writes it', async ({ page }) => {
  await arrive(page)
  await page.goto('/language')
  await page.getByRole('radio', { name: /Deutsch/ }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  await page.goto('/add-money')
  const amount = page.getByRole('textbox').first()
  await amount.fill('1.234,56')
  await expect(amount).toHaveValue('1.234,56')
  await page.getByRole('radio').first().click()
  await page.getByRole('main').getByRole('button').last().click()
  await expect(page.getByRole('region', { name: /alt\+T/ })).toContainText('1.234,56')
})

test('an amount that was filtered by stands there again as the language writes it', async ({ page }) => {
  await visit(page)
  await speak(page, 'de')
  await page.goto('/transactions?minMinor=123456')
  await page.getByRole('button', { name: 'Filter, 1 aktiv' }).click()
  const minimum = page.getByRole('dialog').getByLabel('Mindestens')
  await expect(minimum).toHaveValue('1.234,56')
  await minimum.fill('12,5')
  await minimum.blur()
  await expect(minimum).toHaveValue('12,50')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /anzeigen$/ })
    .click()
  await expect(page).toHaveURL(/minMinor=1250$/)
})
