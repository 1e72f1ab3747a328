import type { Language } from '#contract/languages.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import type { Caller } from '#server/platform/http/caller.ts'

/** What a service may know of the browser that asks. Its cookies are claims until they are checked. */
export type Client = {
  caller: Caller
  /** A digest of the network it asks from: what limits count it under. */
  source: string
  /** A digest of the site that network belongs to. */
  site: string
  /** What names the session its cookie speaks of, whether or not there is one. */
  session: string | null
  /** What names the browser among those that remember a sample customer. */
  visitor: string | null
  /** What names the browser as a device of whoever has signed in on it; null where nobody has. */
  deviceToken: string | null
  /** What the app speaks on it, as far as a server can tell. */
  language: Language
  /** What makes the request one request however often it is sent; undefined where it carries no key. */
  key: RequestKey | undefined
}
