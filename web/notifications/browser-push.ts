import type { PushSubscriptionContent } from '#contract/push.ts'
import { renewPush, subscribePush, unsubscribePush } from '#web/notifications/queries.ts'

/** What a browser says of notices: it asks its person once, and they may say no for good. */
export type PushPermission = NotificationPermission | 'unsupported'

export function pushPermission(): PushPermission {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  return isSupported ? Notification.permission : 'unsupported'
}

/** The worker is registered a few seconds after the page is there. */
const READY_MS = 10_000

function worker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The service worker is not ready')), READY_MS)
  })
  return Promise.race([navigator.serviceWorker.ready, late])
}

/** Asks the person, where they have not been asked, and has this browser show their notices. Answers what they said. */
export async function turnPushOn(publicKey: string): Promise<PushPermission> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission
  const { pushManager } = await worker()
  // One that was made with another key of the bank's cannot be changed.
  const before = await pushManager.getSubscription()
  await before?.unsubscribe()
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = made.toJSON() as PushSubscriptionContent
  await subscribePush({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } }).catch(async (error: unknown) => {
    await made.unsubscribe()
    throw error
  })
  return permission
}

export async function turnPushOff(): Promise<void> {
  await unsubscribePush()
  const { pushManager } = await worker()
  await (await pushManager.getSubscription())?.unsubscribe()
}

/** Tells the bank that this browser still shows notices, and ends what somebody else has left in it. */
export async function renewPushHere(): Promise<void> {
  if (pushPermission() !== 'granted') return
  const subscription = await (await worker()).pushManager.getSubscription()
  if (!subscription) return
  const { on } = await renewPush(subscription.endpoint)
  if (!on) await subscription.unsubscribe()
}
