import { z } from 'zod'

/** Defines a Base64url text of exactly `bytes` bytes. */
const base64url = (bytes: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`))

const endpoint = z.string().min(1).max(1000)
const keys = z.strictObject({
  /** An uncompressed point on P-256. */
  p256dh: base64url(65),
  auth: base64url(16),
})

/** A browser's PushSubscription in its JSON form. `replaced` is the endpoint of the subscription that this one replaces. */
export const pushSubscription = z.strictObject({ endpoint, keys, replaced: endpoint.optional() })
export type PushSubscriptionContent = z.infer<typeof pushSubscription>

/**
 * The endpoint of a browser's current subscription. `keys` and `replaced` are present if the browser has replaced its
 * subscription.
 */
export const pushRenewal = z.strictObject({ endpoint, keys: keys.optional(), replaced: endpoint.optional() })
export type PushRenewal = z.infer<typeof pushRenewal>

/**
 * `publicKey` is the bank's VAPID key (RFC 8292), with which the browser subscribes. `on` is true if the browser is subscribed.
 */
export const pushState = z.object({ publicKey: z.string(), on: z.boolean() })

/** The message that the service worker shows, in the customer's language. `path` is the screen that the message opens. */
export type PushMessage = {
  id: string
  title: string
  body: string
  path: string
  language: string
  direction: 'ltr' | 'rtl'
}
