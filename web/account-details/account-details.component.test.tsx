import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { grouped } from '#contract/bank-numbers.ts'
import { expectAccessible } from '#web/test/accessible.ts'
import { address, open, openIn, press, toast } from '#web/test/app.tsx'
import { bank, later, refused } from '#web/test/bank.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const details = async () => {
  const { details: known } = await bank.recorded('/account-details')
  if (!known) throw new Error('The sample bank has a routing number')
  return known
}
/** The real clipboard is one for all tests. */
const clipboard = () => vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('shows the numbers as people read them, and copies each as a form takes it', async () => {
  const { accountNumber, routingNumber, holderName } = await details()
  const copied = clipboard()
  await open('/account-details')
  await expect.element(page.getByText(grouped(accountNumber), { exact: true })).toBeVisible()
  expect(grouped(accountNumber)).toMatch(/^\d{4}\s\d{4}\s\d{4}$/)
  await expectAccessible('account details')
  const each = [
    ['Copy Account Number', accountNumber, 'Account number copied'],
    ['Copy Routing Number', routingNumber, 'Routing number copied'],
    ['Copy Name', holderName, 'Name copied'],
    ['Copy Bank', 'Alder', 'Bank copied'],
  ] as const
  for (const [name, text, said] of each) {
    await press(button(name))
    expect(copied).toHaveBeenLastCalledWith(text)
    await expect.element(toast(said)).toBeVisible()
  }
})

test('hands all of it on as text, which the QR code has too', async () => {
  const { accountNumber, routingNumber, holderName } = await details()
  const copied = clipboard()
  const shared = vi.fn<(data: ShareData) => Promise<void>>(() => Promise.resolve())
  Object.defineProperty(navigator, 'share', { value: shared, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
  await open('/account-details')
  const text = `Account Holder: ${holderName}\nBank: Alder\nRouting Number: ${routingNumber}\nAccount Number: ${accountNumber}\nAccount Type: Checking`
  await button('Copy All').click()
  expect(copied).toHaveBeenLastCalledWith(text)
  await button('Share').click()
  expect(shared).toHaveBeenLastCalledWith({ title: 'Account Details', text })
  await expect.element(page.getByRole('img', { name: 'QR code with your account details' })).toBeVisible()
})

test('downloads the letter, and says why where it does not come', async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  let give: () => void = () => undefined
  const until = new Promise<void>((resolve) => (give = resolve))
  bank.get('/account-details/letter', () => later(until, new Response('%PDF') as never))
  await open('/account-details')
  const letter = page.getByRole('button', { name: /Download Letter/ })
  await letter.click()
  await expect.element(letter).toHaveAttribute('aria-busy', 'true')
  give()
  await expect.poll(() => saved.mock.calls.length).toBe(1)
  bank.get('/account-details/letter', () => refused('too_many_requests'))
  await press(letter)
  await expect.element(toast(/Too many attempts/)).toBeVisible()
})

test('says what can be done in a bank that others cannot reach', async () => {
  bank.get('/account-details', { details: null })
  await open('/account-details')
  await expect.element(page.getByRole('heading', { name: "Other banks can't reach this one yet" })).toBeVisible()
  await expectAccessible('no account details')
})

test.for([
  ['/dashboard', 'Account Details'],
  ['/cards', /Account Details/],
  ['/add-money', /Account Details/],
] as const)('is found from %s', async ([from, name]) => {
  await open(from)
  await page.getByRole('main').getByRole('link', { name }).click()
  await expect.poll(address).toBe('/account-details')
})

test('keeps digits in order in Arabic', async () => {
  const { accountNumber } = await details()
  await openIn('ar', '/account-details')
  const number = page.getByText(grouped(accountNumber), { exact: true })
  await expect.element(number).toBeVisible()
  expect(getComputedStyle(number.element()).direction).toBe('ltr')
  await expectAccessible('account details in Arabic')
})
