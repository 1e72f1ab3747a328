import type { PushSubscriptionContent } from '#contract/push.ts'
import { renewPush, subscribePush, unsubscribePush } from '#web/notifications/queries.ts'

/** What a browser says of notices: it asks its person once, and they may say no for good. */
export type PushPermission = NotificationPermission | 'unsupported'

export function pushPermission(): PushPermission {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  return isSupported ? Notification.permission : 'unsupported'
}

/** The worker is registered a few seconds after the page is there, and then fetches every screen. */
const READY_MS = 30_000

function worker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The service worker is not ready')), READY_MS)
  })
  return Promise.race([navigator.serviceWorker.ready, late])
}

/** The address that the bank was told last: push services give browsers new ones, and the bank is to forget the old. */
const ADDRESS = 'alder.push-address'

function rememberAddress(endpoint: string | null): void {
  try {
    if (endpoint === null) localStorage.removeItem(ADDRESS)
    else localStorage.setItem(ADDRESS, endpoint)
  } catch {
    // Without storage the old one ends when its push service says that it is gone.
  }
}

function replacedBy(endpoint: string): string | null {
  try {
    const before = localStorage.getItem(ADDRESS)
    return before === endpoint ? null : before
  } catch {
    return null
  }
}

/** A subscription as the bank is told of it, with the address that it takes the place of. */
function withReplaced(subscription: PushSubscription): PushSubscriptionContent {
  const { endpoint, keys } = subscription.toJSON() as PushSubscriptionContent
  const replaced = replacedBy(endpoint)
  return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth }, ...(replaced !== null && { replaced }) }
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
  await subscribePush(withReplaced(made)).catch(async (error: unknown) => {
    await made.unsubscribe()
    throw error
  })
  rememberAddress(made.endpoint)
  return permission
}

export async function turnPushOff(): Promise<void> {
  await unsubscribePush()
  const { pushManager } = await worker()
  await (await pushManager.getSubscription())?.unsubscribe()
  rememberAddress(null)
}

/** Tells the bank that this browser still shows notices, and ends what somebody else has left in it. */
export async function renewPushHere(): Promise<void> {
  if (pushPermission() !== 'granted') return
  const subscription = await (await worker()).pushManager.getSubscription()
  if (!subscription) return
  const { on } = await renewPush(withReplaced(subscription))
  rememberAddress(on ? subscription.endpoint : null)
  if (!on) await subscription.unsubscribe()
}
