import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { LinkedRequest, MoneyRequest, RequestEvent, RequestList } from '#contract/requests.ts'
import { activateLanguage } from '#web/i18n/language.ts'
import { readAddress, open, openIn, pressByKey, findToast } from '#web/test/app.tsx'
import { bank, changeRequests, emitLiveEvent, refusalAnswer } from '#web/test/bank.ts'

const amount = page.getByLabelText('Amount')
const from = page.getByLabelText('From')
const send = page.getByRole('button', { name: 'Request Money' })
const sheet = page.getByRole('dialog')
const button = (name: string) => sheet.getByRole('button', { name, exact: true })
const section = (title: string) =>
  page.getByRole('heading', { name: title, exact: true }).query()?.closest('section')?.textContent ?? ''

const REQUEST: MoneyRequest = {
  id: '0d4d1a6c-4a52-4c52-9d4a-3a1f8c1f4b11',
  side: 'payer',
  name: 'Ann Lee',
  amountMinor: 40_00,
  paidMinor: 0,
  asset: 'USD',
  note: 'Dinner',
  status: 'open',
  createdAt: '2026-08-28T08:00:00.000Z',
  expiresAt: '2026-09-11T08:00:00.000Z',
  closedAt: null,
  remindableAt: null,
  fromStranger: false,
  url: null,
}
const SENT_REQUEST: MoneyRequest = {
  ...REQUEST,
  side: 'requester',
  name: 'Mike Chen',
  amountMinor: 25_50,
  note: 'Pizza',
}

/** Mocks the bank's response with this request and the blocked requesters. */
function mockRequest(
  request: MoneyRequest,
  history: RequestEvent[] = [],
  blockedRequesters: RequestList['blocked'] = [],
): void {
  const isSent = request.side === 'requester'
  const visibleRequests = blockedRequesters.length > 0 ? [] : [request]
  bank.get('/money-requests', {
    received: isSent ? [] : visibleRequests,
    sent: isSent ? visibleRequests : [],
    blocked: blockedRequesters,
  })
  bank.get('/money-requests/:id', { request, history })
}

/** Mocks a bank that carries out payments. Calls `onPaid` with the paid amount in minor units. */
async function takesPayments(onPaid: (amountMinor: number) => void): Promise<void> {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/money-requests/:id/payments', ({ json }) => {
    onPaid(json.amountMinor)
    return { transaction }
  })
}

test('the amount is checked first, then the person, and a recent contact fills From', async () => {
  await open('/request')
  await send.click()
  await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  await expect.element(amount).toHaveFocus()
  await amount.fill('0')
  await send.click()
  await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  await amount.fill('25.5')
  await send.click()
  await expect.element(findToast('Please select a recipient')).toBeVisible()
  await expect.element(from).toHaveFocus()

  await page.getByRole('button', { name: /Mike Chen/ }).click()
  await expect.element(from).toHaveValue('mike.chen@example.com')
  expect(changeRequests()).toEqual([])
})

test('a request to oneself is refused, and the input stays', async () => {
  bank.post('/money-requests', refusalAnswer('request_to_self'))
  await open('/request')
  await amount.fill('5')
  await from.fill('me@example.com')
  await userEvent.keyboard('{Enter}')
  await expect.element(findToast("You can't request money from yourself")).toBeVisible()
  await expect.element(amount).toHaveValue('5.00')
  expect(readAddress()).toBe('/request')
  expect(changeRequests()).toMatchObject([
    {
      method: 'POST',
      json: { recipient: 'me@example.com', amountMinor: 5_00, asset: 'USD' },
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ])
})

test('the hint on a link without an amount disappears when an amount is typed', async () => {
  await open('/request')
  await page.getByRole('button', { name: 'Share a Link' }).click()
  await expect.element(findToast('Please enter a valid amount')).toBeVisible()
  await amount.fill('5')
  // The toast would disappear by itself after four seconds.
  await expect.element(findToast('Please enter a valid amount'), { timeout: 3_000 }).not.toBeInTheDocument()
})

test.for(['en', 'es', 'pl'] as const)('each button has one line in %s', async (language) => {
  await activateLanguage(language)
  await open('/request')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  const submit = document.querySelector('form button[type=submit]')
  const buttons = [...(submit?.parentElement?.querySelectorAll('button') ?? [])]
  expect(buttons.map((element) => element.getBoundingClientRect().height)).toEqual([52, 52])
})

test('a request is sent and announced, and leads to Home', async () => {
  bank.post('/money-requests', { request: SENT_REQUEST })
  await open('/request')
  await expect.element(page.getByText('No requests yet')).toBeVisible()
  await amount.fill('25.5')
  await page.getByRole('button', { name: /Mike Chen/ }).click()
  await page.getByLabelText('Note (optional)').fill('Pizza')
  await send.click()
  await expect.element(findToast('Request sent for $25.50!')).toBeVisible()
  expect(readAddress()).toBe('/request')
  await expect.poll(readAddress).toBe('/dashboard')
  const json = { recipient: 'mike.chen@example.com', amountMinor: 25_50, asset: 'USD', note: 'Pizza' }
  expect(changeRequests()).toMatchObject([{ path: '/money-requests', json }])
})

test('the person in a request is reminded once, and the request is canceled after a confirmation', async () => {
  const time = '2026-08-28T09:00:00.000Z'
  mockRequest({ ...SENT_REQUEST, remindableAt: time })
  bank.post('/money-requests/:id/reminders', () => {
    const request = { ...SENT_REQUEST, remindableAt: '2026-08-29T09:00:00.000Z' }
    mockRequest(request, [{ id: '1', kind: 'reminded', at: time, name: null, amountMinor: null }])
    return { request }
  })
  bank.post('/money-requests/:id/cancel', () => {
    const request = { ...SENT_REQUEST, status: 'cancelled' as const, closedAt: time }
    mockRequest(request)
    return { request }
  })
  await open('/request')
  await page.getByRole('link', { name: /Mike Chen/ }).click()
  await expect.poll(readAddress).toMatch(/^\/request\?id=/)
  await pressByKey(button('Send a Reminder'))
  await expect.element(findToast('You reminded Mike Chen')).toBeVisible()
  await expect.element(sheet.getByText('Reminder sent')).toBeVisible()
  await expect.element(button('Send a Reminder')).toBeDisabled()
  await pressByKey(button('Cancel Request'))
  await expect.element(sheet).toMatchTextContent('No one will be able to pay it anymore')
  await pressByKey(button('Cancel Request'))
  await expect.element(findToast('You canceled the request')).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.poll(() => section('Sent')).toContain('Canceled')
})

test('a part is paid and then the rest, and more than the rest is refused', async () => {
  const time = '2026-08-28T09:00:00.000Z'
  let paidMinor = 0
  const history: RequestEvent[] = []
  mockRequest({ ...REQUEST, fromStranger: true })
  await open('/request')
  await expect.poll(() => section("Requests from People You Don't Know")).toMatch(/Ann Lee.*\$40\.00/)
  await page.getByRole('link', { name: /Ann Lee/ }).click()
  await expect.element(sheet.getByText('Dinner')).toBeVisible()
  await button('Pay a Part').click()
  await sheet.getByLabelText('Amount').fill('40.01')
  await button('Pay $40.01').click()
  await expect.element(findToast('This is more than the amount left to pay')).toBeVisible()

  await takesPayments((paid) => {
    paidMinor += paid
    history.push({ id: String(paidMinor), kind: 'paid', at: time, name: 'Ben Ode', amountMinor: paid })
    mockRequest({ ...REQUEST, paidMinor, status: paidMinor === REQUEST.amountMinor ? 'paid' : 'open' }, history)
  })
  await sheet.getByLabelText('Amount').fill('15')
  await pressByKey(button('Pay $15.00'))
  await expect.element(findToast('You paid Ann Lee $15.00')).toBeVisible()
  await expect.element(sheet.getByText('$25.00 left')).toBeVisible()
  await pressByKey(button('Pay $25.00'))
  await expect.element(findToast('You paid Ann Lee $25.00')).toBeVisible()
  expect(changeRequests().map(({ json }) => json)).toEqual([
    { amountMinor: 15_00, asset: 'USD' },
    { amountMinor: 25_00, asset: 'USD' },
  ])
})

test('the requester sees payments live', async () => {
  mockRequest(SENT_REQUEST)
  await open(`/request?id=${SENT_REQUEST.id}`)
  await expect.element(sheet.getByText('Pizza')).toBeVisible()
  const time = '2026-08-28T09:00:00.000Z'
  mockRequest({ ...SENT_REQUEST, paidMinor: 25_50, status: 'paid' }, [
    { id: '1', kind: 'paid', at: time, name: 'Mike Chen', amountMinor: 25_50 },
  ])
  emitLiveEvent({ type: 'request' })
  await expect.element(sheet.getByText('Mike Chen paid $25.50')).toBeVisible()
  await expect.element(sheet.getByText('Paid', { exact: true })).toBeVisible()
})

test('a request is declined after an explanation of the effect', async () => {
  mockRequest(REQUEST)
  bank.post('/money-requests/:id/decline', () => {
    const request = { ...REQUEST, status: 'declined' as const }
    mockRequest(request)
    return { request }
  })
  const { id, name, amountMinor, asset, note } = REQUEST
  const waitingRequest = { kind: 'request' as const, id, name: name ?? '', amountMinor, asset, note }
  bank.get('/dashboard', { ...(await bank.recorded('/dashboard')), unanswered: [waitingRequest] })
  await open('/dashboard')
  const card = page.getByRole('region', { name: 'Needs Your Attention' })
  await expect.element(card).toMatchTextContent('Ann Lee requested $40.00')
  await card.getByRole('link').click()
  await pressByKey(button('Decline'))
  await expect.element(sheet).toMatchTextContent("You won't pay anything")
  await pressByKey(button('Decline Request'))
  await expect.element(findToast('You declined the request')).toBeVisible()
  await expect.poll(() => section('Received')).toContain('Declined')
})

test('a requester is reported and blocked, and can send requests again after unblocking', async () => {
  const blockedRequesters = [{ id: REQUEST.id, name: 'Ann Lee', blockedAt: '2026-08-28T09:00:00.000Z' }]
  mockRequest(REQUEST)
  bank.post('/money-requests/:id/block', () => {
    mockRequest(REQUEST, [], blockedRequesters)
    return { blocked: blockedRequesters }
  })
  bank.delete('/request-blocks/:id', () => {
    mockRequest(REQUEST)
    return { blocked: [] }
  })
  await open(`/request?id=${REQUEST.id}`)
  await pressByKey(button('Block or Report'))
  await pressByKey(button('Report and Block'))
  await expect.element(findToast(/You reported and blocked Ann Lee/)).toBeVisible()
  await expect.poll(() => section('Received')).toBe('')
  await pressByKey(page.getByRole('button', { name: 'Unblock Ann Lee' }))
  await expect.poll(() => section('Received')).toMatch(/\$40\.00/)
  expect(changeRequests().map(({ json }) => json)).toEqual([{ report: true }, null])
})

const LINKED: LinkedRequest = {
  requesterName: 'Ann Lee',
  amountMinor: 30_00,
  paidMinor: 0,
  asset: 'USD',
  note: 'Present',
  status: 'open',
  expiresAt: SENT_REQUEST.expiresAt,
  own: false,
}

test('a payment link for anyone is created', async () => {
  const url = `${location.origin}/request?link=abc`
  const request = { ...SENT_REQUEST, name: null, amountMinor: 30_00, url }
  mockRequest(request)
  bank.post('/money-requests', { request })
  await open('/request')
  await amount.fill('30')
  await page.getByRole('button', { name: 'Share a Link' }).click()
  await expect.element(sheet.getByText(url)).toBeVisible()
  await expect.element(sheet.getByRole('img', { name: 'QR code for the link' })).toBeVisible()
  expect(changeRequests()).toMatchObject([{ json: { amountMinor: 30_00, asset: 'USD' } }])
})

test('a link is paid by another customer, and leads to Home', async () => {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.get('/request-links/:token', LINKED)
  bank.post('/request-links/:token/payments', { transaction })
  await open('/request?link=abc')
  await expect.element(page.getByText('Ann Lee requested')).toBeVisible()
  await expect.element(page.getByText('Present')).toBeVisible()
  await page.getByRole('button', { name: 'Pay $30.00' }).click()
  await expect.element(findToast('You paid Ann Lee $30.00')).toBeVisible()
  await expect.poll(readAddress).toBe('/dashboard')
})

test('a link shows its creator the requested amount', async () => {
  bank.get('/request-links/:token', { ...LINKED, own: true })
  await open('/request?link=abc')
  await expect.element(page.getByText("You're asking anyone with this link for")).toBeVisible()
})

test('an invalid link shows an error', async () => {
  await open('/request?link=AAAA')
  await expect.element(page.getByText("This request link isn't valid")).toBeVisible()
})

test('in Arabic, the requester’s name is beside their picture, at the right', async () => {
  mockRequest(REQUEST)
  await openIn('ar', '/request')
  const name = () => document.querySelector('main section li a bdi')
  await expect.poll(name).not.toBeNull()
  const text = document.createRange()
  text.selectNodeContents(name() ?? document.body)
  expect(text.getBoundingClientRect().right).toBeCloseTo(name()?.getBoundingClientRect().right ?? NaN, 0)
})
