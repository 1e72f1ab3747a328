import { expect, test } from 'vitest'
import { router } from '#web/app/routes.tsx'
import { toast as say } from '#web/lib/toast.ts'
import { open, findToast } from '#web/test/app.tsx'
import { recordedRequests, bank, emitLiveEvent } from '#web/test/bank.ts'

const readToasts = () => [...document.querySelectorAll('[data-sonner-toast]')].map(({ textContent }) => textContent)

/** Simulates the bank's answer to a submission. */
async function answers(kind: string, params: Record<string, string | number | null>): Promise<void> {
  const { now } = await bank.recorded('/dashboard')
  const notice = { id: `019900${Math.random().toString(16).slice(2, 4)}-0000-7000-8000-000000000000`, kind, params }
  bank.get('/notifications', { notices: [{ ...notice, createdAt: now, readAt: null }], nextCursor: null })
  emitLiveEvent({ type: 'notification' })
  await expect.poll(() => recordedRequests.some(({ path }) => path.startsWith('/notifications'))).toBe(true)
}

/** Opens a screen and connects it to the live events. */
async function openLive(path: string): Promise<void> {
  await open(path)
  await expect.poll(() => recordedRequests.filter((request) => request.path === '/dashboard').length).toBeGreaterThan(1)
}

test('a success message waits for the bank’s confirmation of the submission', async () => {
  await openLive('/dashboard')
  say.success('KYC verification submitted! Redirecting to dashboard...', { duration: 1500 })
  await expect.element(findToast(/^KYC verification submitted/)).toBeVisible()
  await answers('kyc_approved', { reason: null })
  await expect.element(findToast('Identity verified')).toBeVisible()
  // The first toast fades out meanwhile.
  await expect.poll(readToasts).toEqual([expect.stringContaining('Identity verified')])
})

test('the screen of a response shows it itself', async () => {
  await openLive('/loans')
  await answers('loan_offered', { amountMinor: 500_000, asset: 'USD' })
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(readToasts()).toEqual([])
  await router.navigate('/dashboard')
  expect(readToasts()).toEqual([])
})
