import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Claim } from '#contract/payments.ts'
import { router } from '#web/app/routes.tsx'
import { readAddress, open, openIn, pressByKey, findToast, runFakeTime } from '#web/test/app.tsx'
import { bank, changeRequests, delayedAnswer, refusalAnswer } from '#web/test/bank.ts'

const SARAH = 'sarah.johnson@example.com'
const amount = page.getByLabelText('Amount')
const recipient = page.getByLabelText('Recipient')
const send = page.getByRole('button', { name: 'Send Money' })

const review = page.getByRole('dialog', { name: /^Is this the right/ })
const inReview = (name: string) => review.getByRole('button', { name, exact: true })
const NEW_PAYEE = 'nina.new@elsewhere.example'

async function takesPayments(): Promise<void> {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/transfers', { transaction })
}

test('a recent contact is chosen by name, and the payment is described before and after it is sent', async () => {
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
  await expect.element(findToast(`$12.50 sent successfully to ${SARAH}`)).toBeVisible()
  await expect.element(send).toBeDisabled()
  await expect.element(send).toHaveStyle({ opacity: '1' })
  expect(readAddress()).toBe('/transfer')
  expect(changeRequests()).toMatchObject([
    { path: '/transfers', json: { recipient: SARAH, amountMinor: 12_50, asset: 'USD', note: 'Coffee' } },
  ])
})

test('a sent form is not in the history: Back leads to the previous screen', async () => {
  await takesPayments()
  await open('/cards')
  await router.navigate('/transfer')
  await amount.fill('12.5')
  await page.getByRole('button', { name: 'Sarah Johnson' }).click()
  await send.click()
  await expect.poll(readAddress, { timeout: 10_000 }).toBe('/dashboard')
  history.back()
  await expect.poll(readAddress).toBe('/cards')
})

test('a payment to a new person is reviewed, edited, and reviewed again', async () => {
  await takesPayments()
  await open('/transfer')
  await amount.fill('25')
  await recipient.fill(NEW_PAYEE)
  await page.getByLabelText('Note (optional)').fill('Lunch')
  await send.click()
  await expect.element(review).toMatchTextContent('Is this the right recipient?')
  for (const text of [
    '$25.00',
    NEW_PAYEE,
    'sent you $25.00',
    "Right away if they're with Alder. If not, once they accept it with the link we email them.",
    'Lunch',
    'FeeNone',
    'Balance After$12,433.50',
  ])
    await expect.element(review).toMatchTextContent(text)
  await inReview('Edit').click()
  await expect.element(review).not.toBeInTheDocument()
  expect(changeRequests()).toEqual([])
  await amount.fill('26')
  await pressByKey(send)
  await expect.element(review).toMatchTextContent('$26.00')
  await inReview('Confirm').click()
  await expect.element(findToast(`$26.00 sent successfully to ${NEW_PAYEE}`)).toBeVisible()
  expect(changeRequests()).toMatchObject([{ path: '/transfers', json: { recipient: NEW_PAYEE, amountMinor: 26_00 } }])
})

test('a large amount to a known person is reviewed, and an ordinary one is not', async () => {
  await takesPayments()
  await open('/transfer')
  await page.getByRole('button', { name: 'Sarah Johnson' }).click()
  await amount.fill('1000.01')
  await send.click()
  await expect.element(review).toMatchTextContent('Is this the right amount?')
  await expect.element(review).toMatchTextContent('Sarah Johnson')
  await inReview('Edit').click()
  await amount.fill('1000')
  await pressByKey(send)
  await expect.element(findToast(`$1,000.00 sent successfully to ${SARAH}`)).toBeVisible()
  await expect.element(review).not.toBeInTheDocument()
})

test('a person who was paid long ago is not new, even with fast typing', async () => {
  await takesPayments()
  const recording = await bank.recorded('/contacts')
  const oldContact = { name: 'Olga Old', email: 'olga@elsewhere.example', initials: 'OO', favourite: false, paid: true }
  const typingDone = Promise.withResolvers<void>()
  bank.get('/contacts', () => delayedAnswer(typingDone.promise, recording))
  bank.get('/contacts/search', ({ query }) => ({
    contacts: query.get('q') === oldContact.email ? [oldContact] : [],
    more: false,
  }))
  await open('/transfer')
  await amount.fill('25')
  await recipient.fill(oldContact.email)
  await send.click()
  typingDone.resolve()
  await expect.element(findToast(`$25.00 sent successfully to ${oldContact.email}`)).toBeVisible()
  await expect.element(review).not.toBeInTheDocument()
})

test('a sent payment is shown with its payee, and can be taken back only while it waits', async () => {
  await takesPayments()
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  const moment = () => document.querySelector('[data-moment]')?.textContent
  const undo = page.getByRole('button', { name: 'Undo' })
  await open('/transfer')
  await page.getByRole('button', { name: 'Mike Chen' }).click()
  await amount.fill('12')
  await send.click()
  await expect.poll(moment).toBe('MC$12.00to Mike Chen')
  await expect.element(page.getByRole('button', { name: 'View' })).toBeVisible()
  expect(undo.query()).toBeNull()
  await expect.element(page.getByRole('region', { name: 'Balance' })).toBeVisible()

  const pendingPayment = { ...transaction, amountMinor: -25_00, status: 'pending' as const }
  bank.post('/transfers', { transaction: pendingPayment })
  bank.post('/transfers/:operationId/cancel', { transaction: { ...pendingPayment, status: 'returned' } })
  await router.navigate('/transfer')
  await amount.fill('25')
  await recipient.fill(NEW_PAYEE)
  await pressByKey(send)
  await pressByKey(inReview('Confirm'))
  await expect.poll(moment).toBe(`$25.00to ${NEW_PAYEE}Waiting to be accepted`)
  // The toast stays after the customer leaves the screen.
  await expect.poll(readAddress).toBe('/dashboard')
  await undo.click()
  await expect.element(findToast('$25.00 is back in your account')).toBeVisible()
  expect(changeRequests().at(-1)?.path).toBe(`/transfers/${transaction.id}/cancel`)
})

test('View opens the payment, and the dashboard does not replace it', async () => {
  await takesPayments()
  runFakeTime()
  await open('/transfer')
  await page.getByRole('button', { name: 'Mike Chen' }).click()
  await amount.fill('12')
  await send.click()
  await page.getByRole('button', { name: 'View' }).click()
  await vi.advanceTimersByTimeAsync(2_000)
  await expect.poll(readAddress).toMatch(/^\/transaction-detail/)
})

test('a contact without a name has its email wrapped after an @ or a dot', async () => {
  const recording = await bank.recorded('/contacts')
  const nina = { name: NEW_PAYEE, email: NEW_PAYEE, initials: 'N', favourite: false, paid: true }
  bank.get('/contacts', { ...recording, contacts: [nina] })
  await open('/transfer')
  const face = page.getByRole('button', { name: NEW_PAYEE })
  await expect.element(face).toBeVisible()
  const parts = face.element().innerHTML.split('<wbr aria-hidden="true">')
  expect(parts).toEqual([expect.stringMatching(/nina\.$/), 'new@', 'elsewhere.', expect.stringMatching(/^example/)])
})

test('on a desktop, contacts and the payment preview are beside the whole form', async () => {
  await page.viewport(1280, 800)
  await open('/transfer')
  const payment = page.getByRole('region', { name: 'Your Payment' })
  await expect.element(payment).toMatchTextContent('$0.00')
  await page.getByRole('button', { name: 'Sarah Johnson' }).click()
  await amount.fill('12')
  await expect.element(payment).toMatchTextContent(/\$12\.00Sarah Johnson.*Right away.*FeeNone/)
  const form = document.querySelector('form')?.getBoundingClientRect()
  const isBeside = (part: Element) => part.getBoundingClientRect().left > (form?.right ?? Infinity)
  expect([payment, page.getByRole('button', { name: 'Mike Chen' })].map((part) => isBeside(part.element()))).toEqual([
    true,
    true,
  ])
  // The whole form fits on the first screen.
  expect(form?.bottom).toBeLessThan(600)
  await page.getByRole('radio', { name: 'Monthly' }).click()
  await expect.element(payment).toMatchTextContent('Every month from August 29, 2026')
})

test('each invalid form has its own error text', async () => {
  await open('/transfer')
  for (const [amountText, recipientText, faulty, note, message] of [
    ['', '', amount, 'Enter an amount', 'Please fill in all fields'],
    ['5', '   ', recipient, 'Enter an email or phone number', 'Please fill in all fields'],
    ['', SARAH, amount, 'Enter an amount', 'Please fill in all fields'],
    ['0', SARAH, amount, 'Enter a number above zero', 'Please enter a valid amount'],
    ['-1', SARAH, amount, 'Enter a number above zero', 'Please enter a valid amount'],
    ['1e3', SARAH, amount, 'Enter a number above zero', 'Please enter a valid amount'],
    ['0,500', SARAH, amount, 'Enter a number above zero', 'Please enter a valid amount'],
    ['90071992547409.92', SARAH, amount, 'This is over the limit', 'This is over the limit for one payment'],
    ['5', 'somebody', recipient, 'For example, name@example.com', 'Please enter a valid email or phone number'],
  ] as const) {
    // A corrected field shows no error.
    await amount.fill('7')
    await recipient.fill('else@example.com')
    for (const field of [amount, recipient]) await expect.element(field).not.toHaveAttribute('aria-invalid')
    await amount.fill(amountText)
    await recipient.fill(recipientText)
    await pressByKey(send)
    await expect.element(faulty).toHaveAccessibleDescription(new RegExp(note))
    await expect.element(faulty).toHaveAttribute('aria-invalid', 'true')
    await expect.element(findToast(message)).toBeVisible()
  }
  expect(changeRequests()).toEqual([])
})

test('on a phone, a refusal is beside the button', async () => {
  await page.viewport(390, 700)
  await open('/transfer')
  await pressByKey(send)
  await expect.element(findToast('Please fill in all fields')).toBeVisible()
  send.element().scrollIntoView({ block: 'end' })
  const toastBox = () => document.querySelector('[data-sonner-toast]')?.getBoundingClientRect()
  const isClear = () => {
    const [toastRect, button] = [toastBox(), send.element().getBoundingClientRect()]
    return toastRect !== undefined && button.bottom <= window.innerHeight && toastRect.bottom <= button.top
  }
  await expect.poll(isClear).toBe(true)
})

test('a refusal disappears at the first correction, and the next one is visible', async () => {
  const toasts = () => document.querySelectorAll('[data-sonner-toast]')
  await open('/transfer')
  for (const correctedAmount of ['5', '6']) {
    await pressByKey(send)
    await expect.element(findToast('Please fill in all fields')).toBeVisible()
    // The toast would disappear by itself after four seconds.
    await amount.fill(correctedAmount)
    await expect.poll(toasts, { timeout: 3_000 }).toHaveLength(0)
  }
})

test('the bank’s error about the recipient is at the field', async () => {
  bank.post('/transfers', refusalAnswer('recipient_is_self', 'recipient'))
  await open('/transfer')
  await amount.fill('5')
  await recipient.fill('me@example.com')
  await expect.element(page.getByText(/^\$5\.00 to me@example\.com\. Not with Alder/)).toBeVisible()
  await send.click()
  await pressByKey(inReview('Confirm'))
  await expect.element(recipient).toHaveAccessibleDescription("You can't send money to yourself")
})

test('a refused payment can be corrected and sent', async () => {
  runFakeTime()
  bank.post('/transfers', refusalAnswer('insufficient_funds'))
  await open('/transfer')
  await amount.fill('20000')
  await recipient.fill('mike.chen@example.com')
  await send.click()
  await expect.poll(() => changeRequests()).toHaveLength(1)
  await expect.element(send).toBeEnabled()
  await expect.element(findToast("You don't have enough money for this")).toBeVisible()
  // The available balance stays visible, with a button to use it.
  await expect
    .element(amount)
    .toHaveAccessibleDescription("That's $7,541.50 more than you have US Dollar $12,458.50 available")
  await page.getByRole('button', { name: 'Send All $12,458.50' }).click()
  // While the field is edited, its value has no thousands separators that the customer did not type.
  await expect.element(amount).toHaveValue('12458.50')
  await expect.element(amount).toHaveAccessibleDescription('US Dollar $12,458.50 available')
  await takesPayments()
  await amount.fill('20')
  // The payment is sent while the previous toast is closing. The new toast must stay.
  await vi.advanceTimersByTimeAsync(4_000)
  await pressByKey(send)
  const sentToast = findToast('$20.00 sent successfully to mike.chen@example.com')
  await expect.element(sentToast).toBeVisible()
  await vi.advanceTimersByTimeAsync(500)
  await expect.element(sentToast).toBeVisible()
})

test('a person is paid again from the previous payment', async () => {
  await open('/transactions?q=Concert')
  await page.getByRole('link', { name: /Mike Chen/ }).click()
  await page.getByRole('link', { name: 'Send Again' }).click()
  await expect.poll(readAddress).toBe('/transfer')
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
] as const)('a link to money that is %o makes no offer', async ([state, message]) => {
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
  await expect.element(page.getByText(message)).toBeVisible()
  expect(page.getByRole('button', { name: /^Accept/ }).query()).toBeNull()
})

test('no choice is narrower than its text, on a narrow phone in French', async () => {
  await page.viewport(320, 844)
  await openIn('fr', '/transfer')
  await expect.element(page.getByRole('radio', { name: 'Hebdomadaire' })).toBeVisible()
  const widths = [...document.querySelectorAll('[role=radiogroup] label')].map((choice) => [
    choice.clientWidth,
    choice.querySelector('span')?.offsetWidth ?? Infinity,
  ])
  expect(widths).toHaveLength(4)
  for (const [choice = 0, text = Infinity] of widths) expect(choice).toBeGreaterThanOrEqual(text)
})
