import { v7 } from 'uuid'
import { customerHasLeft } from '#web/lib/api.ts'
import type { Outcome } from '#web/lib/outcome-toast.ts'
import { askKeeper, digestOf, type Unfinished } from '#web/lib/request-keeper.ts'

/** What was sent without the bank ever saying what became of it, with its Idempotency-Key. */
const unsettled = new Map<string, string>()
/** What the bank is being asked about. */
const checking = new Map<string, Promise<Outcome>>()

/** What a form's content is known by: the same form with the same content is the same request. */
export const requestOf = (content: unknown): Promise<string> =>
  digestOf(`${window.location.pathname} ${JSON.stringify(content)}`)

/**
 * The key under which to send it, and whether it was sent before: then under the key of that time, also if the page was
 * loaded anew since.
 */
export async function keyFor(request: string): Promise<{ key: string; sentBefore: boolean }> {
  const key = unsettled.get(request) ?? (await askKeeper((keeper) => keeper.find(request)))
  return { key: key ?? v7(), sentBefore: typeof key === 'string' }
}

/** Resolves once the device keeps a request, or to nothing where it does not: it is sent all the same. */
export const keepUnfinished = (unfinished: Unfinished): Promise<void> => askKeeper((keeper) => keeper.keep(unfinished))

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
    void askKeeper((keeper) => keeper.release(key))
  } else answered({ key, request })
  return outcome
}

/** The bank has answered it. */
export function answered({ key, request }: Sent): void {
  unsettled.delete(request)
  void askKeeper((keeper) => keeper.drop(key))
}
