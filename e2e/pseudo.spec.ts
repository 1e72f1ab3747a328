import { expect, type Page, test } from '@playwright/test'
import { LANGUAGES } from '#contract/languages.ts'
import { SUPPORT } from '#web/help/support.ts'
import { ALL } from '../scripts/test-effort.ts'
import { expectAppReady, isBankRequest, followRequests, goTo, NO_SCREEN, setPageLanguage, visit } from './bank.ts'

/*
 * Opens the screens below in a pseudo language that looks foreign and is a third longer. A text that stays English is missing
 * from the catalogs. A text that is too wide here would be too wide in German.
 */

const NARROW = { width: 320, height: 640 }

/** Words that stay English: dates, times, currencies, file formats, and the names of the app, browsers and systems. */
const NOT_TRANSLATED =
  /\b(Alder|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sun|Mon|Tue|Wed|Thu|Fri|Sat|UTC|USD|GBP|PDF|JPEG|PNG|Yesterday|Last week|ago|hr|min|days|English|Chrome|HeadlessChrome|Linux|Android|alt)\b/g

/** Returns the texts that a person can read or hear on the current page. */
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

/**
 * Collects all texts that the bank sent to the page, such as names, merchants and addresses, and the parts of them that the
 * page shows alone.
 */
function collect(value: unknown, into: Set<string>, key = ''): void {
  if (typeof value === 'string') {
    // An email address may break after its @ and its dots, and the app greets people by their first name.
    for (const part of [value, ...value.split(/[@.]/), ...(key === 'fullName' ? value.split(' ') : [])]) into.add(part)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, each] of Object.entries(value)) collect(each, into, name)
  }
}

async function expectTranslated(page: Page, untranslatedTexts: ReadonlySet<string>): Promise<void> {
  const longestFirst = [...untranslatedTexts].filter((text) => text.length > 2).toSorted((a, b) => b.length - a.length)
  const english = (await textsOf(page))
    .map((text) =>
      longestFirst.reduce((remainingText, untranslated) => remainingText.replaceAll(untranslated, ' '), text),
    )
    .map((text) => text.replaceAll(NOT_TRANSLATED, ' '))
    .filter((text) => /[A-Za-z]{3}/.test(text))
  expect(english).toEqual([])
}

/** The screens of a payment are tested in each run, the others in `npm run test:all`. */
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

/** The names of languages. A screen of its own shows them, and no catalog has them. */
const LANGUAGE_NAMES = Object.values(LANGUAGES).flatMap(({ name, nativeName }) => [name, nativeName])

for (const [name, paths] of Object.entries({ 'a payment': PAYMENT, ...(ALL ? OTHERS : {}) })) {
  test(`${name} has only texts from the catalog, and no element is wider than the screen`, async ({ page }) => {
    // An email address may break after its @ and its dots.
    const untranslatedTexts = new Set<string>([...LANGUAGE_NAMES, ...SUPPORT.email.split(/(?<=[@.])/)])
    const bodyReads: Promise<void>[] = []
    page.on('response', (response) => {
      if (!isBankRequest(response.request()) || !response.ok()) return
      bodyReads.push(
        response.json().then(
          (body: unknown) => collect(body, untranslatedTexts),
          () => undefined,
        ),
      )
    })
    const allCame = followRequests(page)
    if (name !== 'before signing in') await visit(page)
    await setPageLanguage(page, 'pseudo')
    await page.setViewportSize(NARROW)
    for (const path of paths) {
      await test.step(path, async () => {
        await goTo(page, path)
        await expect(page.locator('h1').first()).toBeAttached()
        await expectAppReady(page)
        await allCame()
        await Promise.all(bodyReads)
        await expectTranslated(page, untranslatedTexts)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(NARROW.width)
      })
    }
  })
}
