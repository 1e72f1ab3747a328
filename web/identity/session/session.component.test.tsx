import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { router } from '#web/app/routes.tsx'
import { queries } from '#web/app/query-client.ts'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import { address, open } from '#web/test/app.tsx'
import { asked, bank, changes, refused } from '#web/test/bank.ts'
import type { TabMessage } from '#web/lib/tabs.ts'

const reads = (path: string) => asked.filter((one) => one.method === 'GET' && one.path === path).length

// What a browser fills in by itself is a journey's (e2e/identity.spec.ts).
beforeEach(() => void vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false))

/** Another tab of this browser. */
let other: BroadcastChannel
// A channel reaches this origin alone and takes no other; the rule has windows in mind.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const tell = (message: TabMessage) => other.postMessage(message)
let heard: TabMessage[]
beforeEach(() => {
  heard = []
  other = new BroadcastChannel('alder')
  other.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => void heard.push(data))
})
afterEach(() => other.close())

describe('an idle customer', () => {
  /** Each begins later than the one before it ended: time does not go back. */
  let laterMs = 0
  const warning = page.getByRole('dialog', { name: 'Are you still there?' })

  /** Opens a screen of a bank that signs customers out after five minutes. */
  async function begin(): Promise<void> {
    laterMs += 3_600_000
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() + laterMs })
    bank.get('/me', { ...(await bank.recorded('/me')), idleSeconds: 300 })
    await open('/transfer')
    await expect.element(page.getByLabelText('Recipient')).toBeVisible()
    // The watch begins with the bank's answer, and counts from there.
    await expect.poll(() => localStorage.getItem('alder.last-input')).not.toBeNull()
  }

  test('is warned, may stay, and is signed out when they do not, in every tab', async () => {
    bank.delete('/session', {})
    await begin()
    vi.advanceTimersByTime(241_000)
    await expect.element(warning).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Stay Signed In' })).toHaveFocus()
    const before = reads('/me')
    await userEvent.keyboard('{Enter}')
    await expect.element(warning).not.toBeInTheDocument()
    await expect.poll(() => reads('/me')).toBeGreaterThan(before)
    vi.advanceTimersByTime(241_000)
    await expect.element(warning).toBeVisible()
    expect(changes()).toEqual([])
    vi.advanceTimersByTime(60_000)
    await expect.poll(address).toBe('/login?next=%2Ftransfer')
    await expect.element(page.getByText('We signed you out because you were away for a while.')).toBeVisible()
    expect(changes()).toMatchObject([{ method: 'DELETE', path: '/session' }])
    expect(heard).toContainEqual({ type: 'signed_out', reason: 'idle' })
  })

  test('who is still at work is not disturbed, and the bank hears of them', async () => {
    await begin()
    const before = reads('/me')
    const recipient = page.getByLabelText('Recipient')
    await recipient.click()
    for (let minutes = 0; minutes < 6; minutes += 1) {
      vi.advanceTimersByTime(60_000)
      await userEvent.keyboard('a')
    }
    vi.advanceTimersByTime(1_000)
    await expect.poll(() => reads('/me')).toBeGreaterThan(before)
    expect(warning.query()).toBeNull()
    expect(address()).toBe('/transfer')
  })
})

test('signing out in another tab signs out in this one, and leads back after it was for being idle', async () => {
  await open('/transactions?category=food')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  tell({ type: 'signed_out', reason: 'idle' })
  await expect.poll(address).toBe('/login?next=%2Ftransactions%3Fcategory%3Dfood')
  await router.navigate('/transactions')
  tell({ type: 'signed_out', reason: 'left' })
  await expect.poll(address).toBe('/login')
})

describe('where customers sign in first', () => {
  /** Answers as a live bank does without a session. */
  async function isLive(): Promise<void> {
    const session = await bank.recorded('/session')
    bank.get('/session', { ...session, me: null, signInRequired: true, biometricWithoutPasskey: false })
    bank.get('/me', refused('sign_in_required'))
    bank.get('/transactions', refused('sign_in_required'))
    bank.post('/session/visit', refused('sign_in_required'))
  }

  test.for([
    ['/transactions?category=food', '/login?next=%2Ftransactions%3Fcategory%3Dfood'],
    ['/claim?token=a-b', '/login?next=%2Fclaim%3Ftoken%3Da-b'],
  ] as const)('a signed-out visitor of %s is led to sign in, and would be led back', async ([path, signInPath]) => {
    await isLive()
    await open(path)
    await expect.poll(address).toBe(signInPath)
  })

  test('a screen is not rendered at all for a visitor who is known to be signed out', async () => {
    await isLive()
    await open('/login')
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => queries.getQueryData(currentSessionQuery.queryKey)).toMatchObject({ me: null })
    await router.navigate('/dashboard')
    await expect.poll(address).toBe('/login?next=%2Fdashboard')
    expect(asked.filter(({ path }) => path.startsWith('/dashboard'))).toEqual([])
  })
})

test.for(['/', '/signup', '/login', '/reset-password?token=a', '/confirm-email?token=a'])(
  'the public page %s opens no sample customer',
  async (path) => {
    await open(path)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    // What is asked for after the first screen is asked for then.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(asked.filter((one) => /^\/(session\/visit|me|dashboard|events)$/.test(one.path))).toEqual([])
  },
)
