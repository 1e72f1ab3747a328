import { type ReactNode, useSyncExternalStore } from 'react'

let bar: ReactNode = null
const listeners = new Set<() => void>()

/** Offers the new version by `next`, which has come with its code: this page's own version may have lost its files. */
export function offerNewVersion(next: ReactNode): void {
  bar = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The bar that offers the new version of the app, while this page is of an earlier one. */
export function NewVersion(): ReactNode {
  return useSyncExternalStore(subscribe, () => bar)
}
