import { type CDPSession, expect, type Page, test } from '@playwright/test'
import type { Notice } from '#contract/notifications.ts'
import { nameInWords } from '#server/test/line-texts.ts'
import {
  visitDashboard,
  readFromBank,
  readNewest,
  openWithLiveEvents,
  postToBank,
  visitAsAnother,
  findToast,
  visit,
} from './bank.ts'

const rows = (page: Page) => page.getByRole('main').getByRole('listitem')
const bell = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^Notifications/ })
const readUnreadCount = async (page: Page) =>
  (await readFromBank<{ unread: number }>(page, '/notifications/unread')).unread
const notices = async (page: Page) => (await readFromBank<{ notices: Notice[] }>(page, '/notifications')).notices
const charge = (page: Page) => postToBank(page, '/sample/charges', { category: 'food', amountMinor: 12_30 })
const switchNamed = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

test('announces each arrival once on the open screen, and links to it', async ({ page, browser }) => {
  const customer = await visitDashboard(page)
  await postToBank(page, '/notifications/read', {
    upTo: (await notices(page))
      .map(({ id }) => id)
      .toSorted()
      .at(-1),
  })
  await expect(bell(page)).toHaveAccessibleName('Notifications')

  await charge(page)
  const [payment] = await readNewest(page, 1)
  const noticeText = `You paid $12.30 at ${payment ? nameInWords(payment.name) : ''}.`
  await expect(findToast(page, noticeText)).toContainText('Card payment')
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread')
  await expect(page).toHaveTitle('(1) Home · Alder')

  await bell(page).click()
  await expect(rows(page).first()).toHaveText(`Unread: Card paymentNow${noticeText}`)
  const { page: friend } = await visitAsAnother(browser)
  await postToBank(friend, '/transfers', { recipient: customer.email, amountMinor: 25_50, asset: 'USD' })
  await expect(rows(page)).toHaveCount(6)
  await expect(rows(page).first()).toContainText('You received $25.50 from')
  await expect(rows(page).first()).toHaveClass(/animate-glow/)
  await expect.poll(() => readUnreadCount(page)).toBe(0)
  await friend.context().close()

  await rows(page).first().getByRole('link').click()
  await expect(page).toHaveURL(/\/transaction-detail\?id=/)
  await expect(page.getByRole('main')).toContainText('+$25.50')
  const [received] = await readNewest(page, 1)
  expect(page.url()).toContain(received?.id)
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: noticeText })).toHaveCount(0, { timeout: 10_000 })

  // The stream breaks and reconnects. The page then shows the events in between, and repeats no earlier announcement.
  await openWithLiveEvents(page, '/dashboard')
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('$')
  await page.context().setOffline(true)
  await charge(page)
  await page.context().setOffline(false)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 unread', { timeout: 45_000 })
  await expect.poll(() => notices(page)).toHaveLength(7)
})

test.describe('web push', () => {
  test.use({ serviceWorkers: 'allow' })

  /** Replaces the browser's push service, which is on the internet, with a fake. */
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

  test('is switched on and off, and shows nothing to a customer who has the app in view', async ({ page, baseURL }) => {
    await withPushService(page)
    await visit(page)
    await page.goto('/notifications/preferences')
    const push = switchNamed(page, 'Push Notifications')
    await expect(push).not.toBeChecked()
    // The test waits for the service worker. The app waits for it too, but not as long as a busy machine may need.
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => null))
    await push.click()
    await expect(findToast(page, 'Notifications are on for this device')).toBeVisible({ timeout: 45_000 })
    await expect(push).toBeChecked()
    const state = () => readFromBank<{ on: boolean }>(page, '/push')
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
    // A browser without windows cannot show a notification.
    await worker?.evaluate(() => {
      const scope = globalThis as unknown as { registration: ServiceWorkerRegistration; shown: unknown[] }
      scope.shown = []
      scope.registration.showNotification = async (title, { tag, dir, data } = {}) => {
        scope.shown.push([tag, title, dir, data.path])
      }
    })
    const readShown = () => worker?.evaluate(() => (globalThis as unknown as { shown: unknown[] }).shown)
    await deliver('seen')
    const otherPage = await page.context().newPage()
    await page.goto('about:blank')
    await deliver('away')
    await expect.poll(readShown).toEqual([['away', 'Card payment', 'ltr', '/transactions']])
    await otherPage.close()

    await page.goto('/notifications/preferences')
    await expect(push).toBeChecked()
    await push.click()
    await expect(findToast(page, 'Notifications are off on this device')).toBeVisible({ timeout: 45_000 })
    expect((await state()).on).toBe(false)
  })
})
