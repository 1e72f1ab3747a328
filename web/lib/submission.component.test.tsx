import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { readAddress, open, pressByKey, findToast, runFakeTime } from '#web/test/app.tsx'
import {
  recordedRequests,
  bank,
  changeRequests,
  cutConnection,
  proxyAnswer,
  delayedAnswer,
  restoreConnection,
  refusalAnswer,
  networkError,
} from '#web/test/bank.ts'

const RECIPIENT = 'sarah.johnson@example.com'
const NEVER = new Promise<never>(() => {})
const send = page.getByRole('button', { name: 'Send Money' })
const cancel = page.getByRole('button', { name: 'Cancel' })
const CANCELED_TEXT = 'Canceled. Nothing was sent'
const tries = () => changeRequests().filter(({ path }) => path === '/transfers')
const readCanceledKeys = () =>
  changeRequests().flatMap(({ path }) => /^\/requests\/(.+)\/cancel$/.exec(path)?.[1] ?? [])
const keys = () => tries().map(({ key }) => key)
const toasts = () => document.querySelectorAll('[data-sonner-toast]')

const passTime = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

afterEach(() => vi.useRealTimers())

async function fill(amount: string): Promise<void> {
  await page.getByLabelText('Amount').fill(amount)
  await page.getByLabelText('Recipient').fill(RECIPIENT)
}

async function openFilled(amount: string): Promise<void> {
  await open('/transfer')
  await fill(amount)
}

/** Simulates a bank that answers every cancellation with whether the request had been carried out. */
const wasCarriedOut = (carriedOut: boolean) => bank.post('/requests/:key/cancel', { carriedOut })

async function takesPayments(): Promise<void> {
  const [transaction] = (await bank.recorded('/transactions')).transactions
  if (!transaction) throw new Error('There is no transaction')
  bank.post('/transfers', { transaction })
}

test('a request whose response is lost is looked up before it counts as not sent', async () => {
  bank.post('/transfers', networkError())
  wasCarriedOut(true)
  await openFilled('7')
  await send.click()
  await pressByKey(cancel)
  await expect.element(findToast(/It went through.*was sent/)).toBeVisible()
  expect(readCanceledKeys()).toEqual([keys()[0]])

  const requestSeen = Promise.withResolvers<void>()
  bank.post('/requests/:key/cancel', () => delayedAnswer(requestSeen.promise, { carriedOut: false }))
  await fill('8')
  await pressByKey(send)
  await pressByKey(cancel)
  await expect.element(findToast('Checking whether it was sent…')).toBeVisible()
  requestSeen.resolve()
  await expect.element(findToast(CANCELED_TEXT)).toBeVisible()
  expect(readCanceledKeys()[1]).toBe(keys().at(-1))
  expect(readCanceledKeys()[1]).not.toBe(readCanceledKeys()[0])
})

test('a lookup without a result continues offline', async () => {
  runFakeTime()
  bank.post('/transfers', proxyAnswer(504))
  bank.post('/requests/:key/cancel', refusalAnswer('too_many_requests'))
  await openFilled('12.50')
  await send.click()
  await expect.poll(() => tries().length).toBe(1)
  const unknownToast = findToast(/^We couldn't find out whether it was sent/)
  // The next attempt starts some time after the response to the previous one.
  await expect
    .poll(async () => {
      await passTime(1)
      return unknownToast.query()
    })
    .not.toBeNull()
  wasCarriedOut(true)
  cutConnection()
  await pressByKey(send)
  await pressByKey(cancel)
  await expect.element(findToast('Checking whether it was sent…')).toBeVisible()
  restoreConnection()
  await expect.element(findToast(/It went through.*was sent/)).toBeVisible()
  expect(new Set([...keys(), ...readCanceledKeys()]).size).toBe(1)
})

test('a request is canceled before a refusal of another attempt counts', async () => {
  runFakeTime()
  bank.post('/transfers', () => (tries().length === 1 ? networkError() : refusalAnswer('too_many_requests')))
  wasCarriedOut(false)
  await openFilled('12.50')
  await send.click()
  await expect.poll(() => tries().length).toBe(1)
  await passTime(3)
  await expect.element(findToast(/^Too many attempts/)).toBeVisible()
  expect(changeRequests().map(({ path }) => path)).toEqual([
    '/transfers',
    '/transfers',
    `/requests/${keys()[0]}/cancel`,
  ])
  expect(new Set(keys()).size).toBe(1)
})

test('a request is dropped after its sender has signed out', async () => {
  bank.post('/transfers', () => delayedAnswer(NEVER, {} as never))
  bank.delete('/session', {})
  bank.post('/session/passkey/options', refusalAnswer('too_many_requests'))
  await openFilled('12.50')
  await send.click()
  await expect.element(findToast('Sending $12.50…')).toBeVisible()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('link', { name: 'Settings' }).click()
  recordedRequests.length = 0
  await pressByKey(page.getByRole('button', { name: 'Log Out' }))
  await expect.poll(readAddress).toBe('/login')
  await expect.poll(toasts).toHaveLength(0)
  expect(recordedRequests.filter(({ path }) => /visit|cancel/.test(path))).toEqual([])
})

test('a request sent again after a cancellation on its way is another payment', async () => {
  runFakeTime()
  // The first attempt is lost. The second stays on its way and cannot be stopped.
  bank.post('/transfers', () => (tries().length === 1 ? networkError() : delayedAnswer(NEVER, {} as never)))
  wasCarriedOut(false)
  await openFilled('12.50')
  await send.click()
  await expect.poll(() => tries().length).toBe(1)
  await passTime(3)
  await expect.poll(() => tries().length).toBe(2)
  await pressByKey(cancel)
  await expect.element(findToast(CANCELED_TEXT)).toBeVisible()
  expect(readCanceledKeys()).toEqual([keys()[0]])
  await takesPayments()
  await pressByKey(send)
  await expect.element(findToast(/^\$12\.50 sent successfully/)).toBeVisible()
  expect(keys()[1]).toBe(keys()[0])
  expect(keys()[2]).not.toBe(keys()[0])
})
