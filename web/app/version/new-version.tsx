import type { ReactNode } from 'react'
import { createObservable, useObservable } from '#web/lib/observable.ts'

const bar = createObservable<ReactNode>(() => null)

/**
 * Offers the new version by showing `next`, which is already loaded, because the files of this page's own version may be gone.
 */
export function offerNewVersion(next: ReactNode): void {
  bar.set(next)
}

/** The bar that offers the new version of the app while this page has an earlier one. */
export const NewVersion = (): ReactNode => useObservable(bar)
