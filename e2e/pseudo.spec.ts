import { expect, type Page, test } from '@playwright/test'
import { walk, type Screen } from './accessibility.ts'
import { visit } from './bank.ts'

/**
 * Every screen in a language that looks foreign and is a third longer: what is still English is no text of a catalog,
 * and what is cut off would be in German.
 */
test.use({ reducedMotion: 'reduce' } as object)

/** Dates and times are English, as is what stands for the name of the app, a currency or a format. */
const NOT_TRANSLATED =
  /\b(Alder|January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Sunday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sun|Mon|Tue|Wed|Thu|Fri|Sat|UTC|USD|GBP|PDF|JPEG|PNG|English|Chrome|HeadlessChrome|Linux|Android)\b/g

/** Texts that a person reads or hears on the page as it is. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = new Set<string>([document.title])
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (!parentElement?.closest('script, style, noscript, [data-sonner-toaster]')) texts.add(textContent ?? '')
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.add(element.getAttribute(name) ?? '')
    return [...texts]
  })
}

/** All texts that the bank sent the page: names, merchants, addresses. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') into.add(value)
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collect(each, into)
}

async function expectTranslated(page: Page, said: ReadonlySet<string>): Promise<void> {
  const longestFirst = [...said].filter((text) => text.length > 2).toSorted((a, b) => b.length - a.length)
  const english = (await textsOf(page))
    .map((text) => longestFirst.reduce((rest, known) => rest.replaceAll(known, ' '), text))
    .map((text) => text.replaceAll(NOT_TRANSLATED, ' '))
    .filter((text) => /[A-Za-z]{3}/.test(text))
  expect(english).toEqual([])
}

const SCREENS = {
  'before signing in': ['/', '/signup', '/login', '/reset-password', '/confirm-email', '/claim'],
  money: ['/dashboard', '/transactions', '/transfer', '/add-money', '/kyc', '/no-such-page'],
  'the customer': ['/settings', '/personal-info', '/security-privacy', '/language', '/sample', '/sample/mail'],
  'not built yet': ['/request', '/cards', '/savings', '/rewards', '/help-center'],
}

for (const [name, paths] of Object.entries(SCREENS)) {
  test(`${name}: every text is one of the catalog, and nothing is wider than the screen`, async ({ page }) => {
    test.setTimeout(60_000)
    const said = new Set<string>()
    page.on('response', (response) => {
      if (response.url().includes('/api/') && response.ok())
        void response.json().then(
          (body: unknown) => collect(body, said),
          () => undefined,
        )
    })
    if (name !== 'before signing in') await visit(page)
    await page.addInitScript(() => localStorage.setItem('alder.language', 'pseudo'))
    const screens = paths.map((path): Screen => [
      path,
      async () => {
        await page.goto(path, { waitUntil: 'networkidle' })
        await expect(page.locator('h1').first()).toBeAttached()
        await expectTranslated(page, said)
      },
    ])
    await walk(page, screens)
  })
}
