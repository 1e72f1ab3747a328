import type { ReactNode } from 'react'
import { observed, useObserved } from '#web/lib/observed.ts'

const bar = observed<ReactNode>(() => null)

/** Offers the new version by `next`, which has come with its code: this page's own version may have lost its files. */
export function offerNewVersion(next: ReactNode): void {
  bar.set(next)
}

/** The bar that offers the new version of the app, while this page is of an earlier one. */
export const NewVersion = (): ReactNode => useObserved(bar)
