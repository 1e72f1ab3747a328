import type { ReactNode } from 'react'
import { createObservable, useObservable } from '#web/lib/observable.ts'

const bar = createObservable<ReactNode>(() => null)

/**
 * Shows `next`, which offers the new version. Its code must be loaded already: the server may no longer have the files of this
 * page's own version.
 */
export function offerNewVersion(next: ReactNode): void {
  bar.set(next)
}

/** The bar that offers the new version of the app while this page has an earlier one. */
export const NewVersion = (): ReactNode => useObservable(bar)
