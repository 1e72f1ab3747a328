import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import { type Language, LANGUAGES } from '#contract/languages.ts'
import { router } from '#web/app/routes.tsx'
import { chooseLanguage } from '#web/i18n/language.ts'
import { expectAccessible } from '#web/test/accessible.ts'
import { address, open, press } from '#web/test/app.tsx'
import { bank, refused } from '#web/test/bank.ts'

const bar = page.getByRole('navigation', { name: 'Main' })
const tab = (name: string) => bar.getByText(name, { exact: true })
const sheet = page.getByRole('dialog')
const back = page.getByRole('link', { name: 'Back', exact: true })
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const barElement = () => document.querySelector<HTMLElement>('.tab-bar')
const currentTabs = () => [...(barElement()?.querySelectorAll('[aria-current]') ?? [])].map((one) => one.textContent)

/** The words of the bar that stand beyond the window or in others. */
function overflowing(): string[] {
  const labels = [...(barElement()?.querySelectorAll('.tab-label') ?? [])]
    .map((label) => ({ text: label.textContent, box: label.getBoundingClientRect() }))
    .toSorted((one, other) => one.box.left - other.box.left)
  expect(labels).toHaveLength(5)
  return labels
    .filter(({ box }, at) => box.left < (labels[at - 1]?.box.right ?? 0) - 0.5 || box.right > innerWidth)
    .map(({ text }) => text)
}

beforeEach(() => page.viewport(390, 844))

describe('the tab bar', () => {
  test('leads to the places, says which one is open, and keeps its room free', async () => {
    await open('/dashboard')
    await expect.element(bar).toBeVisible()
    await expect.poll(currentTabs).toEqual(['Home'])
    await tab('Transactions').click()
    await expect.poll(address).toBe('/transactions')
    await expect.poll(currentTabs).toEqual(['Transactions'])
    await router.navigate('/statements')
    await expect.poll(currentTabs).toEqual(['Transactions'])
    await router.navigate('/transfer')
    await expect.poll(currentTabs).toEqual(['Pay'])
    await router.navigate('/loans')
    await expect.poll(currentTabs).toEqual(['More'])
    await expectAccessible('tab bar')

    // The end of a screen stands above it.
    window.scrollTo(0, document.documentElement.scrollHeight)
    const main = document.querySelector('main')?.getBoundingClientRect()
    expect(main?.bottom).toBeLessThanOrEqual(barElement()?.getBoundingClientRect().top ?? 0)
  })

  test('is not where one signs in or shows papers, nor beside a rail', async () => {
    bank.post('/session/passkey/options', refused('too_many_requests'))
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

  test('pressed on its own screen, a tab leads to the top', async () => {
    await open('/transactions')
    await expect.element(page.getByText('Today')).toBeVisible()
    window.scrollTo(0, 400)
    const { key } = router.state.location
    await tab('Transactions').click()
    await expect.poll(() => window.scrollY).toBe(0)
    expect(router.state.location.key).toBe(key)
  })

  test('Pay opens all ways to pay, and a contact fills in whom', async () => {
    await open('/dashboard')
    await tab('Pay').click()
    for (const way of ['Send Money', 'Request Money', 'Split Bill', 'Add Money', 'Payment Methods'])
      await expect.element(sheet.getByRole('link', { name: new RegExp(`^${way}`) })).toBeVisible()
    await expectAccessible('ways to pay')
    await sheet.getByRole('link', { name: /^Request Money/ }).click()
    await expect.poll(address).toBe('/request')
    await expect.element(sheet).not.toBeInTheDocument()
    // The sheet left no step behind.
    await back.click()
    await expect.poll(address).toBe('/dashboard')

    const { contacts } = await bank.recorded('/contacts')
    await tab('Pay').click()
    await sheet.getByRole('button', { name: contacts[0]?.name ?? '' }).click()
    await expect.poll(address).toBe('/transfer')
    await expect.element(page.getByRole('textbox', { name: 'Recipient' })).toHaveValue(contacts[0]?.email)
  })

  test('More lists every other place; Back closes it, and the search that it opens', async () => {
    await open('/dashboard')
    await tab('More').click()
    for (const place of ['Savings', 'Invest', 'AI Advisor', 'Crypto', 'Rewards', 'Settings', 'Language', 'Help Center'])
      await expect.element(sheet.getByRole('link', { name: place, exact: true })).toBeVisible()
    await expect.element(sheet.getByRole('button', { name: 'Log Out' })).toBeVisible()
    await expectAccessible('other places')
    history.back()
    await expect.element(sheet).not.toBeInTheDocument()
    expect(address()).toBe('/dashboard')

    await tab('More').click()
    await sheet.getByRole('button', { name: 'Search' }).click()
    const search = page.getByRole('combobox')
    await expect.element(search).toHaveFocus()
    history.back()
    await expect.element(search).not.toBeInTheDocument()
    expect(address()).toBe('/dashboard')
    await tab('More').click()
    await sheet.getByRole('link', { name: 'Savings', exact: true }).click()
    await expect.poll(address).toBe('/savings')
  })

  describe('with large text', () => {
    afterEach(async () => {
      document.documentElement.style.fontSize = ''
      await chooseLanguage('en')
    })

    test('fits in every language at 320 pixels', async () => {
      await page.viewport(320, 700)
      bank.patch('/preferences', refused('too_many_requests'))
      await open('/language')
      await expect.element(bar).toBeVisible()
      for (const code of Object.keys(LANGUAGES) as Language[]) {
        await chooseLanguage(code)
        await expect.poll(() => document.documentElement.lang).toBe(code)
        for (const size of ['100%', '200%']) {
          document.documentElement.style.fontSize = size
          expect(overflowing(), `${code} at ${size}`).toEqual([])
        }
      }
    }, 120_000)
  })
})

describe('the arrow', () => {
  test('leads back to where the customer came from, as they left it', async () => {
    await open('/dashboard')
    await page
      .getByRole('link', { name: /Corner Café|Coffee|Greenmarket/ })
      .first()
      .click()
    await expect.poll(address).toContain('/transaction-detail')
    await back.click()
    await expect.poll(address).toBe('/dashboard')

    await tab('Transactions').click()
    await expect.element(page.getByText('Today')).toBeVisible()
    await expect.poll(() => document.documentElement.scrollHeight).toBeGreaterThan(1400)
    window.scrollTo(0, 500)
    await expect.poll(() => window.scrollY).toBe(500)
    await router.navigate('/statements')
    await expect.element(heading('Statements')).toBeVisible()
    await expect.poll(() => window.scrollY).toBe(0)
    await back.click()
    await expect.poll(address).toBe('/transactions')
    await expect.poll(() => window.scrollY).toBe(500)

    // Elsewhere first: what a screen stands under is not where it leads.
    await router.navigate('/dashboard')
    await router.navigate('/payment-methods')
    await expect.element(heading('Payment Methods')).toBeVisible()
    await router.navigate('/cards')
    await expect.element(heading('Cards')).toBeVisible()
    await back.click()
    await expect.poll(address).toBe('/payment-methods')
    await back.click()
    await expect.poll(address).toBe('/dashboard')
  })

  test('of an address that was opened itself leads to the screen above, in its place', async () => {
    await open('/language')
    const { length } = history
    await back.click()
    await expect.poll(address).toBe('/settings')
    await back.click()
    await expect.poll(address).toBe('/dashboard')
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

  test('are asked about before the screen is left, by whichever way', async () => {
    await edit()
    for (const leave of [() => back.click(), () => Promise.resolve(history.back()), () => tab('Cards').click()]) {
      await leave()
      await expect.element(sheet.getByText('Leave without saving?')).toBeVisible()
      await press(sheet.getByRole('button', { name: 'Keep Editing' }))
      await expect.element(sheet).not.toBeInTheDocument()
      expect(address()).toBe('/personal-info')
      await expect.element(name).toHaveValue('Ada Byron')
      await expect.poll(() => (history.state as { sheets?: number }).sheets ?? 0).toBe(0)
    }
    const closing = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(closing)
    expect(closing.defaultPrevented).toBe(true)

    // Back closes the question, and is then free to ask it again.
    await back.click()
    await expect.element(sheet.getByText('Leave without saving?')).toBeVisible()
    await expect.poll(() => (history.state as { sheets?: number }).sheets).toBe(1)
    history.back()
    await expect.element(sheet).not.toBeInTheDocument()
    expect(address()).toBe('/personal-info')
    await back.click()
    await press(sheet.getByRole('button', { name: 'Discard Changes' }))
    await expect.poll(address).toBe('/settings')
    await expect.element(heading('Settings')).toBeVisible()
  })

  test('that are none keep nobody', async () => {
    await edit()
    await page.getByRole('button', { name: 'Discard Changes' }).click()
    await back.click()
    await expect.poll(address).toBe('/settings')
  })
})

describe('what was typed', () => {
  const amount = page.getByRole('textbox', { name: 'Amount', exact: true })
  const note = page.getByLabelText('Note (optional)')

  async function type(): Promise<void> {
    await open('/dashboard')
    await router.navigate('/request')
    await amount.fill('25')
    await note.fill('Lunch')
    await userEvent.tab()
  }

  test('is there again after a wrong swipe', async () => {
    await type()
    history.back()
    await expect.element(amount).not.toBeInTheDocument()
    history.forward()
    await expect.element(note).toHaveValue('Lunch')
    await expect.element(amount).toHaveValue('25.00')
  })

  test('is gone once the screen was left on purpose', async () => {
    await type()
    await back.click()
    await expect.element(amount).not.toBeInTheDocument()
    expect(sessionStorage.getItem('alder.typed')).not.toContain('Lunch')
    await router.navigate('/request')
    await expect.element(note).toHaveValue('')
  })

  test('is for nobody else', async () => {
    await type()
    history.back()
    await expect.element(amount).not.toBeInTheDocument()
    const kept = sessionStorage.getItem('alder.typed') ?? ''
    expect(kept).toContain('Lunch')
    sessionStorage.setItem('alder.typed', kept.replace(/"owner":"[^"]*"/, '"owner":"someone@example.com"'))
    history.forward()
    await expect.element(note).toBeVisible()
    await expect.element(note).toHaveValue('')
  })
})
