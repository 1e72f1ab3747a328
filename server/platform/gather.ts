import { Refusal } from '#contract/errors.ts'
import { apartFromRequests } from '#server/platform/telemetry/trace.ts'
import { errorCode, isUnavailable } from '#server/platform/db/run.ts'

/** What is gathered for a moment and written together, so that no request waits for it. */
export type Gathered<Item> = {
  add(item: Item): void
  /** The item that waits under a key. */
  waiting(key: string): Item | undefined
  /** Writes what waits, after what is being written. While the database is away, all of it goes on waiting. */
  flush(): Promise<void>
  /** Writes what waits once more; what cannot be written then is given up. */
  close(): Promise<void>
}

type GatherOptions<Item> = {
  /** How long an item waits for others, in milliseconds. */
  waitMs: number
  /** The most that are written together, and the most that wait: later ones are left out. */
  batch: number
  most: number
  /** Items of one key wait as one, which `merge` makes of both; the later one unless told. Without keys, all wait. */
  keyOf?(item: Item): string
  merge?(earlier: Item, later: Item): Item
  write(items: Item[]): Promise<unknown>
  /** Told of an item that cannot be written, and why. */
  onError(error: unknown, item: Item): void
}

/** How long a database that is away is waited for, at first and at most, in milliseconds. */
const RETRY_FIRST_MS = 250
const RETRY_MOST_MS = 5_000

/** Whether a write failed for want of a database that serves: the same write will do later. */
function isAway(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof Refusal && error.code === 'unavailable')
}

/**
 * Items that were not written because the database was away are written once it is back, in their order. One that cannot
 * be written at all keeps none of the others.
 */
export function gather<Item>(options: GatherOptions<Item>): Gathered<Item> {
  const { waitMs, batch, most, keyOf, merge = (_earlier, later) => later } = options
  let waiting = new Map<string | number, Item>()
  let added = 0
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()
  let retryMs = RETRY_FIRST_MS
  let closed = false
  const later = (ms: number): void => {
    if (!closed) timer ??= setTimeout(() => void apartFromRequests(flush), ms).unref()
  }
  const put = (item: Item): void => {
    const key = keyOf?.(item) ?? (added += 1)
    const earlier = waiting.get(key)
    if (earlier === undefined && waiting.size >= most) return
    waiting.set(key, earlier === undefined ? item : merge(earlier, item))
  }
  const writeAll = async (): Promise<void> => {
    while (waiting.size > 0) {
      const taken = [...waiting.entries().take(batch)]
      for (const [key] of taken) waiting.delete(key)
      const left = await writeBatch(
        options,
        taken.map(([, item]) => item),
      )
      if (left.length === 0) {
        retryMs = RETRY_FIRST_MS
        continue
      }
      const since = waiting.values()
      waiting = new Map()
      for (const item of [...left, ...since]) put(item)
      later(retryMs)
      retryMs = Math.min(retryMs * 2, RETRY_MOST_MS)
      return
    }
  }
  const flush = (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    writing = writing.then(writeAll)
    return writing
  }
  const add = (item: Item): void => {
    put(item)
    later(waitMs)
  }
  const close = (): Promise<void> => {
    closed = true
    return flush()
  }
  return { add, waiting: (key) => waiting.get(key), flush, close }
}

/** One row that somebody holds, or one statement that takes too long: what has nothing to do with it need not wait. */
const HELD_UP = new Set(['55P03', '57014'])

/** Writes items together, or in halves where that fails. Answers those that have to wait. */
async function writeBatch<Item>(
  options: Pick<GatherOptions<Item>, 'write' | 'onError'>,
  items: Item[],
): Promise<Item[]> {
  try {
    await options.write(items)
    return []
  } catch (error) {
    const code = errorCode(error instanceof Refusal ? error.cause : error)
    if (isAway(error) && (items.length === 1 || !HELD_UP.has(code ?? ''))) return items
    if (items.length === 1) {
      for (const item of items) options.onError(error, item)
      return []
    }
    const middle = Math.ceil(items.length / 2)
    const left = await writeBatch(options, items.slice(0, middle))
    return [...left, ...(await writeBatch(options, items.slice(middle)))]
  }
}
