import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { type Language, LANGUAGES } from '#contract/languages.ts'
import { router } from '#web/app/routes.tsx'
import { chooseLanguage } from '#web/i18n/language.ts'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { readAddress, open, pressByKey } from '#web/test/app.tsx'
import { bank, refusalAnswer } from '#web/test/bank.ts'

const bar = page.getByRole('navigation', { name: 'Main' })
const tab = (name: string) => bar.getByText(name, { exact: true })
const sheet = page.getByRole('dialog')
const back = page.getByRole('link', { name: 'Back', exact: true })
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const barElement = () => document.querySelector<HTMLElement>('.tab-bar')
const currentTabs = () =>
  [...(barElement()?.querySelectorAll('[aria-current]') ?? [])].map((element) => element.textContent)

/** Returns the labels of the bar that overflow the window or overlap others. */
function findOverflowing(): string[] {
  const labels = [...(barElement()?.querySelectorAll('.tab-label') ?? [])]
    .map((label) => ({ text: label.textContent, box: label.getBoundingClientRect() }))
    .toSorted((first, second) => first.box.left - second.box.left)
  expect(labels).toHaveLength(5)
  return labels
    .filter(({ box }, index) => box.left < (labels[index - 1]?.box.right ?? 0) - 0.5 || box.right > innerWidth)
    .map(({ text }) => text)
}

beforeEach(() => page.viewport(390, 844))

describe('the tab bar', () => {
  test('links to the places, marks the open one, and keeps its space free', async () => {
    await open('/dashboard')
    await expect.element(bar).toBeVisible()
    await expect.poll(currentTabs).toEqual(['Home'])
    await tab('Transactions').click()
    await expect.poll(readAddress).toBe('/transactions')
    await expect.poll(currentTabs).toEqual(['Transactions'])
    await router.navigate('/statements')
    await expect.poll(currentTabs).toEqual(['Transactions'])
    await router.navigate('/transfer')
    await expect.poll(currentTabs).toEqual(['Pay'])
    await router.navigate('/loans')
    await expect.poll(currentTabs).toEqual(['More'])
    await expectNoAxeViolations('tab bar')

    // The end of a screen is above the bar.
    window.scrollTo(0, document.documentElement.scrollHeight)
    const main = document.querySelector('main')?.getBoundingClientRect()
    expect(main?.bottom).toBeLessThanOrEqual(barElement()?.getBoundingClientRect().top ?? 0)
  })

  test('is hidden on sign-in and document screens, and beside a rail', async () => {
    bank.post('/session/passkey/options', refusalAnswer('too_many_requests'))
    for (const path of ['/kyc', '/', '/login', '/signup']) {
      await open(path)
      await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(barElement()).toBeNull()
      await cleanup()
    }
    await open('/language')
    await expect.element(bar).toBeVisible()
    await page.viewport(1024, 800)
    await expect.poll(barElement).toBeNull()
  })

  test('scrolls its own screen to the top when its tab is pressed', async () => {
    await open('/transactions')
    await expect.element(page.getByText('Today')).toBeVisible()
    window.scrollTo(0, 400)
    const { key } = router.state.location
    await tab('Transactions').click()
    await expect.poll(() => window.scrollY).toBe(0)
    expect(router.state.location.key).toBe(key)
  })

  test('opens all ways to pay with Pay, and a contact fills in the recipient', async () => {
    await open('/dashboard')
    await tab('Pay').click()
    for (const title of ['Send Money', 'Request Money', 'Split Bill', 'Add Money', 'Payment Methods'])
      await expect.element(sheet.getByRole('link', { name: new RegExp(`^${title}`) })).toBeVisible()
    await expectNoAxeViolations('ways to pay')
    await sheet.getByRole('link', { name: /^Request Money/ }).click()
    await expect.poll(readAddress).toBe('/request')
    await expect.element(sheet).not.toBeInTheDocument()
    // The sheet left no history entry.
    await back.click()
    await expect.poll(readAddress).toBe('/dashboard')

    const { contacts } = await bank.recorded('/contacts')
    await tab('Pay').click()
    await sheet.getByRole('button', { name: contacts[0]?.name ?? '' }).click()
    await expect.poll(readAddress).toBe('/transfer')
    await expect.element(page.getByRole('textbox', { name: 'Recipient' })).toHaveValue(contacts[0]?.email)
  })

  test('lists every other place under More, and Back closes it and the search that it opens', async () => {
    await open('/dashboard')
    await tab('More').click()
    for (const place of ['Savings', 'Invest', 'AI Advisor', 'Crypto', 'Rewards', 'Settings', 'Language', 'Help Center'])
      await expect.element(sheet.getByRole('link', { name: place, exact: true })).toBeVisible()
    await expect.element(sheet.getByRole('button', { name: 'Log Out' })).toBeVisible()
    await expectNoAxeViolations('other places')
    history.back()
    await expect.element(sheet).not.toBeInTheDocument()
    expect(readAddress()).toBe('/dashboard')

    await tab('More').click()
    await sheet.getByRole('button', { name: 'Search' }).click()
    const search = page.getByRole('combobox')
    await expect.element(search).toHaveFocus()
    history.back()
    await expect.element(search).not.toBeInTheDocument()
    expect(readAddress()).toBe('/dashboard')
    await tab('More').click()
    await sheet.getByRole('link', { name: 'Savings', exact: true }).click()
    await expect.poll(readAddress).toBe('/savings')
  })

  describe('with large text', () => {
    afterEach(async () => {
      document.documentElement.style.fontSize = ''
      await chooseLanguage('en')
    })

    test('fits in every language at 320 pixels', async () => {
      await page.viewport(320, 700)
      bank.patch('/preferences', refusalAnswer('too_many_requests'))
      await open('/language')
      await expect.element(bar).toBeVisible()
      for (const code of Object.keys(LANGUAGES) as Language[]) {
        await chooseLanguage(code)
        await expect.poll(() => document.documentElement.lang).toBe(code)
        for (const size of ['100%', '200%']) {
          document.documentElement.style.fontSize = size
          expect(findOverflowing(), `${code} at ${size}`).toEqual([])
        }
      }
    }, 120_000)
  })
})

describe('the back arrow', () => {
  test('returns to the previous screen, in its former state', async () => {
    await open('/dashboard')
    await page
      .getByRole('link', { name: /Corner Café|Coffee|Greenmarket/ })
      .first()
      .click()
    await expect.poll(readAddress).toContain('/transaction-detail')
    await back.click()
    await expect.poll(readAddress).toBe('/dashboard')

    await tab('Transactions').click()
    await expect.element(page.getByText('Today')).toBeVisible()
    await expect.poll(() => document.documentElement.scrollHeight).toBeGreaterThan(1400)
    window.scrollTo(0, 500)
    await expect.poll(() => window.scrollY).toBe(500)
    await router.navigate('/statements')
    await expect.element(heading('Statements')).toBeVisible()
    await expect.poll(() => window.scrollY).toBe(0)
    await back.click()
    await expect.poll(readAddress).toBe('/transactions')
    await expect.poll(() => window.scrollY).toBe(500)

    // Visits another screen first, because the arrow leads to the previous screen and not to the parent.
    await router.navigate('/dashboard')
    await router.navigate('/payment-methods')
    await expect.element(heading('Payment Methods')).toBeVisible()
    await router.navigate('/cards')
    await expect.element(heading('Cards')).toBeVisible()
    await back.click()
    await expect.poll(readAddress).toBe('/payment-methods')
    await back.click()
    await expect.poll(readAddress).toBe('/dashboard')
  })

  test('opens the parent screen, in its place, if the address was opened directly', async () => {
    await open('/language')
    const { length } = history
    await back.click()
    await expect.poll(readAddress).toBe('/settings')
    await back.click()
    await expect.poll(readAddress).toBe('/dashboard')
    expect(history.length).toBe(length)
  })
})

describe('unsaved edits', () => {
  const name = page.getByLabelText('Full Name', { exact: true })

  async function edit(): Promise<void> {
    await open('/settings')
    await page.getByRole('link', { name: /Personal Information/ }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await name.fill('Ada Byron')
  }

  test('cause a question before the screen is left, in every way', async () => {
    await edit()
    for (const leave of [() => back.click(), () => Promise.resolve(history.back()), () => tab('Cards').click()]) {
      await leave()
      await expect.element(sheet.getByText('Leave without saving?')).toBeVisible()
      await pressByKey(sheet.getByRole('button', { name: 'Keep Editing' }))
      await expect.element(sheet).not.toBeInTheDocument()
      expect(readAddress()).toBe('/personal-info')
      await expect.element(name).toHaveValue('Ada Byron')
      await expect.poll(() => (history.state as { sheets?: number }).sheets ?? 0).toBe(0)
    }
    const closeEvent = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(closeEvent)
    expect(closeEvent.defaultPrevented).toBe(true)

    // Back closes the question. The next attempt to leave may ask it again.
    await back.click()
    await expect.element(sheet.getByText('Leave without saving?')).toBeVisible()
    await expect.poll(() => (history.state as { sheets?: number }).sheets).toBe(1)
    history.back()
    await expect.element(sheet).not.toBeInTheDocument()
    expect(readAddress()).toBe('/personal-info')
    await back.click()
    await pressByKey(sheet.getByRole('button', { name: 'Discard Changes' }))
    await expect.poll(readAddress).toBe('/settings')
    await expect.element(heading('Settings')).toBeVisible()
  })

  test('that equal the saved values cause none', async () => {
    await edit()
    await page.getByRole('button', { name: 'Discard Changes' }).click()
    await back.click()
    await expect.poll(readAddress).toBe('/settings')
  })
})

describe('the input of a form', () => {
  const amount = page.getByRole('textbox', { name: 'Amount', exact: true })
  const note = page.getByLabelText('Note (optional)')

  async function type(): Promise<void> {
    await open('/dashboard')
    await router.navigate('/request')
    await amount.fill('25')
    await note.fill('Lunch')
    await userEvent.tab()
  }

  test('is there again after a mistaken swipe', async () => {
    await type()
    history.back()
    await expect.element(amount).not.toBeInTheDocument()
    history.forward()
    await expect.element(note).toHaveValue('Lunch')
    await expect.element(amount).toHaveValue('25.00')
  })

  test('is discarded when the screen was left on purpose', async () => {
    await type()
    await back.click()
    await expect.element(amount).not.toBeInTheDocument()
    expect(sessionStorage.getItem('alder.typed')).not.toContain('Lunch')
    await router.navigate('/request')
    await expect.element(note).toHaveValue('')
  })

  test('is not shown to another customer', async () => {
    await type()
    history.back()
    await expect.element(amount).not.toBeInTheDocument()
    const drafts = sessionStorage.getItem('alder.typed') ?? ''
    expect(drafts).toContain('Lunch')
    sessionStorage.setItem('alder.typed', drafts.replace(/"owner":"[^"]*"/, '"owner":"someone@example.com"'))
    history.forward()
    await expect.element(note).toBeVisible()
    await expect.element(note).toHaveValue('')
  })
})
