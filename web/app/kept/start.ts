import type { QueryClient } from '@tanstack/react-query'
import { keptKey } from '#web/lib/kept.ts'
import { checkLine, isLineUp } from '#web/lib/line.ts'

const isSupported = (): boolean => 'caches' in globalThis && 'locks' in navigator

const load = () => import('#web/app/kept/keeper.ts')

/** Shows what is kept of the customer where the app was opened without the bank. */
export async function restoreWhereOutOfReach(queries: QueryClient): Promise<void> {
  const isFromWorker = 'kept' in document.documentElement.dataset
  if (isFromWorker) checkLine()
  if ((isLineUp() && !isFromWorker) || !isSupported() || keptKey() === null) return
  await load()
    .then(({ restore }) => restore(queries))
    .catch(() => {})
}

/** Begins to keep what is shown, once there is time for it. */
export function keepShown(queries: QueryClient): void {
  if (!isSupported()) return
  load()
    .then(({ startKeeping }) => startKeeping(queries))
    .catch(() => {})
}
