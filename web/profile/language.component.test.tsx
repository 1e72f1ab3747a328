import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { setCustomerLanguage, open, openIn, findToast } from '#web/test/app.tsx'
import { bank, changeRequests } from '#web/test/bank.ts'

const lang = () => document.documentElement.lang
const box = (element: Element | null) => element?.getBoundingClientRect() ?? new DOMRect()

/** Mocks a bank that stores the chosen language. */
async function keepChoice(): Promise<void> {
  const [profile, me] = [await bank.recorded('/profile'), await bank.recorded('/me')]
  bank.patch('/preferences', ({ json }) => {
    bank.get('/me', { ...me, customer: { ...me.customer, language: json.language ?? null } })
    return Object.assign({}, profile, json)
  })
}

test('German is chosen, and used from then on, first by the toast', async () => {
  await keepChoice()
  await open('/language')
  await expect.element(page.getByRole('radio', { name: /English/ })).toBeChecked()
  await page.getByRole('radio', { name: /Deutsch/ }).click()
  await expect.element(findToast('Sprache auf Deutsch geändert')).toBeVisible()
  expect(lang()).toBe('de')
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Sprache')
  await expect.element(page.getByRole('radio', { name: /Deutsch/ })).toHaveFocus()
  expect(changeRequests().at(-1)).toMatchObject({ path: '/preferences', json: { language: 'de' } })
  // The device stores the language for the next start of the app.
  expect(localStorage.getItem('alder.language')).toBe('de')
})

test('the language chosen on another device is used here, too', async () => {
  await setCustomerLanguage('ar')
  await open('/dashboard')
  await expect.poll(() => document.documentElement.dir).toBe('rtl')
  await expect.element(page.getByRole('main')).toMatchTextContent('المعاملات')
})

test('Arabic is displayed from right to left, amounts and times from left to right', async () => {
  await openIn('ar', '/transactions')
  const row = page.getByRole('main').getByRole('listitem').getByRole('link').first()
  await expect.element(row).toMatchTextContent('$5.60')
  // The icon is at the right, where a line begins in a right-to-left language.
  const [icon, rowBox] = [box(row.element().querySelector('svg')), box(row.element())]
  expect(icon.x).toBeGreaterThan(rowBox.x + rowBox.width / 2)

  await open('/analytics')
  const bar = (month: string) => document.querySelector(`[data-bar="${month}"]`)
  await expect.poll(() => bar('2026-08')).not.toBeNull()
  expect(box(bar('2026-01')).x).toBeLessThan(box(bar('2026-08')).x)
})

test('an amount is entered in the format of the language', async () => {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/top-ups', ({ json: { amountMinor } }) => ({
    transaction: { ...transaction, amountMinor },
    settlesAt: null,
  }))
  await openIn('de', '/add-money')
  const amount = page.getByRole('textbox').first()
  await amount.fill('1.234,56')
  await expect.element(amount).toHaveValue('1.234,56')
  await page.getByRole('radio').first().click()
  await page.getByRole('main').getByRole('button').last().click()
  await expect.poll(() => changeRequests().at(-1)).toMatchObject({ path: '/top-ups', json: { amountMinor: 1_234_56 } })
  await expect.element(findToast(/1\.234,56/)).toBeVisible()
})

test('an amount in a filter is shown in the format of the language', async () => {
  await openIn('de', '/transactions?minMinor=123456')
  await page.getByRole('button', { name: 'Filter, 1 aktiv' }).click()
  const sheet = page.getByRole('dialog')
  const minimum = sheet.getByLabelText('Mindestens')
  await expect.element(minimum).toHaveValue('1.234,56')
  await minimum.fill('12,5')
  await sheet.getByRole('heading').first().click()
  await expect.element(minimum).toHaveValue('12,50')
  await sheet.getByRole('button', { name: /anzeigen$/ }).click()
  await expect.poll(() => location.search).toMatch(/minMinor=1250$/)
})
