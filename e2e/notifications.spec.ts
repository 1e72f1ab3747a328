import { type CDPSession, expect, type Page, test } from '@playwright/test'
import type { NoticePreferences } from '#contract/notice-topics.ts'
import type { Notice } from '#contract/notifications.ts'
import type { Profile } from '#contract/profile.ts'
import { nameInWords } from '#server/test/words.ts'
import { arrive, ask, newest, openListening, post, someoneElse, toast, visit } from './bank.ts'

const rows = (page: Page) => page.getByRole('main').getByRole('listitem')
const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Notifications/ })
const unread = async (page: Page) => (await ask<{ unread: number }>(page, '/notifications/unread')).unread
const notices = async (page: Page) => (await ask<{ notices: Notice[] }>(page, '/notifications')).notices
const charge = (page: Page) => post(page, '/sample/charges', { category: 'food', amountMinor: 12_30 })
const switchNamed = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

test('shows the four notices of the story with their times, and to have opened them is to have read them', async ({
  page,
}) => {
  await arrive(page)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 4 unread')
  await expect(bell(page)).toHaveText('4')
  await expect(page).toHaveTitle('(4) Dashboard · Alder', { timeout: 10_000 })
  await bell(page).click()
  await expect(page).toHaveURL('/notifications')
  await expect(rows(page)).toHaveText([
    /^Unread: Card payment1 hr\. agoYou paid \$5\.60 at Copper Kettle Coffee\.$/,
    /^Unread: Investment updateYesterdayYou can now choose from three portfolios, from low to high risk\.$/,
    /^Unread: Payment received3 days agoYou received \$3,500\.00 from Northwind Studio\.$/,
    /^Unread: New featureLast weekSend money to anyone, even if they don't have an Alder account yet\.$/,
  ])
  for (const day of ['Today', 'Yesterday', 'Tuesday, August 25', 'Thursday, August 20'])
    await expect(page.getByRole('heading', { level: 2, name: day })).toBeVisible()
  await expect.poll(() => unread(page)).toBe(0)
  await expect(page).toHaveTitle('Notifications · Alder')
  // What was new goes on saying so until somebody comes again.
  await expect(rows(page).filter({ hasText: 'Unread:' })).toHaveCount(4)
  await page.getByRole('link', { name: 'Back' }).click()
  await expect(bell(page)).toHaveAccessibleName('Notifications')
  await bell(page).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(page.getByText('Unread:')).toHaveCount(0)
})

test('says what arrives, once, on the screen that is open, and leads to it', async ({ page, browser }) => {
  const customer = await arrive(page)
  await post(page, '/notifications/read', {
    upTo: (await notices(page))
      .map(({ id }) => id)
      .toSorted()
      .at(-1),
  })
  await expect(bell(page)).toHaveAccessibleName('Notifications')

  await charge(page)
  const [paid] = await newest(page, 1)
  const words = `You paid $12.30 at ${paid ? nameInWords(paid.name) : ''}.`
  await expect(toast(page, words)).toContainText('Card payment')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await expect(page).toHaveTitle('(1) Dashboard · Alder')

  await bell(page).click()
  await expect(rows(page).first()).toHaveText(`Unread: Card paymentNow${words}`)
  const { page: friend } = await someoneElse(browser)
  await post(friend, '/transfers', { recipient: customer.email, amountMinor: 25_50, asset: 'USD' })
  await expect(rows(page)).toHaveCount(6)
  await expect(rows(page).first()).toContainText('You received $25.50 from')
  await expect(rows(page).first()).toHaveClass(/animate-glow/)
  await expect.poll(() => unread(page)).toBe(0)
  await friend.context().close()

  await rows(page).first().getByRole('link').click()
  await expect(page).toHaveURL(/\/transaction-detail\?id=/)
  await expect(page.getByRole('main')).toContainText('+$25.50')
  const [received] = await newest(page, 1)
  expect(page.url()).toContain(received?.id)
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: words })).toHaveCount(0, { timeout: 10_000 })

  // The stream breaks: what came meanwhile is there once it is back, and what was said before is not said again.
  await openListening(page, '/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$')
  await page.context().setOffline(true)
  await charge(page)
  await page.context().setOffline(false)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', { timeout: 15_000 })
  await expect.poll(() => notices(page)).toHaveLength(7)
})

test('an empty list, one that is on its way, and one that does not come', async ({ page }) => {
  await visit(page)
  const LIST = /\/api\/v1\/notifications(\?|$)/
  let go = (): void => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  await page.route(LIST, async (route) => {
    await held
    await route.fulfill({ json: { notices: [], nextCursor: null } })
  })
  await page.goto('/notifications')
  await expect(page.getByRole('status').filter({ hasText: 'Loading notifications' })).toBeAttached()
  go()
  await expect(page.getByRole('heading', { name: "You're all caught up" })).toBeVisible()
  await expect(page.getByText("We'll let you know here when something happens.")).toBeVisible()
  await page.unroute(LIST)
  await page.route(LIST, (route) => route.fulfill({ status: 429, json: { error: { code: 'too_many_requests' } } }))
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('Too many attempts')
  // Pressed in the same moment: the page also asks again by itself, and then the button is gone.
  await page.getByRole('button', { name: 'Try Again' }).focus()
  await page.unroute(LIST)
  await page.keyboard.press('Enter')
  await expect(rows(page)).toHaveCount(4)
})

test('what is switched off is not told, and each switch means what it says', async ({ page }) => {
  await visit(page)
  await page.goto('/notifications')
  await page.getByRole('link', { name: 'Notification Preferences' }).click()
  await expect(page).toHaveURL('/notifications/preferences')
  await expect(switchNamed(page, 'Card Payments')).toBeChecked()
  await expect(page.getByRole('main')).toContainText('Always on')

  await switchNamed(page, 'Card Payments').click()
  const preferences = () => ask<NoticePreferences>(page, '/notifications/preferences')
  await expect.poll(async () => (await preferences()).topics.cards).toBe(false)
  const before = await notices(page)
  await charge(page)
  await post(page, '/sample/salary')
  // Told in the order they came: where the later one is there, the earlier one has been left out.
  await expect.poll(() => notices(page)).toHaveLength(before.length + 1)
  expect((await notices(page))[0]).toMatchObject({ kind: 'payment_received', params: { amountMinor: 350_000 } })

  await switchNamed(page, 'Transaction Alerts').click()
  for (const name of ['Money In', 'Money Out', 'Card Payments']) await expect(switchNamed(page, name)).toBeDisabled()
  await expect(switchNamed(page, 'Money In')).not.toBeChecked()
  await expect(switchNamed(page, 'News')).toBeEnabled()
  await expect.poll(async () => (await ask<Profile>(page, '/profile')).transactionAlerts).toBe(false)
  await switchNamed(page, 'Transaction Alerts').click()
  await expect(switchNamed(page, 'Money In')).toBeChecked()
  // What was off by itself stays so.
  await expect(switchNamed(page, 'Card Payments')).not.toBeChecked()

  await page.goto('/settings')
  await switchNamed(page, 'Notifications').click()
  await expect.poll(async () => (await preferences()).notifications).toBe(false)
  await page.goto('/notifications/preferences')
  await expect(switchNamed(page, 'All Notifications')).not.toBeChecked()
  for (const name of ['Transaction Alerts', 'Money In', 'Savings', 'News'])
    await expect(switchNamed(page, name)).toBeDisabled()
})

test.describe('web push', () => {
  test.use({ serviceWorkers: 'allow' })

  /** The push service of this browser is on the internet, which tests do without. */
  async function withPushService(page: Page): Promise<void> {
    await page.context().grantPermissions(['notifications'])
    await page.addInitScript(() => {
      const endpoint = `https://push.example.com/${crypto.randomUUID()}`
      let subscription: object | null = null
      const text = (bytes: ArrayBuffer | Uint8Array): string =>
        btoa(String.fromCharCode(...new Uint8Array(bytes)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '')
      Object.assign(PushManager.prototype, {
        getSubscription: async () => subscription,
        subscribe: async () => {
          const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
            'deriveBits',
          ])
          const keys = {
            p256dh: text(await crypto.subtle.exportKey('raw', publicKey)),
            auth: text(crypto.getRandomValues(new Uint8Array(16))),
          }
          subscription = {
            endpoint,
            unsubscribe: async () => !(subscription = null),
            toJSON: () => ({ endpoint, keys }),
          }
          return subscription
        },
      })
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      Notification.requestPermission = async () => 'granted'
    })
  }

  async function registrationOf(page: Page): Promise<{ device: CDPSession; registrationId: string }> {
    const device = await page.context().newCDPSession(page)
    const registered = new Promise<string>((resolve) => {
      device.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations[0]) resolve(registrations[0].registrationId)
      })
    })
    await device.send('ServiceWorker.enable')
    return { device, registrationId: await registered }
  }

  test('is switched on and off, and shows nothing to who is looking', async ({ page, baseURL }) => {
    await withPushService(page)
    await visit(page)
    await page.goto('/notifications/preferences')
    const push = switchNamed(page, 'Push Notifications')
    await expect(push).not.toBeChecked()
    await push.click()
    await expect(toast(page, 'Notifications are on for this device')).toBeVisible({ timeout: 15_000 })
    await expect(push).toBeChecked()
    const state = () => ask<{ on: boolean }>(page, '/push')
    expect((await state()).on).toBe(true)

    const { device, registrationId } = await registrationOf(page)
    const message = {
      id: '1',
      title: 'Card payment',
      body: 'You paid',
      path: '/transactions',
      language: 'en',
      direction: 'ltr',
    }
    const origin = new URL(baseURL ?? '').origin
    const deliver = (id: string) =>
      device.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: JSON.stringify({ ...message, id }),
      })
    const [worker] = page.context().serviceWorkers()
    // A browser without windows has nowhere to show it.
    await worker?.evaluate(() => {
      const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown: unknown[] }
      scope.shown = []
      scope.registration.showNotification = async (title, { tag, dir, data } = {}) => {
        scope.shown.push([tag, title, dir, data.path])
      }
    })
    const shown = () => worker?.evaluate(() => (globalThis as unknown as { shown: unknown[] }).shown)
    await deliver('seen')
    const other = await page.context().newPage()
    await page.goto('about:blank')
    await deliver('away')
    await expect.poll(shown).toEqual([['away', 'Card payment', 'ltr', '/transactions']])
    await other.close()

    await page.goto('/notifications/preferences')
    await expect(push).toBeChecked()
    await push.click()
    await expect(toast(page, 'Notifications are off on this device')).toBeVisible({ timeout: 15_000 })
    expect((await state()).on).toBe(false)
  })
})
