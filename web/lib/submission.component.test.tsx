import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { address, open, press, toast, withTime } from '#web/test/app.tsx'
import { asked, bank, changes, cutLine, intercepted, later, mendLine, refused, unreachable } from '#web/test/bank.ts'

const RECIPIENT = 'sarah.johnson@example.com'
const NEVER = new Promise<never>(() => {})
const send = page.getByRole('button', { name: 'Send Money' })
const cancel = page.getByRole('button', { name: 'Cancel' })
const CANCELLED = 'Cancelled. Nothing was sent'
const tries = () => changes().filter(({ path }) => path === '/transfers')
const cancelled = () => changes().flatMap(({ path }) => /^\/requests\/(.+)\/cancel$/.exec(path)?.[1] ?? [])
const keys = () => tries().map(({ key }) => key)
const toasts = () => document.querySelectorAll('[data-sonner-toast]')

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

afterEach(() => vi.useRealTimers())

async function fill(amount: string): Promise<void> {
  await page.getByLabelText('Amount').fill(amount)
  await page.getByLabelText('Recipient').fill(RECIPIENT)
}

async function openFilled(amount: string): Promise<void> {
  await open('/transfer')
  await fill(amount)
}

/** The bank says of each request that is cancelled whether it had been carried out. */
const wasCarriedOut = (carriedOut: boolean) => bank.post('/requests/:key/cancel', { carriedOut })

async function takesPayments(): Promise<void> {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/transfers', { transaction })
}

test('a request whose response is lost is looked up before it counts as not sent', async () => {
  bank.post('/transfers', unreachable())
  wasCarriedOut(true)
  await openFilled('7')
  await send.click()
  await press(cancel)
  await expect.element(toast(/It went through.*was sent/)).toBeVisible()
  expect(cancelled()).toEqual([keys()[0]])

  const seen = Promise.withResolvers<void>()
  bank.post('/requests/:key/cancel', () => later(seen.promise, { carriedOut: false }))
  await fill('8')
  await press(send)
  await press(cancel)
  await expect.element(toast('Checking whether it was sent…')).toBeVisible()
  seen.resolve()
  await expect.element(toast(CANCELLED)).toBeVisible()
  expect(cancelled()[1]).toBe(keys().at(-1))
  expect(cancelled()[1]).not.toBe(cancelled()[0])
})

test('it is still asked about without a line, where the bank could not say before', async () => {
  withTime()
  bank.post('/transfers', intercepted(504))
  bank.post('/requests/:key/cancel', refused('too_many_requests'))
  await openFilled('12.50')
  await send.click()
  await expect.poll(() => tries().length).toBe(1)
  const unknown = toast(/^We couldn't find out whether it was sent/)
  // Each try is sent some time after the response to the one before.
  await expect
    .poll(async () => {
      await pass(1)
      return unknown.query()
    })
    .not.toBeNull()
  wasCarriedOut(true)
  cutLine()
  await press(send)
  await press(cancel)
  await expect.element(toast('Checking whether it was sent…')).toBeVisible()
  mendLine()
  await expect.element(toast(/It went through.*was sent/)).toBeVisible()
  expect(new Set([...keys(), ...cancelled()]).size).toBe(1)
})

test('it is cancelled before a refusal of another try counts', async () => {
  withTime()
  bank.post('/transfers', () => (tries().length === 1 ? unreachable() : refused('too_many_requests')))
  wasCarriedOut(false)
  await openFilled('12.50')
  await send.click()
  await expect.poll(() => tries().length).toBe(1)
  await pass(3)
  await expect.element(toast(/^Too many attempts/)).toBeVisible()
  expect(changes().map(({ path }) => path)).toEqual(['/transfers', '/transfers', `/requests/${keys()[0]}/cancel`])
  expect(new Set(keys()).size).toBe(1)
})

test('it is nobody’s concern once its sender has signed out', async () => {
  bank.post('/transfers', () => later(NEVER, {} as never))
  bank.delete('/session', {})
  bank.post('/session/passkey/options', refused('too_many_requests'))
  await openFilled('12.50')
  await send.click()
  await expect.element(toast('Sending $12.50…')).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  asked.length = 0
  await press(page.getByRole('button', { name: 'Log Out' }))
  await expect.poll(address).toBe('/login')
  await expect.poll(toasts).toHaveLength(0)
  expect(asked.filter(({ path }) => /visit|cancel/.test(path))).toEqual([])
})

test('what is sent again after a payment was cancelled on its way is another payment', async () => {
  withTime()
  // The first try is lost; the second is held on its way, where nobody can call it back.
  bank.post('/transfers', () => (tries().length === 1 ? unreachable() : later(NEVER, {} as never)))
  wasCarriedOut(false)
  await openFilled('12.50')
  await send.click()
  await expect.poll(() => tries().length).toBe(1)
  await pass(3)
  await expect.poll(() => tries().length).toBe(2)
  await press(cancel)
  await expect.element(toast(CANCELLED)).toBeVisible()
  expect(cancelled()).toEqual([keys()[0]])
  await takesPayments()
  await press(send)
  await expect.element(toast(/^\$12\.50 sent successfully/)).toBeVisible()
  expect(keys()[1]).toBe(keys()[0])
  expect(keys()[2]).not.toBe(keys()[0])
})
