import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { groupDigits } from '#contract/bank-numbers.ts'
import { expectNoAxeViolations } from '#web/test/accessible.ts'
import { readAddress, open, openIn, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, delayedAnswer, refusalAnswer } from '#web/test/bank.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const readDetails = async () => {
  const { details } = await bank.recorded('/account-details')
  if (!details) throw new Error('The sample bank has a routing number')
  return details
}
/** The clipboard of the browser is shared by all tests, so each test replaces it. */
const clipboard = () => vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('shows the numbers in groups, and copies each without spaces', async () => {
  const { accountNumber, routingNumber, holderName } = await readDetails()
  const writeText = clipboard()
  await open('/account-details')
  await expect.element(page.getByText(groupDigits(accountNumber), { exact: true })).toBeVisible()
  expect(groupDigits(accountNumber)).toMatch(/^\d{4}\s\d{4}\s\d{4}$/)
  await expectNoAxeViolations('account details')
  const copyButtons = [
    ['Copy Account Number', accountNumber, 'Account number copied'],
    ['Copy Routing Number', routingNumber, 'Routing number copied'],
    ['Copy Name', holderName, 'Name copied'],
    ['Copy Bank', 'Alder', 'Bank copied'],
  ] as const
  for (const [name, text, toastText] of copyButtons) {
    await pressByKey(button(name))
    expect(writeText).toHaveBeenLastCalledWith(text)
    await expect.element(findToast(toastText)).toBeVisible()
  }
})

test('shares all details as text, and in the QR code', async () => {
  const { accountNumber, routingNumber, holderName } = await readDetails()
  const writeText = clipboard()
  const share = vi.fn<(data: ShareData) => Promise<void>>(() => Promise.resolve())
  Object.defineProperty(navigator, 'share', { value: share, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'))
  await open('/account-details')
  const text = `Account Holder: ${holderName}\nBank: Alder\nRouting Number: ${routingNumber}\nAccount Number: ${accountNumber}\nAccount Type: Checking`
  await button('Copy All').click()
  expect(writeText).toHaveBeenLastCalledWith(text)
  await button('Share').click()
  expect(share).toHaveBeenLastCalledWith({ title: 'Account Details', text })
  await expect.element(page.getByRole('img', { name: 'QR code with your account details' })).toBeVisible()
})

test('downloads the letter, and shows the reason if the download fails', async () => {
  const downloadClick = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  let releaseLetter: () => void = () => undefined
  const until = new Promise<void>((resolve) => (releaseLetter = resolve))
  bank.get('/account-details/letter', () => delayedAnswer(until, new Response('%PDF') as never))
  await open('/account-details')
  const letter = page.getByRole('button', { name: /Download Letter/ })
  await letter.click()
  await expect.element(letter).toHaveAttribute('aria-busy', 'true')
  releaseLetter()
  await expect.poll(() => downloadClick.mock.calls.length).toBe(1)
  bank.get('/account-details/letter', () => refusalAnswer('too_many_requests'))
  await pressByKey(letter)
  await expect.element(findToast(/Too many attempts/)).toBeVisible()
})

test('shows the alternatives in a bank without external transfers', async () => {
  bank.get('/account-details', { details: null })
  await open('/account-details')
  await expect.element(page.getByRole('heading', { name: "Other banks can't send money here yet" })).toBeVisible()
  await expectNoAxeViolations('no account details')
})

test.for([
  ['/dashboard', 'Account Details'],
  ['/cards', /Account Details/],
  ['/add-money', /Account Details/],
] as const)('can be reached from %s', async ([from, name]) => {
  await open(from)
  await page.getByRole('main').getByRole('link', { name }).click()
  await expect.poll(readAddress).toBe('/account-details')
})

test('keeps digits in order in Arabic', async () => {
  const { accountNumber } = await readDetails()
  await openIn('ar', '/account-details')
  const number = page.getByText(groupDigits(accountNumber), { exact: true })
  await expect.element(number).toBeVisible()
  expect(getComputedStyle(number.element()).direction).toBe('ltr')
  await expectNoAxeViolations('account details in Arabic')
})
