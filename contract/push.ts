import { z } from 'zod'

/** Base64url of exactly so many bytes. */
const base64url = (bytes: number) => z.string().regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((bytes * 4) / 3)}}$`))

const endpoint = z.string().min(1).max(1000)
const keys = z.strictObject({
  /** An uncompressed point on P-256. */
  p256dh: base64url(65),
  auth: base64url(16),
})

/** What a browser's PushSubscription says of itself, as JSON. `replaced`: the address that it had before. */
export const pushSubscription = z.strictObject({ endpoint, keys, replaced: endpoint.optional() })
export type PushSubscriptionContent = z.infer<typeof pushSubscription>

/** Which subscription a browser still has; with `keys` and `replaced`, which one it has now in the place of another. */
export const pushRenewal = z.strictObject({ endpoint, keys: keys.optional(), replaced: endpoint.optional() })
export type PushRenewal = z.infer<typeof pushRenewal>

/** `publicKey`: what the bank's messages are signed with, for the browser to know them by. */
export const pushState = z.object({ publicKey: z.string(), on: z.boolean() })

/** What the service worker shows, in the customer's language. `path` is the screen that it opens. */
export type PushMessage = {
  id: string
  title: string
  body: string
  path: string
  language: string
  direction: 'ltr' | 'rtl'
}
