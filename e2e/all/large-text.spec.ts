import { expect, type Page, test } from '@playwright/test'
import { expectAccessible } from '../accessibility.ts'
import { goTo, postToBank, visit } from '../bank.ts'
import { findTextOverflows } from '../text-overflow.ts'

/*
 * Opens the screens below on the narrowest phone with text at twice its size, in German, Arabic and a pseudo language a third
 * longer than English. Every amount of money must be fully readable, and no text may overlap another. Axe checks the screens in
 * Arabic.
 */

const NARROW = { width: 320, height: 640 }
const TWICE = '32px'
const LONG_NAME = 'Wilhelmina Featherstonehaugh-Cholmondeley'
const MUCH_MINOR = 1_234_567_89

/** Returns the same response with a long name in place of each name, and large amounts. */
function enlarged(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => enlarged(each))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, enlarged(each, name)]))
  if (typeof value === 'number' && key.endsWith('Minor') && key !== 'paidMinor')
    return value < 0 ? -MUCH_MINOR : MUCH_MINOR
  return typeof value === 'string' && (key === 'fullName' || key === 'name' || key === 'billerName') ? LONG_NAME : value
}

/** Opens the app on a small phone with large text, as a customer with much money and a long name. */
async function open(page: Page, language: string): Promise<void> {
  await visit(page)
  await postToBank(page, '/sample/requests')
  await page.route(
    /\/api\/v1\/(dashboard|transactions|linked-accounts|mandates|notifications|me|money-requests|statements)\b/,
    async (route) => {
      const answer = await route.fetch()
      const json = enlarged(await answer.json()) as {
        recent?: { status: string }[]
        transactions?: { status: string }[]
      }
      for (const rows of [json.recent, json.transactions]) if (rows?.[1]) rows[1].status = 'pending'
      await route.fulfill({ response: answer, json })
    },
  )
  await page.addInitScript(
    ([savedLanguage, size]) => {
      localStorage.setItem('alder.language', savedLanguage)
      document.addEventListener('DOMContentLoaded', () => (document.documentElement.style.fontSize = size))
    },
    [language, TWICE] as const,
  )
  await page.setViewportSize(NARROW)
}

async function fill(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).first().fill(text)
}

const amountField = 'input[inputmode=decimal]'

/** The screens that show money, each with the steps that make it show the most text. */
const MONEY: readonly [path: string, prepare?: (page: Page) => Promise<unknown>][] = [
  ['/dashboard'],
  ['/transactions'],
  ['/transactions', (page) => page.locator('main li a').first().click()],
  [
    '/transactions?status=pending&minMinor=500&maxMinor=123456789',
    (page) => page.locator('main [aria-haspopup]').click(),
  ],
  ['/transfer', (page) => fill(page, amountField, '1234567')],
  ['/transfer', (page) => page.getByRole('radio').last().click()],
  ['/request', (page) => fill(page, amountField, '1234567')],
  ['/request', (page) => page.locator('main section li a').first().click()],
  ['/split-bill', (page) => fill(page, amountField, '1234567')],
  ['/add-money', (page) => fill(page, amountField, '1234567')],
  ['/payment-methods'],
  ['/payment-methods', (page) => page.locator('main section li button[aria-haspopup]').last().click()],
  ['/savings', (page) => fill(page, amountField, '1234567')],
  ['/savings', (page) => page.locator('main li [aria-haspopup]').first().click()],
  ['/cards'],
  ['/cards', (page) => page.locator('article [aria-haspopup]').first().click()],
  ['/cards', (page) => page.locator('article [aria-haspopup]').last().click()],
  ['/rewards'],
  ['/statements'],
  ['/account-details'],
  ['/analytics'],
  ['/analytics', (page) => page.locator('main section li [aria-haspopup]').first().click()],
  ['/carbon-footprint'],
  ['/carbon-footprint', (page) => page.locator('main section [aria-haspopup]').first().click()],
]

const OTHERS: typeof MONEY = [
  '/notifications',
  '/notifications/preferences',
  '/settings',
  '/security-privacy',
  '/personal-info',
  '/language',
  '/help-center',
  '/help-center?q=card',
  '/help-center?topic=payments',
  '/help-center/article?topic=account&id=premium',
  '/kyc',
  '/sample',
  '/sample/mail',
  '/',
  '/login',
  '/signup',
].map((path) => [path])

/**
 * The pseudo language is the longest and Arabic is written from right to left. They cover all screens; German covers the
 * screens with money.
 */
const SCREENS = { de: MONEY, ar: [...MONEY, ...OTHERS], pseudo: [...MONEY, ...OTHERS] }

for (const [language, screens] of Object.entries(SCREENS)) {
  test(`text at twice its size in ${language} shows every amount whole, and no element covers another`, async ({
    page,
  }) => {
    test.setTimeout(240_000)
    await open(page, language)
    for (const [path, prepare] of screens) {
      await test.step(path, async () => {
        await goTo(page, path)
        await expect(page.locator('h1').first()).toBeAttached()
        await expect(page.locator('.animate-shimmer')).toHaveCount(0)
        await prepare?.(page)
        await expect.poll(() => findTextOverflows(page)).toEqual([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
        if (language === 'ar') await expectAccessible(page, path)
      })
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}
