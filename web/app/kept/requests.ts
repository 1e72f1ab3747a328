import type { QueryClient } from '@tanstack/react-query'
import { keyOf } from '#web/app/kept/keeper.ts'
import { seal, unseal } from '#web/app/kept/seal.ts'
import { keptDrops, keptKey, keptStore } from '#web/lib/kept.ts'
import { meQuery } from '#web/lib/me.ts'
import type { RequestKeeper, Unfinished } from '#web/lib/request-keeper.ts'

/** Where unfinished requests are kept, each under its key, beside what else is kept of the customer. */
const FOLDER = '/unfinished/'

const entryOf = (key: string): string => FOLDER + key

/** Held by the page that sends the request. The browser releases it when that page is gone. */
const lockOf = (key: string): string => `alder-sending-${key}`

type Kept = Unfinished & { owner: string }

async function write(queries: QueryClient, unfinished: Unfinished): Promise<void> {
  const drops = keptDrops()
  const me = await queries.ensureQueryData(meQuery)
  if (keptDrops() !== drops) return
  const key = keyOf(me)
  if (key === null) return
  const sealed = await seal(key, JSON.stringify({ ...unfinished, owner: me.customer.email } satisfies Kept))
  const store = await keptStore()
  // The customer may have signed out meanwhile, in this tab or in another.
  if (keptDrops() !== drops || keptKey() !== key) return
  await store.put(entryOf(unfinished.key), new Response(sealed))
}

async function readAll(queries: QueryClient): Promise<Unfinished[]> {
  const key = keptKey()
  if (key === null) return []
  const store = await keptStore()
  const paths = (await store.keys()).map(({ url }) => new URL(url).pathname).filter((path) => path.startsWith(FOLDER))
  if (paths.length === 0) return []
  const owner = (await queries.ensureQueryData(meQuery)).customer.email
  const all = await Promise.all(
    paths.map(async (path) => {
      try {
        const entry = await store.match(path)
        return entry ? (JSON.parse(await unseal(key, await entry.arrayBuffer())) as Kept) : null
      } catch {
        // It was kept under another key, and can never be read again.
        return null
      }
    }),
  )
  return all.filter((one) => one !== null && one.owner === owner) as Kept[]
}

/** Those that no page of this browser is sending any more. */
export async function unfinishedRequests(queries: QueryClient): Promise<Unfinished[]> {
  const all = await readAll(queries)
  if (all.length === 0) return []
  const held = new Set((await navigator.locks.query()).held?.map(({ name }) => name))
  return all.filter(({ key }) => !held.has(lockOf(key)))
}

const forgetRequest = async (key: string): Promise<void> => void (await (await keptStore()).delete(entryOf(key)))

export function openRequestKeeper(queries: QueryClient): RequestKeeper {
  const sending = new Map<string, { kept: Promise<void>; release: () => void }>()
  const release = (key: string): void => {
    sending.get(key)?.release()
    sending.delete(key)
  }
  return {
    keep: (unfinished) => {
      const before = sending.get(unfinished.key)
      if (before) return before.kept
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const kept = new Promise<void>((resolveKept, reject) => {
        const hold = (): Promise<void> => {
          write(queries, unfinished).then(resolveKept, reject)
          return over
        }
        navigator.locks.request(lockOf(unfinished.key), hold).catch(reject)
      })
      sending.set(unfinished.key, { kept, release: resolve })
      return kept
    },
    drop: async (key) => {
      // What is being written is written before it is deleted.
      await sending.get(key)?.kept.catch(() => {})
      // Deleted while it is locked: another page must not find it and ask about it.
      await forgetRequest(key).finally(() => release(key))
    },
    release,
    find: async (request) => (await unfinishedRequests(queries)).find((one) => one.request === request)?.key ?? null,
  }
}

let keeper: RequestKeeper | null = null

/** The one of this page. */
export const requestKeeperOf = (queries: QueryClient): RequestKeeper => (keeper ??= openRequestKeeper(queries))
