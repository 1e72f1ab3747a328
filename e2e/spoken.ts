import { expect, type Page } from '@playwright/test'
import { appStands } from './bank.ts'

/** What English has no letter of, and the pseudo language has in every word. */
const ACCENTED = /[åƀçðéƒĝĥîĵķļɱñöþǫřšţûṽŵẋýž]/i

/**
 * Has an open page speak another language, as where one was chosen in another tab: a tenth of what opening it anew costs. The
 * screen begins anew; what it has asked the bank for it keeps.
 */
export async function speakOn(page: Page, language: string): Promise<void> {
  await appStands(page)
  await page.evaluate((newValue) => {
    localStorage.setItem('alder.language', newValue)
    dispatchEvent(new StorageEvent('storage', { key: 'alder.language', newValue }))
  }, language)
  await expect(page.locator('html')).toHaveAttribute('lang', language === 'pseudo' ? 'en' : language)
  if (language === 'pseudo') await expect(page.locator('h1').first()).toHaveText(ACCENTED)
}
