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

/** Null where this browser keeps nothing, or the code for it does not come: then keys last as long as the page. */
export const requestKeeper = (): Promise<RequestKeeper | null> => load().catch(() => null)
