import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/identity.ts'
import { createKey, encrypt, decrypt } from '#web/app/offline/encryption.ts'
import { lastInput } from '#web/identity/session/last-input.ts'
import {
  clearOfflineCache,
  countCacheClears,
  readCacheKey,
  openOfflineCache,
  setCacheKey,
} from '#web/lib/offline-cache.ts'
import { isConnected, onConnectionChange } from '#web/lib/connection.ts'
import { meQuery } from '#web/lib/me.ts'

/** The longest lifetime of a session. If an idle session ends earlier, the cache expires with it. */
const KEPT_SECONDS = 12 * 60 * 60
const MAX_QUERIES = 40
const MAX_CHARACTERS = 500_000
const SAVE_AFTER_MS = 1_000
const EXTEND_EVERY_MS = 15_000
/** The lock that lets one tab at a time change the cache. */
const LOCK = 'alder-kept'
const ENTRY = '/kept'

type KeptQuery = { key: readonly unknown[]; hash: string; data: unknown; updatedAt: number }
type SavedData = { owner: string; queries: KeptQuery[] }

/**
 * Returns the remaining lifetime of the customer's cached data, in seconds. The cache of an idle customer expires when the
 * session ends.
 */
const secondsLeft = (me: Me): number => (me.idleSeconds ?? KEPT_SECONDS) - (Date.now() - lastInput()) / 1000

const currentCustomer = (queries: QueryClient): Me | undefined => queries.getQueryData(meQuery.queryKey)

/** Returns the first page of an infinite query. */
function firstPage(data: unknown): unknown {
  const { pages, pageParams } = data as Partial<InfiniteData<unknown>>
  if (!Array.isArray(pages) || !Array.isArray(pageParams)) return data
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) }
}

function queriesToKeep(queries: QueryClient): KeptQuery[] {
  return queries
    .getQueryCache()
    .findAll({ predicate: ({ meta, state }) => meta?.kept !== undefined && state.data !== undefined })
    .map(({ queryKey, queryHash, state }) => ({
      key: queryKey,
      hash: queryHash,
      data: firstPage(state.data),
      updatedAt: state.dataUpdatedAt,
    }))
}

/** Returns the newest version of each query, newest first, up to the maximum number, size and age. */
export function mergeQueries(
  savedQueries: readonly KeptQuery[],
  currentQueries: readonly KeptQuery[],
  nowMs: number,
): KeptQuery[] {
  const newestFirst = [...currentQueries, ...savedQueries].toSorted(
    (first, second) => second.updatedAt - first.updatedAt,
  )
  const byHash = new Map<string, KeptQuery>()
  let characters = 0
  for (const query of newestFirst) {
    if (byHash.size === MAX_QUERIES || query.updatedAt < nowMs - KEPT_SECONDS * 1000) break
    if (byHash.has(query.hash)) continue
    characters += JSON.stringify(query).length
    if (characters > MAX_CHARACTERS) break
    byHash.set(query.hash, query)
  }
  return [...byHash.values()]
}

/** Reads the cache. Returns null if it is empty or cannot be decrypted. */
async function readCache(key: string): Promise<SavedData | null> {
  try {
    const entry = await (await openOfflineCache()).match(ENTRY)
    return entry ? (JSON.parse(await decrypt(key, await entry.arrayBuffer())) as SavedData) : null
  } catch {
    return null
  }
}

/**
 * Returns the encryption key of the cache, and creates the key if there is none. Returns null if the session of an idle
 * customer has ended.
 */
export function ensureCacheKey(me: Me): string | null {
  const seconds = secondsLeft(me)
  if (seconds <= 0) return null
  const key = readCacheKey() ?? createKey()
  setCacheKey(key, seconds)
  return key
}

export async function saveQueries(queries: QueryClient): Promise<void> {
  const me = currentCustomer(queries)
  if (!me) return
  const drops = countCacheClears()
  await navigator.locks.request(LOCK, async () => {
    if (countCacheClears() !== drops) return
    const key = ensureCacheKey(me)
    if (key === null) return
    const owner = me.customer.email
    const previousData = await readCache(key)
    const mergedQueries = mergeQueries(
      previousData?.owner === owner ? previousData.queries : [],
      queriesToKeep(queries),
      Date.now(),
    )
    const encryptedData = await encrypt(key, JSON.stringify({ owner, queries: mergedQueries } satisfies SavedData))
    // The customer may have signed out meanwhile, in this tab or another one.
    if (countCacheClears() !== drops || readCacheKey() !== key) return
    await (await openOfflineCache()).put(ENTRY, new Response(encryptedData))
  })
}

let restoredOwner: string | null = null

/** Restores the cached data of queries that have no newer data. */
export async function restoreQueries(queries: QueryClient): Promise<void> {
  const drops = countCacheClears()
  const key = readCacheKey()
  // Without the key, the cache can never be decrypted again.
  if (key === null) return clearOfflineCache()
  const savedData = await readCache(key)
  if (!savedData || countCacheClears() !== drops || isAnotherThan(savedData.owner, currentCustomer(queries))) return
  restoredOwner = savedData.owner
  for (const { key: queryKey, data, updatedAt } of savedData.queries) {
    const current = queries.getQueryState(queryKey)
    if (current?.data === undefined && updatedAt > Date.now() - KEPT_SECONDS * 1000) {
      queries.setQueryData(queryKey, data, { updatedAt })
    }
  }
}

const isAnotherThan = (owner: string, me: Me | undefined): boolean => me !== undefined && me.customer.email !== owner

/** Checks the owner of the restored data. If another customer is signed in, all of it is removed. */
function checkOwner(queries: QueryClient): void {
  if (restoredOwner === null || !isAnotherThan(restoredOwner, currentCustomer(queries))) return
  restoredOwner = null
  clearOfflineCache()
  void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] })
}

const isMissed = ({ meta, state }: Query): boolean => meta?.kept !== undefined && state.data === undefined

/** Starts to cache the customer's data on the screen, and restores it when the bank is out of reach. */
export function startSavingQueries(queries: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const saveSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      saveQueries(queries).catch(() => {})
    }, SAVE_AFTER_MS)
  }
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    if (event.action.type === 'success') {
      checkOwner(queries)
      if (isConnected() && event.query.meta?.kept) saveSoon()
    }
    // Restores also data that was cached earlier and is no longer in memory.
    if (event.action.type === 'error' && !isConnected() && isMissed(event.query))
      restoreQueries(queries).catch(() => {})
  })
  onConnectionChange((isUp) => {
    if (!isUp) restoreQueries(queries).catch(() => {})
    // Refetches even recent data, because it may belong to another customer.
    else if (restoredOwner !== null) void queries.invalidateQueries()
  })
  setInterval(() => {
    const [key, me] = [readCacheKey(), currentCustomer(queries)]
    if (key === null || !me) return
    const seconds = secondsLeft(me)
    if (seconds > 0) setCacheKey(key, seconds)
    else clearOfflineCache()
  }, EXTEND_EVERY_MS)
  saveSoon()
}
