import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { LinkedRequest, MoneyRequest, RequestEvent, RequestList } from '#contract/requests.ts'
import { speak } from '#web/i18n/language.ts'
import { address, open, openIn, press, toast } from '#web/test/app.tsx'
import { bank, changes, happens, refused } from '#web/test/bank.ts'

const amount = page.getByLabelText('Amount')
const from = page.getByLabelText('From')
const send = page.getByRole('button', { name: 'Request Money' })
const sheet = page.getByRole('dialog')
const button = (name: string) => sheet.getByRole('button', { name, exact: true })
const section = (title: string) =>
  page.getByRole('heading', { name: title, exact: true }).query()?.closest('section')?.textContent ?? ''

const ASKED: MoneyRequest = {
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
const SENT: MoneyRequest = { ...ASKED, side: 'requester', name: 'Mike Chen', amountMinor: 25_50, note: 'Pizza' }

/** The bank has this request, and whom the customer blocks. */
function knows(request: MoneyRequest, history: RequestEvent[] = [], blocked: RequestList['blocked'] = []): void {
  const isSent = request.side === 'requester'
  const shown = blocked.length > 0 ? [] : [request]
  bank.get('/money-requests', { received: isSent ? [] : shown, sent: isSent ? shown : [], blocked })
  bank.get('/money-requests/:id', { request, history })
}

/** The bank carries payments out; `done` is told what was paid. */
async function takesPayments(done: (amountMinor: number) => void): Promise<void> {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/money-requests/:id/payments', ({ json }) => {
    done(json.amountMinor)
    return { transaction }
  })
}

test('the amount is checked, then whom; a recent contact fills From', async () => {
  await open('/request')
  await send.click()
  await expect.element(toast('Please enter a valid amount')).toBeVisible()
  await expect.element(amount).toHaveFocus()
  await amount.fill('0')
  await send.click()
  await expect.element(toast('Please enter a valid amount')).toBeVisible()
  await amount.fill('25.5')
  await send.click()
  await expect.element(toast('Please select a recipient')).toBeVisible()
  await expect.element(from).toHaveFocus()

  await page.getByRole('button', { name: /Mike Chen/ }).click()
  await expect.element(from).toHaveValue('mike.chen@example.com')
  expect(changes()).toEqual([])
})

test('a request to oneself is refused, and what was typed stays', async () => {
  bank.post('/money-requests', refused('request_to_self'))
  await open('/request')
  await amount.fill('5')
  await from.fill('me@example.com')
  await userEvent.keyboard('{Enter}')
  await expect.element(toast("You can't request money from yourself")).toBeVisible()
  await expect.element(amount).toHaveValue('5.00')
  expect(address()).toBe('/request')
  expect(changes()).toMatchObject([
    {
      method: 'POST',
      json: { recipient: 'me@example.com', amountMinor: 5_00, asset: 'USD' },
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ])
})

test('what is said of a link without an amount goes as soon as one is typed', async () => {
  await open('/request')
  await page.getByRole('button', { name: 'Share a Link' }).click()
  await expect.element(toast('Please enter a valid amount')).toBeVisible()
  await amount.fill('5')
  // It would be gone by itself after four seconds.
  await expect.element(toast('Please enter a valid amount'), { timeout: 3_000 }).not.toBeInTheDocument()
})

test.for(['en', 'es', 'pl'] as const)('each button stands on one line in %s', async (language) => {
  await speak(language)
  await open('/request')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  const submit = document.querySelector('form button[type=submit]')
  const buttons = [...(submit?.parentElement?.querySelectorAll('button') ?? [])]
  expect(buttons.map((one) => one.getBoundingClientRect().height)).toEqual([52, 52])
})

test('a request is sent and said, and leads to the dashboard', async () => {
  bank.post('/money-requests', { request: SENT })
  await open('/request')
  await expect.element(page.getByText('No requests yet')).toBeVisible()
  await amount.fill('25.5')
  await page.getByRole('button', { name: /Mike Chen/ }).click()
  await page.getByLabelText('Note (optional)').fill('Pizza')
  await send.click()
  await expect.element(toast('Request sent for $25.50!')).toBeVisible()
  expect(address()).toBe('/request')
  await expect.poll(address).toBe('/dashboard')
  const json = { recipient: 'mike.chen@example.com', amountMinor: 25_50, asset: 'USD', note: 'Pizza' }
  expect(changes()).toMatchObject([{ path: '/money-requests', json }])
})

test('who was asked is reminded once, and the request is cancelled after a question', async () => {
  const at = '2026-08-28T09:00:00.000Z'
  knows({ ...SENT, remindableAt: at })
  bank.post('/money-requests/:id/reminders', () => {
    const request = { ...SENT, remindableAt: '2026-08-29T09:00:00.000Z' }
    knows(request, [{ id: '1', kind: 'reminded', at, name: null, amountMinor: null }])
    return { request }
  })
  bank.post('/money-requests/:id/cancel', () => {
    const request = { ...SENT, status: 'cancelled' as const, closedAt: at }
    knows(request)
    return { request }
  })
  await open('/request')
  await page.getByRole('link', { name: /Mike Chen/ }).click()
  await expect.poll(address).toMatch(/^\/request\?id=/)
  await press(button('Send a Reminder'))
  await expect.element(toast('You reminded Mike Chen')).toBeVisible()
  await expect.element(sheet.getByText('Reminder sent')).toBeVisible()
  await expect.element(button('Send a Reminder')).toBeDisabled()
  await press(button('Cancel Request'))
  await expect.element(sheet).toMatchTextContent('Nobody can pay it any more')
  await press(button('Cancel Request'))
  await expect.element(toast('You cancelled the request')).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.poll(() => section('Sent')).toContain('Cancelled')
})

test('a part is paid and then the rest, and more than is left is refused', async () => {
  const at = '2026-08-28T09:00:00.000Z'
  let paidMinor = 0
  const history: RequestEvent[] = []
  knows({ ...ASKED, fromStranger: true })
  await open('/request')
  await expect.poll(() => section("Requests from People You Don't Know")).toMatch(/Ann Lee.*\$40\.00/)
  await page.getByRole('link', { name: /Ann Lee/ }).click()
  await expect.element(sheet.getByText('Dinner')).toBeVisible()
  await button('Pay a Part').click()
  await sheet.getByLabelText('Amount').fill('40.01')
  await button('Pay $40.01').click()
  await expect.element(toast('This is more than is left to pay')).toBeVisible()

  await takesPayments((paid) => {
    paidMinor += paid
    history.push({ id: String(paidMinor), kind: 'paid', at, name: 'Ben Ode', amountMinor: paid })
    knows({ ...ASKED, paidMinor, status: paidMinor === ASKED.amountMinor ? 'paid' : 'open' }, history)
  })
  await sheet.getByLabelText('Amount').fill('15')
  await press(button('Pay $15.00'))
  await expect.element(toast('You paid Ann Lee $15.00')).toBeVisible()
  await expect.element(sheet.getByText('$25.00 left')).toBeVisible()
  await press(button('Pay $25.00'))
  await expect.element(toast('You paid Ann Lee $25.00')).toBeVisible()
  expect(changes().map(({ json }) => json)).toEqual([
    { amountMinor: 15_00, asset: 'USD' },
    { amountMinor: 25_00, asset: 'USD' },
  ])
})

test('who asked sees live what is paid', async () => {
  knows(SENT)
  await open(`/request?id=${SENT.id}`)
  await expect.element(sheet.getByText('Pizza')).toBeVisible()
  const at = '2026-08-28T09:00:00.000Z'
  knows({ ...SENT, paidMinor: 25_50, status: 'paid' }, [
    { id: '1', kind: 'paid', at, name: 'Mike Chen', amountMinor: 25_50 },
  ])
  happens({ type: 'request' })
  await expect.element(sheet.getByText('Mike Chen paid $25.50')).toBeVisible()
  await expect.element(sheet.getByText('Paid', { exact: true })).toBeVisible()
})

test('a request is declined after a word on what that means', async () => {
  knows(ASKED)
  bank.post('/money-requests/:id/decline', () => {
    const request = { ...ASKED, status: 'declined' as const }
    knows(request)
    return { request }
  })
  const { id, name, amountMinor, asset, note } = ASKED
  const waiting = { kind: 'request' as const, id, name: name ?? '', amountMinor, asset, note }
  bank.get('/dashboard', { ...(await bank.recorded('/dashboard')), unanswered: [waiting] })
  await open('/dashboard')
  const card = page.getByRole('region', { name: 'Needs Your Answer' })
  await expect.element(card).toMatchTextContent('Ann Lee requested $40.00')
  await card.getByRole('link').click()
  await press(button('Decline'))
  await expect.element(sheet).toMatchTextContent('No money moves')
  await press(button('Decline Request'))
  await expect.element(toast('You declined the request')).toBeVisible()
  await expect.poll(() => section('Received')).toContain('Declined')
})

test('who asks is reported and blocked, and can ask again once unblocked', async () => {
  const blocked = [{ id: ASKED.id, name: 'Ann Lee', blockedAt: '2026-08-28T09:00:00.000Z' }]
  knows(ASKED)
  bank.post('/money-requests/:id/block', () => {
    knows(ASKED, [], blocked)
    return { blocked }
  })
  bank.delete('/request-blocks/:id', () => {
    knows(ASKED)
    return { blocked: [] }
  })
  await open(`/request?id=${ASKED.id}`)
  await press(button('Block or Report'))
  await press(button('Report and Block'))
  await expect.element(toast(/You reported and blocked Ann Lee/)).toBeVisible()
  await expect.poll(() => section('Received')).toBe('')
  await press(page.getByRole('button', { name: 'Unblock Ann Lee' }))
  await expect.poll(() => section('Received')).toMatch(/\$40\.00/)
  expect(changes().map(({ json }) => json)).toEqual([{ report: true }, null])
})

const LINKED: LinkedRequest = {
  requesterName: 'Ann Lee',
  amountMinor: 30_00,
  paidMinor: 0,
  asset: 'USD',
  note: 'Present',
  status: 'open',
  expiresAt: SENT.expiresAt,
  own: false,
}

test('a link is made that anyone can pay', async () => {
  const url = `${location.origin}/request?link=abc`
  const request = { ...SENT, name: null, amountMinor: 30_00, url }
  knows(request)
  bank.post('/money-requests', { request })
  await open('/request')
  await amount.fill('30')
  await page.getByRole('button', { name: 'Share a Link' }).click()
  await expect.element(sheet.getByText(url)).toBeVisible()
  await expect.element(sheet.getByRole('img', { name: 'QR code of the link' })).toBeVisible()
  expect(changes()).toMatchObject([{ json: { amountMinor: 30_00, asset: 'USD' } }])
})

test('a link is paid by somebody else, which leads to the dashboard', async () => {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.get('/request-links/:token', LINKED)
  bank.post('/request-links/:token/payments', { transaction })
  await open('/request?link=abc')
  await expect.element(page.getByText('Ann Lee requested')).toBeVisible()
  await expect.element(page.getByText('Present')).toBeVisible()
  await page.getByRole('button', { name: 'Pay $30.00' }).click()
  await expect.element(toast('You paid Ann Lee $30.00')).toBeVisible()
  await expect.poll(address).toBe('/dashboard')
})

test('a link shows its maker what it asks for', async () => {
  bank.get('/request-links/:token', { ...LINKED, own: true })
  await open('/request?link=abc')
  await expect.element(page.getByText('You requested from anyone with this link')).toBeVisible()
})

test('a link that is none says so', async () => {
  await open('/request?link=AAAA')
  await expect.element(page.getByText("This request link isn't valid")).toBeVisible()
})

test('in Arabic, who asks stands beside their picture, at the right', async () => {
  knows(ASKED)
  await openIn('ar', '/request')
  const name = () => document.querySelector('main section li a bdi')
  await expect.poll(name).not.toBeNull()
  const text = document.createRange()
  text.selectNodeContents(name() ?? document.body)
  expect(text.getBoundingClientRect().right).toBeCloseTo(name()?.getBoundingClientRect().right ?? NaN, 0)
})
