import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { router } from '#web/app/routes.tsx'
import { queries } from '#web/app/query-client.ts'
import { currentSessionQuery } from '#web/identity/session/session.ts'
import { readAddress, open } from '#web/test/app.tsx'
import { recordedRequests, bank, changeRequests, refusalAnswer } from '#web/test/bank.ts'
import type { TabMessage } from '#web/lib/browser-tabs.ts'

const reads = (path: string) =>
  recordedRequests.filter((request) => request.method === 'GET' && request.path === path).length

// Passkeys in autofill are tested end to end (e2e/identity.spec.ts).
beforeEach(() => void vi.spyOn(PublicKeyCredential, 'isConditionalMediationAvailable').mockResolvedValue(false))

/** Another tab of this browser. */
let otherTab: BroadcastChannel
// A channel reaches only its own origin and accepts no target. The rule is meant for windows.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const sendToTabs = (message: TabMessage) => otherTab.postMessage(message)
let messages: TabMessage[]
beforeEach(() => {
  messages = []
  otherTab = new BroadcastChannel('alder')
  otherTab.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => void messages.push(data))
})
afterEach(() => otherTab.close())

describe('an idle customer', () => {
  /** Each test begins at a later time than the previous one ended, so that time never goes back. */
  let laterMs = 0
  const warning = page.getByRole('dialog', { name: 'Are you still there?' })

  /** Opens a screen of a bank that signs customers out after five minutes. */
  async function begin(): Promise<void> {
    laterMs += 3_600_000
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() + laterMs })
    bank.get('/me', { ...(await bank.recorded('/me')), idleSeconds: 300 })
    await open('/transfer')
    await expect.element(page.getByLabelText('Recipient')).toBeVisible()
    // The idle watch starts with the bank's response, and counts from then on.
    await expect.poll(() => localStorage.getItem('alder.last-input')).not.toBeNull()
  }

  test('gets a warning, may stay, and is signed out otherwise, in every tab', async () => {
    bank.delete('/session', {})
    await begin()
    vi.advanceTimersByTime(241_000)
    await expect.element(warning).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Stay Signed In' })).toHaveFocus()
    const readsBefore = reads('/me')
    await userEvent.keyboard('{Enter}')
    await expect.element(warning).not.toBeInTheDocument()
    await expect.poll(() => reads('/me')).toBeGreaterThan(readsBefore)
    vi.advanceTimersByTime(241_000)
    await expect.element(warning).toBeVisible()
    expect(changeRequests()).toEqual([])
    vi.advanceTimersByTime(60_000)
    await expect.poll(readAddress).toBe('/login?next=%2Ftransfer')
    await expect.element(page.getByText('We signed you out because you were away for a while.')).toBeVisible()
    expect(changeRequests()).toMatchObject([{ method: 'DELETE', path: '/session' }])
    expect(messages).toContainEqual({ type: 'signed_out', reason: 'idle' })
  })

  test('who is active gets none, and the app sends their activity to the bank', async () => {
    await begin()
    const readsBefore = reads('/me')
    const recipient = page.getByLabelText('Recipient')
    await recipient.click()
    for (let minutes = 0; minutes < 6; minutes += 1) {
      vi.advanceTimersByTime(60_000)
      await userEvent.keyboard('a')
    }
    vi.advanceTimersByTime(1_000)
    await expect.poll(() => reads('/me')).toBeGreaterThan(readsBefore)
    expect(warning.query()).toBeNull()
    expect(readAddress()).toBe('/transfer')
  })
})

test('signing out in another tab signs out in this one, and after idleness signing in leads back', async () => {
  await open('/transactions?category=food')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  sendToTabs({ type: 'signed_out', reason: 'idle' })
  await expect.poll(readAddress).toBe('/login?next=%2Ftransactions%3Fcategory%3Dfood')
  await router.navigate('/transactions')
  sendToTabs({ type: 'signed_out', reason: 'left' })
  await expect.poll(readAddress).toBe('/login')
})

describe('if customers sign in first', () => {
  /** Mocks a live bank without a session. */
  async function isLive(): Promise<void> {
    const session = await bank.recorded('/session')
    bank.get('/session', { ...session, me: null, signInRequired: true, biometricWithoutPasskey: false })
    bank.get('/me', refusalAnswer('sign_in_required'))
    bank.get('/transactions', refusalAnswer('sign_in_required'))
    bank.post('/session/visit', refusalAnswer('sign_in_required'))
  }

  test.for([
    ['/transactions?category=food', '/login?next=%2Ftransactions%3Fcategory%3Dfood'],
    ['/claim?token=a-b', '/login?next=%2Fclaim%3Ftoken%3Da-b'],
  ] as const)(
    'a signed-out visitor of %s is redirected to sign in, and back afterwards',
    async ([path, signInPath]) => {
      await isLive()
      await open(path)
      await expect.poll(readAddress).toBe(signInPath)
    },
  )

  test('a screen is not rendered for a signed-out visitor', async () => {
    await isLive()
    await open('/login')
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => queries.getQueryData(currentSessionQuery.queryKey)).toMatchObject({ me: null })
    await router.navigate('/dashboard')
    await expect.poll(readAddress).toBe('/login?next=%2Fdashboard')
    expect(recordedRequests.filter(({ path }) => path.startsWith('/dashboard'))).toEqual([])
  })
})

test.for(['/', '/signup', '/login', '/reset-password?token=a', '/confirm-email?token=a'])(
  'the public page %s opens no sample customer',
  async (path) => {
    await open(path)
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
    // Requests that start after the first screen would run in this time.
    await new Promise((resolve) => setTimeout(resolve, 500))
    expect(recordedRequests.filter((request) => /^\/(session\/visit|me|dashboard|events)$/.test(request.path))).toEqual(
      [],
    )
  },
)
