import type { OutcomeTexts } from '#web/lib/outcome-toast.ts'

/** A request that is about to be sent, or was sent, and whose outcome is not known yet. */
export type Unfinished = {
  /** Its Idempotency-Key. */
  key: string
  /** The digest of what was sent, and from where. */
  request: string
  texts: OutcomeTexts
}

/** Keeps unfinished requests for when this page is closed or loaded anew (docs/decisions/0280). */
export type RequestKeeper = {
  /** Resolves once a request, which this page sends, is kept. */
  keep: (unfinished: Unfinished) => Promise<void>
  /** Its outcome is known. */
  drop: (key: string) => Promise<void>
  /** Its outcome is not known, and this page has stopped to send it. */
  release: (key: string) => void
  /** The key of the same request, where a page that is gone has left it unfinished. */
  find: (request: string) => Promise<string | null>
}

let load: () => Promise<RequestKeeper | null> = async () => null

/** Sets what keeps unfinished requests. */
export function onRequestKeeperWanted(loader: () => Promise<RequestKeeper>): void {
  load = loader
}

/** The device may be slow to keep something, or never say that it has. */
const KEEP_WITHIN_MS = 2_000

/**
 * What the keeper answers; undefined where this browser keeps nothing, where the code for it does not come, or where it takes
 * too long: then keys last as long as the page.
 */
export async function askKeeper<Value>(
  ask: (keeper: RequestKeeper) => Value | Promise<Value>,
): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, KEEP_WITHIN_MS, undefined)
  })
  const answer = load().then((keeper) => (keeper ? ask(keeper) : undefined))
  return Promise.race([answer.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

/** SHA-256, in hexadecimal: what was sent is compared, and not kept. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
