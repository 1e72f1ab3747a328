import type { QueryClient } from '@tanstack/react-query'
import { keptKey } from '#web/lib/kept.ts'
import { checkLine, isLineUp } from '#web/lib/line.ts'
import { onRequestKeeperWanted } from '#web/lib/request-keeper.ts'

export const canKeep = (): boolean => 'caches' in globalThis && 'locks' in navigator

const load = () => import('#web/app/kept/keeper.ts')

/** Shows what is kept of the customer where the app was opened without the bank. */
export async function restoreWhereOutOfReach(queries: QueryClient): Promise<void> {
  const isFromWorker = 'kept' in document.documentElement.dataset
  if (isFromWorker) checkLine()
  if ((isLineUp() && !isFromWorker) || !canKeep() || keptKey() === null) return
  await load()
    .then(({ restore }) => restore(queries))
    .catch(() => {})
}

/** Begins to keep what is shown, once there is time for it. */
export function keepShown(queries: QueryClient): void {
  if (!canKeep()) return
  load()
    .then(({ startKeeping }) => startKeeping(queries))
    .catch(() => {})
}

/** Keeps each request that is sent until its outcome is known, also if the page is gone by then. */
export function keepRequests(queries: QueryClient): void {
  if (!canKeep()) return
  onRequestKeeperWanted(() => import('#web/app/kept/requests.ts').then((module) => module.requestKeeperOf(queries)))
}
