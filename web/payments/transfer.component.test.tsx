import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Claim } from '#contract/payments.ts'
import { address, open, openIn, press, toast, withTime } from '#web/test/app.tsx'
import { bank, changes, refused } from '#web/test/bank.ts'

const SARAH = 'sarah.johnson@example.com'
const amount = page.getByLabelText('Amount')
const recipient = page.getByLabelText('Recipient')
const send = page.getByRole('button', { name: 'Send Money' })

async function takesPayments(): Promise<void> {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/transfers', { transaction })
}

test('a recent contact is chosen by name, and the payment is said before and after it is sent', async () => {
  await takesPayments()
  await open('/transfer')
  await expect.element(page.getByText('$12,458.50 available')).toBeVisible()
  await amount.fill('12.5')
  await page.getByRole('button', { name: 'Sarah Johnson' }).click()
  await expect.element(amount).toHaveValue('12.50')
  await expect.element(recipient).toHaveValue(SARAH)
  await expect.element(recipient).toHaveAccessibleDescription('Sarah Johnson')
  await expect.element(page.getByText('$12.50 to Sarah Johnson, right away')).toBeVisible()
  await page.getByLabelText('Note (optional)').fill('Coffee')
  await send.click()
  await expect.element(toast(`$12.50 sent successfully to ${SARAH}`)).toBeVisible()
  await expect.element(send).toBeDisabled()
  await expect.element(send).toHaveStyle({ opacity: '1' })
  expect(address()).toBe('/transfer')
  expect(changes()).toMatchObject([
    { path: '/transfers', json: { recipient: SARAH, amountMinor: 12_50, asset: 'USD', note: 'Coffee' } },
  ])
})

test('each bad form is refused in its own words', async () => {
  await open('/transfer')
  for (const [amountText, recipientText, faulty, note, message] of [
    ['', '', amount, 'Enter an amount', 'Please fill in all fields'],
    ['5', '   ', recipient, 'Enter an email or phone number', 'Please fill in all fields'],
    ['', SARAH, amount, 'Enter an amount', 'Please fill in all fields'],
    ['0', SARAH, amount, 'Please enter a valid amount', 'Please enter a valid amount'],
    ['-1', SARAH, amount, 'Please enter a valid amount', 'Please enter a valid amount'],
    ['1e3', SARAH, amount, 'Please enter a valid amount', 'Please enter a valid amount'],
    ['0,500', SARAH, amount, 'Please enter a valid amount', 'Please enter a valid amount'],
    ['90071992547409.92', SARAH, amount, 'This is more than we can move', 'This is more than we can move in one go'],
    ['5', 'somebody', recipient, 'Please enter a valid email', 'Please enter a valid email or phone number'],
  ] as const) {
    // Whatever is corrected is no longer said to be wrong.
    await amount.fill('7')
    await recipient.fill('else@example.com')
    for (const field of [amount, recipient]) await expect.element(field).not.toHaveAttribute('aria-invalid')
    await amount.fill(amountText)
    await recipient.fill(recipientText)
    await press(send)
    await expect.element(faulty).toHaveAccessibleDescription(new RegExp(note))
    await expect.element(faulty).toHaveAttribute('aria-invalid', 'true')
    await expect.element(toast(message)).toBeVisible()
  }
  expect(changes()).toEqual([])
})

test('a refusal goes with the first thing that is corrected, and the next one is seen', async () => {
  const toasts = () => document.querySelectorAll('[data-sonner-toast]')
  await open('/transfer')
  for (const corrected of ['5', '6']) {
    await press(send)
    await expect.element(toast('Please fill in all fields')).toBeVisible()
    // It would be gone by itself after four seconds.
    await amount.fill(corrected)
    await expect.poll(toasts, { timeout: 1_500 }).toHaveLength(0)
  }
})

test('what the bank says of the recipient stands at the field', async () => {
  bank.post('/transfers', refused('recipient_is_self', 'recipient'))
  await open('/transfer')
  await amount.fill('5')
  await recipient.fill('me@example.com')
  await expect.element(page.getByText(/^\$5\.00 to me@example\.com\. If they aren't with Alder yet/)).toBeVisible()
  await send.click()
  await expect.element(recipient).toHaveAccessibleDescription("You can't send money to yourself")
})

test('a refused payment can be put right and sent', async () => {
  withTime()
  bank.post('/transfers', refused('insufficient_funds'))
  await open('/transfer')
  await amount.fill('20000')
  await recipient.fill('mike.chen@example.com')
  await send.click()
  await expect.poll(() => changes()).toHaveLength(1)
  await expect.element(send).toBeEnabled()
  await expect.element(toast("You don't have enough money for this")).toBeVisible()
  // What there is stays in sight, and is offered.
  await expect.element(amount).toHaveAccessibleDescription("You don't have enough money for this $12,458.50 available")
  await page.getByRole('button', { name: 'Send all $12,458.50' }).click()
  // While it can be changed it has no marks that nobody typed.
  await expect.element(amount).toHaveValue('12458.50')
  await expect.element(amount).toHaveAccessibleDescription('$12,458.50 available')
  await takesPayments()
  await amount.fill('20')
  // Sent while the toast before is on its way out, which takes a moment: that takes nothing along.
  await vi.advanceTimersByTimeAsync(4_000)
  await press(send)
  const sent = toast('$20.00 sent successfully to mike.chen@example.com')
  await expect.element(sent).toBeVisible()
  await vi.advanceTimersByTimeAsync(500)
  await expect.element(sent).toBeVisible()
})

test('somebody is paid again from the payment before', async () => {
  await open('/transactions?q=Concert')
  await page.getByRole('link', { name: /Mike Chen/ }).click()
  await page.getByRole('link', { name: 'Send Again' }).click()
  await expect.poll(address).toBe('/transfer')
  await expect.element(recipient).toHaveValue('mike.chen@example.com')
  await expect.element(recipient).toHaveAccessibleDescription('Mike Chen')
  await page.getByRole('button', { name: 'Choose Someone Else' }).click()
  await expect.element(recipient).toHaveValue('')
  await expect.element(recipient).toHaveFocus()
})

test('in Arabic, an email keeps its distance from the edges of its field', async () => {
  await openIn('ar', '/transfer')
  const input = () => document.querySelector<HTMLInputElement>('input[name=recipient]')
  await expect.poll(input).not.toBeNull()
  await userEvent.fill(page.elementLocator(input() ?? document.body), 'someone.with.a.long.name@mail.example.com')
  await userEvent.tab()
  const paddings = () => {
    const { paddingLeft, paddingRight } = getComputedStyle(input() ?? document.body)
    return [paddingLeft, paddingRight]
  }
  await expect.poll(paddings).toEqual(['10px', '10px'])
})

test.for([
  [{ status: 'claimed' }, 'This money has been accepted'],
  [{ status: 'returned' }, 'This money was returned'],
  [{ own: true }, 'You sent this. Anyone with the link can accept it.'],
] as const)('a link to money that is %o is no offer', async ([state, said]) => {
  const claim: Claim = {
    senderName: 'Sara Sender',
    amountMinor: 25_00,
    asset: 'USD',
    note: null,
    status: 'open',
    expiresAt: '2026-09-04T09:41:00.000Z',
    own: false,
  }
  bank.get('/claims/:token', { ...claim, ...state })
  await open('/claim?token=token')
  await expect.element(page.getByText(said)).toBeVisible()
  expect(page.getByRole('button', { name: /^Accept/ }).query()).toBeNull()
})
