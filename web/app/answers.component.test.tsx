import { expect, test } from 'vitest'
import { router } from '#web/app/routes.tsx'
import { toast as say } from '#web/lib/toast.ts'
import { open, toast } from '#web/test/app.tsx'
import { asked, bank, happens } from '#web/test/bank.ts'

const shown = () => [...document.querySelectorAll('[data-sonner-toast]')].map(({ textContent }) => textContent)

/** The bank answers what was handed in. */
async function answers(kind: string, params: Record<string, string | number | null>): Promise<void> {
  const { now } = await bank.recorded('/dashboard')
  const notice = { id: `019900${Math.random().toString(16).slice(2, 4)}-0000-7000-8000-000000000000`, kind, params }
  bank.get('/notifications', { notices: [{ ...notice, createdAt: now, readAt: null }], nextCursor: null })
  happens({ type: 'notification' })
  await expect.poll(() => asked.some(({ path }) => path.startsWith('/notifications'))).toBe(true)
}

/** Opens a screen that hears of what happens. */
async function openLive(path: string): Promise<void> {
  await open(path)
  await expect.poll(() => asked.filter((one) => one.path === '/dashboard').length).toBeGreaterThan(1)
}

test('an answer waits until the bank has said that it got what was handed in', async () => {
  await openLive('/dashboard')
  say.success('KYC verification submitted! Redirecting to dashboard...', { duration: 1500 })
  await expect.element(toast(/^KYC verification submitted/)).toBeVisible()
  await answers('kyc_approved', { reason: null })
  await expect.element(toast('Identity verified')).toBeVisible()
  // The first one fades away meanwhile.
  await expect.poll(shown).toEqual([expect.stringContaining('Identity verified')])
})

test('the screen that an answer belongs to shows it by itself', async () => {
  await openLive('/loans')
  await answers('loan_offered', { amountMinor: 500_000, asset: 'USD' })
  await new Promise((resolve) => setTimeout(resolve, 700))
  expect(shown()).toEqual([])
  await router.navigate('/dashboard')
  expect(shown()).toEqual([])
})
