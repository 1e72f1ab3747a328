import type { PushSubscriptionContent } from '#contract/push.ts'
import { renewPush, subscribePush, unsubscribePush } from '#web/notifications/queries.ts'

/** The browser's permission for notifications. A browser asks once, and a refusal may be permanent. */
export type PushPermission = NotificationPermission | 'unsupported'

export function pushPermission(): PushPermission {
  const isSupported = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis
  return isSupported ? Notification.permission : 'unsupported'
}

/**
 * The time to wait for the service worker, in milliseconds. It is registered a few seconds after the page loads, and then
 * downloads all screens.
 */
const READY_MS = 30_000

function worker(): Promise<ServiceWorkerRegistration> {
  const readyTimeout = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('The service worker is not ready')), READY_MS)
  })
  return Promise.race([navigator.serviceWorker.ready, readyTimeout])
}

/**
 * The storage key of the push address last sent to the bank. Push services assign new addresses, and the bank must delete the
 * old one.
 */
const ADDRESS = 'alder.push-address'

function rememberAddress(endpoint: string | null): void {
  try {
    if (endpoint === null) localStorage.removeItem(ADDRESS)
    else localStorage.setItem(ADDRESS, endpoint)
  } catch {
    // Without storage, the bank deletes the old address when the push service reports it as gone.
  }
}

function replacedBy(endpoint: string): string | null {
  try {
    const lastAddress = localStorage.getItem(ADDRESS)
    return lastAddress === endpoint ? null : lastAddress
  } catch {
    return null
  }
}

/** Returns a subscription for the bank, with the address that it replaces. */
function withReplaced(subscription: PushSubscription): PushSubscriptionContent {
  const { endpoint, keys } = subscription.toJSON() as PushSubscriptionContent
  const replacedAddress = replacedBy(endpoint)
  return {
    endpoint,
    keys: { p256dh: keys.p256dh, auth: keys.auth },
    ...(replacedAddress !== null && { replaced: replacedAddress }),
  }
}

/** Asks for permission if necessary and subscribes this browser to notifications. Returns the permission. */
export async function turnPushOn(publicKey: string): Promise<PushPermission> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission
  const { pushManager } = await worker()
  // A subscription that was made with an earlier key of the bank cannot be changed, so a new one replaces it.
  const oldSubscription = await pushManager.getSubscription()
  await oldSubscription?.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  await subscribePush(withReplaced(subscription)).catch(async (error: unknown) => {
    await subscription.unsubscribe()
    throw error
  })
  rememberAddress(subscription.endpoint)
  return permission
}

export async function turnPushOff(): Promise<void> {
  await unsubscribePush()
  const { pushManager } = await worker()
  await (await pushManager.getSubscription())?.unsubscribe()
  rememberAddress(null)
}

/** Renews this browser's subscription at the bank. Cancels it if the bank reports another owner. */
export async function renewPushHere(): Promise<void> {
  if (pushPermission() !== 'granted') return
  const subscription = await (await worker()).pushManager.getSubscription()
  if (!subscription) return
  const { on: isOn } = await renewPush(withReplaced(subscription))
  rememberAddress(isOn ? subscription.endpoint : null)
  if (!isOn) await subscription.unsubscribe()
}
