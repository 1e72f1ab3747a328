import { v7 } from 'uuid'
import type { Outcome } from '#web/lib/outcome-toast.ts'
import { customerHasLeft } from '#web/lib/api.ts'

/** What was sent without the bank ever saying what became of it, with its Idempotency-Key. */
const unsettled = new Map<string, string>()
/** What the bank is being asked about. */
const checking = new Map<string, Promise<Outcome>>()

/** A form's content, for as long as this page is open: the same form with the same content is the same request. */
export const requestOf = (content: unknown): string => `${window.location.pathname} ${JSON.stringify(content)}`

/** The key under which to send it, and whether it was sent before: then under the key of that time. */
export function keyFor(request: string): { key: string; sentBefore: boolean } {
  const key = unsettled.get(request)
  return { key: key ?? v7(), sentBefore: key !== undefined }
}

/** Resolves to whether the same request, which the bank is just being asked about, was carried out. */
export async function wasJustSent(request: string): Promise<boolean> {
  return (await checking.get(request)) === 'sent'
}

/** Remembers a request until its outcome is known; for good where it stays unknown, until the customer has left. */
export async function settle(request: string, key: string, asking: Promise<Outcome>): Promise<Outcome> {
  const left = customerHasLeft()
  left.addEventListener('abort', () => unsettled.clear(), { once: true })
  checking.set(request, asking)
  const outcome = await asking.finally(() => checking.delete(request))
  if (outcome === 'unknown' && !left.aborted) unsettled.set(request, key)
  else unsettled.delete(request)
  return outcome
}

/** The bank has answered it. */
export function answered(request: string): void {
  unsettled.delete(request)
}
