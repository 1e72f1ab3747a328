import type { QueryClient } from '@tanstack/react-query'
import { ensureCacheKey } from '#web/app/offline/saved-queries.ts'
import { encrypt, decrypt } from '#web/app/offline/encryption.ts'
import { countCacheClears, readCacheKey, openOfflineCache } from '#web/lib/offline-cache.ts'
import { meQuery } from '#web/lib/me.ts'
import type { RequestKeeper, UnfinishedRequest } from '#web/lib/request-keeper.ts'

/** The folder of unfinished requests in the customer's cache, one entry per idempotency key. */
const FOLDER = '/unfinished/'

const entryOf = (key: string): string => FOLDER + key

/** Returns the name of the lock that the sending page holds. The browser releases it when the page is closed. */
const lockOf = (key: string): string => `alder-sending-${key}`

type SavedRequest = UnfinishedRequest & { owner: string }

async function write(queries: QueryClient, request: UnfinishedRequest): Promise<void> {
  const drops = countCacheClears()
  const me = await queries.ensureQueryData(meQuery)
  if (countCacheClears() !== drops) return
  const key = ensureCacheKey(me)
  if (key === null) return
  const encryptedRequest = await encrypt(
    key,
    JSON.stringify({ ...request, owner: me.customer.email } satisfies SavedRequest),
  )
  const store = await openOfflineCache()
  // The customer may have signed out meanwhile, in this tab or in another.
  if (countCacheClears() !== drops || readCacheKey() !== key) return
  await store.put(entryOf(request.key), new Response(encryptedRequest))
}

async function readAll(queries: QueryClient): Promise<UnfinishedRequest[]> {
  const key = readCacheKey()
  if (key === null) return []
  const store = await openOfflineCache()
  const paths = (await store.keys()).map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith(FOLDER))
  if (paths.length === 0) return []
  const owner = (await queries.ensureQueryData(meQuery)).customer.email
  const storedRequests = await Promise.all(
    paths.map(async (path) => {
      try {
        const entry = await store.match(path)
        return entry ? (JSON.parse(await decrypt(key, await entry.arrayBuffer())) as SavedRequest) : null
      } catch {
        // The entry was encrypted with another key and can never be decrypted.
        return null
      }
    }),
  )
  return storedRequests.filter((request) => request !== null && request.owner === owner) as SavedRequest[]
}

/** Returns the unfinished requests that no page of this browser is sending. */
export async function unfinishedRequests(queries: QueryClient): Promise<UnfinishedRequest[]> {
  const storedRequests = await readAll(queries)
  if (storedRequests.length === 0) return []
  const lockNames = new Set((await navigator.locks.query()).held?.map(({ name }) => name))
  return storedRequests.filter(({ key }) => !lockNames.has(lockOf(key)))
}

const forgetRequest = async (key: string): Promise<void> => void (await (await openOfflineCache()).delete(entryOf(key)))

export function openRequestKeeper(queries: QueryClient): RequestKeeper {
  const entries = new Map<string, { stored: Promise<void>; release: () => void }>()
  const release = (key: string): void => {
    entries.get(key)?.release()
    entries.delete(key)
  }
  return {
    keep: (request) => {
      const existingEntry = entries.get(request.key)
      if (existingEntry) return existingEntry.stored
      const { promise: lockEnd, resolve } = Promise.withResolvers<void>()
      const stored = new Promise<void>((resolveKept, reject) => {
        const hold = (): Promise<void> => {
          write(queries, request).then(resolveKept, reject)
          return lockEnd
        }
        navigator.locks.request(lockOf(request.key), hold).catch(reject)
      })
      entries.set(request.key, { stored, release: resolve })
      return stored
    },
    drop: async (key) => {
      // Waits for a running write before the deletion.
      await entries.get(key)?.stored.catch(() => {})
      // Deleted under the lock, so that no other page finds the request and asks the bank about it.
      await forgetRequest(key).finally(() => release(key))
    },
    release,
    find: async (request) =>
      (await unfinishedRequests(queries)).find((savedRequest) => savedRequest.request === request)?.key ?? null,
  }
}

let keeper: RequestKeeper | null = null

/** The request keeper of this page. */
export const requestKeeperOf = (queries: QueryClient): RequestKeeper => (keeper ??= openRequestKeeper(queries))
