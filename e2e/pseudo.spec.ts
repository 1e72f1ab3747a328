import { expect, type Page, test } from '@playwright/test'
import { LANGUAGES } from '#contract/languages.ts'
import { SUPPORT } from '#web/help/support.ts'
import { ALL } from '../scripts/strength.ts'
import { appStands, asksBank, followRequests, goTo, NO_SCREEN, speak, visit } from './bank.ts'

/*
 * Every screen in a language that looks foreign and is a third longer: what is still English is no text of a catalog,
 * and what is too wide would be so in German.
 */

const NARROW = { width: 320, height: 640 }

/** Dates and times are English, as is what stands for the name of the app, a currency or a format. */
const NOT_TRANSLATED =
  /\b(Alder|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sun|Mon|Tue|Wed|Thu|Fri|Sat|UTC|USD|GBP|PDF|JPEG|PNG|Yesterday|Last week|ago|hr|min|days|English|Chrome|HeadlessChrome|Linux|Android|alt)\b/g

/** Texts that a person reads or hears on the page as it is. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set<string>([document.title])
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (!parentElement?.closest('script, style, noscript, [hidden], [data-sonner-toaster]'))
        texts.add(textContent ?? '')
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.add(element.getAttribute(name) ?? '')
    return [...texts]
  })
}

/** All texts that the bank sent the page: names, merchants, addresses; and what the page shows of them alone. */
function collect(value: unknown, into: Set<string>, key = ''): void {
  if (typeof value === 'string') {
    // An address may go on in another line after its @ and its dots, and people are greeted by their first name.
    for (const part of [value, ...value.split(/[@.]/), ...(key === 'fullName' ? value.split(' ') : [])]) into.add(part)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) collect(each, into, name)
  }
}

async function expectTranslated(page: Page, said: ReadonlySet<string>): Promise<void> {
  const longestFirst = [...said].filter((text) => text.length > 2).toSorted((a, b) => b.length - a.length)
  const english = (await textsOf(page))
    .map((text) => longestFirst.reduce((rest, known) => rest.replaceAll(known, ' '), text))
    .map((text) => text.replaceAll(NOT_TRANSLATED, ' '))
    .filter((text) => /[A-Za-z]{3}/.test(text))
  expect(english).toEqual([])
}

/** The screens of a payment in each run, the others in `npm run test:all`. */
const PAYMENT = ['/dashboard', '/transactions', '/transfer']

const OTHERS = {
  'before signing in': ['/', '/signup', '/login', '/reset-password', '/confirm-email', '/claim'],
  money: [
    '/request',
    '/add-money',
    '/savings',
    '/kyc',
    NO_SCREEN,
    '/cards',
    '/split-bill',
    '/rewards',
    '/statements',
    '/account-details',
    '/ai-advisor',
    '/analytics',
    '/carbon-footprint',
  ],
  'the customer': [
    '/settings',
    '/personal-info',
    '/security-privacy',
    '/security-privacy/devices',
    '/security-privacy/activity',
    '/payment-methods',
    '/language',
    '/help-center',
    '/help-center?topic=security',
    '/help-center/article?id=freeze_card',
    '/notifications',
    '/notifications/preferences',
    '/sample',
    '/sample/mail',
  ],
}

/** What languages are called stands on a screen of its own, and is no text of a catalog. */
const LANGUAGE_NAMES = Object.values(LANGUAGES).flatMap(({ name, nativeName }) => [name, nativeName])

for (const [name, paths] of Object.entries({ 'a payment': PAYMENT, ...(ALL ? OTHERS : {}) })) {
  test(`${name}: every text is one of the catalog, and nothing is wider than the screen`, async ({ page }) => {
    // An address goes on in another line after its @ and its dots.
    const said = new Set<string>([...LANGUAGE_NAMES, ...SUPPORT.email.split(/(?<=[@.])/)])
    const reading: Promise<void>[] = []
    page.on('response', (response) => {
      if (!asksBank(response.request()) || !response.ok()) return
      reading.push(
        response.json().then(
          (body: unknown) => collect(body, said),
          () => undefined,
        ),
      )
    })
    const allCame = followRequests(page)
    if (name !== 'before signing in') await visit(page)
    await speak(page, 'pseudo')
    await page.setViewportSize(NARROW)
    for (const path of paths) {
      await test.step(path, async () => {
        await goTo(page, path)
        await expect(page.locator('h1').first()).toBeAttached()
        await appStands(page)
        await allCame()
        await Promise.all(reading)
        await expectTranslated(page, said)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
      })
    }
  })
}
