import { v7 } from 'uuid'
import { customerHasLeft } from '#web/lib/api.ts'
import type { Outcome } from '#web/lib/outcome-toast.ts'
import { requestKeeper, type Unfinished } from '#web/lib/request-keeper.ts'

/** The device may be slow to keep something, or never say that it has. */
const KEEP_WITHIN_MS = 2_000

/** What was sent without the bank ever saying what became of it, with its Idempotency-Key. */
const unsettled = new Map<string, string>()
/** What the bank is being asked about. */
const checking = new Map<string, Promise<Outcome>>()

/** The digest of a form's content and its screen: the same form with the same content is the same request. */
export async function requestOf(content: unknown): Promise<string> {
  const text = new TextEncoder().encode(`${window.location.pathname} ${JSON.stringify(content)}`)
  const digest = await crypto.subtle.digest('SHA-256', text)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * The key under which to send it, and whether it was sent before: then under the key of that time, also if the page was
 * loaded anew since.
 */
export async function keyFor(request: string): Promise<{ key: string; sentBefore: boolean }> {
  const key = unsettled.get(request) ?? (await inTime((await requestKeeper())?.find(request)))
  return { key: key ?? v7(), sentBefore: typeof key === 'string' }
}

/** Resolves once the device keeps a request, or to nothing where it does not: it is sent all the same. */
export async function keepUnfinished(unfinished: Unfinished): Promise<void> {
  await inTime((await requestKeeper())?.keep(unfinished))
}

async function inTime<Value>(work: Promise<Value> | undefined): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, KEEP_WITHIN_MS, undefined)
  })
  return Promise.race([work?.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

/** Whether the bank is just being asked about it. */
export const isChecked = (request: string): boolean => checking.has(request)

/** Resolves to whether the same request, which the bank is just being asked about, was carried out. */
export async function wasJustSent(request: string): Promise<boolean> {
  return (await checking.get(request)) === 'sent'
}

type Sent = Pick<Unfinished, 'key' | 'request'>

/** Remembers a request until its outcome is known; for good where it stays unknown, until the customer has left. */
export async function settle({ key, request }: Sent, asking: Promise<Outcome>): Promise<Outcome> {
  const left = customerHasLeft()
  left.addEventListener('abort', () => unsettled.clear(), { once: true })
  checking.set(request, asking)
  const outcome = await asking.finally(() => checking.delete(request))
  if (outcome === 'unknown' && !left.aborted) {
    unsettled.set(request, key)
    void requestKeeper().then((keeper) => keeper?.release(key))
  } else answered({ key, request })
  return outcome
}

/** The bank has answered it. */
export function answered({ key, request }: Sent): void {
  unsettled.delete(request)
  requestKeeper()
    .then((keeper) => keeper?.drop(key))
    .catch(() => {})
}
