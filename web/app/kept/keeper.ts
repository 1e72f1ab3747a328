import type { InfiniteData, Query, QueryClient } from '@tanstack/react-query'
import type { Me } from '#contract/identity.ts'
import { newKey, seal, unseal } from '#web/app/kept/seal.ts'
import { lastInput } from '#web/identity/session/last-input.ts'
import { dropKept, keptDrops, keptKey, keptStore, setKeptKey } from '#web/lib/kept.ts'
import { isLineUp, onLineChange } from '#web/lib/line.ts'
import { meQuery } from '#web/lib/me.ts'

/** As long as a session lasts at most. Where an idle one ends sooner, so does what is kept. */
const KEPT_SECONDS = 12 * 60 * 60
const MOST_QUERIES = 40
const MOST_CHARACTERS = 500_000
const SAVE_AFTER_MS = 1_000
const EXTEND_EVERY_MS = 15_000
/** One tab at a time changes what is kept. */
const LOCK = 'alder-kept'
const ENTRY = '/kept'

type KeptQuery = { key: readonly unknown[]; hash: string; data: unknown; updatedAt: number }
type Kept = { owner: string; queries: KeptQuery[] }

/** How much longer the customer's data may be kept, in seconds: an idle customer's is dropped when the session ends. */
const secondsLeft = (me: Me): number => (me.idleSeconds ?? KEPT_SECONDS) - (Date.now() - lastInput()) / 1000

const currentCustomer = (queries: QueryClient): Me | undefined => queries.getQueryData(meQuery.queryKey)

/** Of a list that goes on and on, the first page. */
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

/** The newest of each, as many as there is room for. */
export function merged(before: readonly KeptQuery[], now: readonly KeptQuery[], nowMs: number): KeptQuery[] {
  const newestFirst = [...now, ...before].toSorted((one, other) => other.updatedAt - one.updatedAt)
  const byHash = new Map<string, KeptQuery>()
  let characters = 0
  for (const query of newestFirst) {
    if (byHash.size === MOST_QUERIES || query.updatedAt < nowMs - KEPT_SECONDS * 1000) break
    if (byHash.has(query.hash)) continue
    characters += JSON.stringify(query).length
    if (characters > MOST_CHARACTERS) break
    byHash.set(query.hash, query)
  }
  return [...byHash.values()]
}

/** What is kept; null where there is nothing, or nothing that can be read any more. */
async function read(key: string): Promise<Kept | null> {
  try {
    const entry = await (await keptStore()).match(ENTRY)
    return entry ? (JSON.parse(await unseal(key, await entry.arrayBuffer())) as Kept) : null
  } catch {
    return null
  }
}

/** The key that what is kept of a customer is encrypted with, made where there is none; null once an idle one may keep nothing. */
export function keyOf(me: Me): string | null {
  const seconds = secondsLeft(me)
  if (seconds <= 0) return null
  const key = keptKey() ?? newKey()
  setKeptKey(key, seconds)
  return key
}

export async function save(queries: QueryClient): Promise<void> {
  const me = currentCustomer(queries)
  if (!me) return
  const drops = keptDrops()
  await navigator.locks.request(LOCK, async () => {
    if (keptDrops() !== drops) return
    const key = keyOf(me)
    if (key === null) return
    const owner = me.customer.email
    const before = await read(key)
    const kept = merged(before?.owner === owner ? before.queries : [], queriesToKeep(queries), Date.now())
    const sealed = await seal(key, JSON.stringify({ owner, queries: kept } satisfies Kept))
    // The customer may have signed out meanwhile, in this tab or in another.
    if (keptDrops() !== drops || keptKey() !== key) return
    await (await keptStore()).put(ENTRY, new Response(sealed))
  })
}

let restoredOwner: string | null = null

/** Puts what is kept where nothing newer is. */
export async function restore(queries: QueryClient): Promise<void> {
  const drops = keptDrops()
  const key = keptKey()
  // Without the key it can never be read again.
  if (key === null) return dropKept()
  const kept = await read(key)
  if (!kept || keptDrops() !== drops || isAnotherThan(kept.owner, currentCustomer(queries))) return
  restoredOwner = kept.owner
  for (const { key: queryKey, data, updatedAt } of kept.queries) {
    const known = queries.getQueryState(queryKey)
    if (known?.data === undefined && updatedAt > Date.now() - KEPT_SECONDS * 1000) {
      queries.setQueryData(queryKey, data, { updatedAt })
    }
  }
}

const isAnotherThan = (owner: string, me: Me | undefined): boolean => me !== undefined && me.customer.email !== owner

/** The bank says who is signed in: if it is not whose data was restored, none of that may stay. */
function checkOwner(queries: QueryClient): void {
  if (restoredOwner === null || !isAnotherThan(restoredOwner, currentCustomer(queries))) return
  restoredOwner = null
  dropKept()
  void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] })
}

const isMissed = ({ meta, state }: Query): boolean => meta?.kept !== undefined && state.data === undefined

/** Keeps what is shown of the customer from now on, and brings it back where the bank is out of reach. */
export function startKeeping(queries: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const saveSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      save(queries).catch(() => {})
    }, SAVE_AFTER_MS)
  }
  queries.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    if (event.action.type === 'success') {
      checkOwner(queries)
      if (isLineUp() && event.query.meta?.kept) saveSoon()
    }
    // Also what was known a while ago, and is not in memory any more.
    if (event.action.type === 'error' && !isLineUp() && isMissed(event.query)) restore(queries).catch(() => {})
  })
  onLineChange((isUp) => {
    if (!isUp) restore(queries).catch(() => {})
    // Also what was kept a moment ago is asked for again: it may not even be this customer's any more.
    else if (restoredOwner !== null) void queries.invalidateQueries()
  })
  setInterval(() => {
    const [key, me] = [keptKey(), currentCustomer(queries)]
    if (key === null || !me) return
    const seconds = secondsLeft(me)
    if (seconds > 0) setKeptKey(key, seconds)
    else dropKept()
  }, EXTEND_EVERY_MS)
  saveSoon()
}
