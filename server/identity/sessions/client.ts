import type { Language } from '#contract/languages.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Caller } from '#server/platform/http/caller.ts'

/** The data about the calling browser for services. Its cookies are unverified claims. */
export type Client = {
  caller: Caller
  /** A digest of the network that the request comes from. It is the key under which limits count. */
  source: string
  /** A digest of the site to which the network belongs. */
  site: string
  /** The digest of the session cookie. Null without the cookie. The session itself need not exist. */
  session: string | null
  /** The digest of the visitor cookie, which identifies a sample customer. Null without the cookie. */
  visitor: string | null
  /** The token of the device cookie. Null without the cookie. */
  deviceToken: string | null
  /** The app's language on the browser, as far as the server can tell. */
  language: Language
  /** The request's Idempotency-Key with its fingerprint. Undefined without a key. */
  key: RequestKey | undefined
}
