import type { QueryClient } from '@tanstack/react-query'
import { readCacheKey } from '#web/lib/offline-cache.ts'
import { checkConnection, isConnected } from '#web/lib/connection.ts'
import { onRequestKeeperWanted } from '#web/lib/request-keeper.ts'

export const canCacheOffline = (): boolean => 'caches' in globalThis && 'locks' in navigator

const load = () => import('#web/app/offline/saved-queries.ts')

/** Restores the customer's cached data if the app was opened while the bank is out of reach. */
export async function restoreWhenOffline(queries: QueryClient): Promise<void> {
  const isFromWorker = 'kept' in document.documentElement.dataset
  if (isFromWorker) checkConnection()
  if ((isConnected() && !isFromWorker) || !canCacheOffline() || readCacheKey() === null) return
  await load()
    .then(({ restoreQueries }) => restoreQueries(queries))
    .catch(() => {})
}

/** Starts to cache the data on the screen for times when the bank is out of reach. */
export function startOfflineCache(queries: QueryClient): void {
  if (!canCacheOffline()) return
  load()
    .then(({ startSavingQueries }) => startSavingQueries(queries))
    .catch(() => {})
}

/** Starts to store each sent request until its outcome is known, even if the page is closed. */
export function startSavingRequests(queries: QueryClient): void {
  if (!canCacheOffline()) return
  onRequestKeeperWanted(() =>
    import('#web/app/offline/saved-requests.ts').then((module) => module.requestKeeperOf(queries)),
  )
}
