import { v7 } from 'uuid'
import { customerLeftSignal } from '#web/lib/api.ts'
import type { RequestOutcome } from '#web/lib/outcome-toast.ts'
import { withRequestKeeper, sha256Hex, type UnfinishedRequest } from '#web/lib/request-keeper.ts'

/** The idempotency keys of requests with an unknown outcome, by digest. */
const unconfirmed = new Map<string, string>()
/** The requests whose outcome the bank is being asked for, by digest. */
const checking = new Map<string, Promise<RequestOutcome>>()

/** Returns the digest of a form's content and the page's path. The same content on the same page is the same request. */
export const digestRequest = (content: unknown): Promise<string> =>
  sha256Hex(`${window.location.pathname} ${JSON.stringify(content)}`)

/**
 * Returns the key for a request, and whether the request was sent before. If it was, the key is the earlier one, even after a
 * reload of the page.
 */
export async function idempotencyKeyFor(request: string): Promise<{ key: string; sentBefore: boolean }> {
  const key = unconfirmed.get(request) ?? (await withRequestKeeper((keeper) => keeper.find(request)))
  return { key: key ?? v7(), sentBefore: typeof key === 'string' }
}

/** Stores a request on the device. Resolves even if the device cannot store it; the request is sent anyway. */
export const keepUnfinishedRequest = (unfinished: UnfinishedRequest): Promise<void> =>
  withRequestKeeper((keeper) => keeper.keep(unfinished))

/** Returns whether the bank is currently being asked about a request. */
export const isBeingChecked = (request: string): boolean => checking.has(request)

/** Resolves to whether the same request, which the bank is being asked about, was carried out. */
export async function wasCarriedOut(request: string): Promise<boolean> {
  return (await checking.get(request)) === 'sent'
}

type RequestIdentity = Pick<UnfinishedRequest, 'key' | 'request'>

/** Remembers a request until its outcome is known. If it stays unknown, it is remembered until the customer signs out. */
export async function trackOutcome(
  { key, request }: RequestIdentity,
  question: Promise<RequestOutcome>,
): Promise<RequestOutcome> {
  const customerLeft = customerLeftSignal()
  customerLeft.addEventListener('abort', () => unconfirmed.clear(), { once: true })
  checking.set(request, question)
  const outcome = await question.finally(() => checking.delete(request))
  if (outcome === 'unknown' && !customerLeft.aborted) {
    unconfirmed.set(request, key)
    void withRequestKeeper((keeper) => keeper.release(key))
  } else markAnswered({ key, request })
  return outcome
}

/** Forgets a request that the bank has answered. */
export function markAnswered({ key, request }: RequestIdentity): void {
  unconfirmed.delete(request)
  void withRequestKeeper((keeper) => keeper.drop(key))
}
