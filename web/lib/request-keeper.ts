import type { OutcomeTexts } from '#web/lib/outcome-toast.ts'

/** A request that is about to be sent, or was sent, with an unknown outcome. */
export type UnfinishedRequest = {
  /** The idempotency key. */
  key: string
  /** The digest of the content and the page path. */
  request: string
  texts: OutcomeTexts
}

/** Stores unfinished requests, so that they survive closing or reloading the page (docs/decisions/0280). */
export type RequestKeeper = {
  /** Resolves once the request of this page is stored. */
  keep: (unfinished: UnfinishedRequest) => Promise<void>
  /** Deletes a request whose outcome is known. */
  drop: (key: string) => Promise<void>
  /** Releases a request with an unknown outcome, which this page has stopped sending. */
  release: (key: string) => void
  /** Returns the key of the same request if a closed page left it unfinished; null if there is no such request. */
  find: (request: string) => Promise<string | null>
}

let load: () => Promise<RequestKeeper | null> = async () => null

/** Sets the loader of the request keeper. */
export function onRequestKeeperWanted(loader: () => Promise<RequestKeeper>): void {
  load = loader
}

/** The time limit for storing a request, because a device may be slow or never answer. */
const KEEP_WITHIN_MS = 2_000

/**
 * Returns the keeper's answer. Undefined if the browser has no storage, if the keeper's code does not load, or after the time
 * limit; keys then last as long as the page.
 */
export async function withRequestKeeper<Value>(
  askKeeper: (keeper: RequestKeeper) => Value | Promise<Value>,
): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeLimit = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, KEEP_WITHIN_MS, undefined)
  })
  const answer = load().then((keeper) => (keeper ? askKeeper(keeper) : undefined))
  return Promise.race([answer.catch(() => undefined), timeLimit]).finally(() => clearTimeout(timer))
}

/** Returns a SHA-256 digest in hexadecimal. Contents are compared by digest, so that they need not be stored. */
export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
