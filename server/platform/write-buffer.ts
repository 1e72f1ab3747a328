import { Refusal } from '#contract/errors.ts'
import { outsideRequest } from '#server/platform/telemetry/trace.ts'
import { errorCode, isUnavailable } from '#server/platform/db/run.ts'

/** Items that are gathered for a moment and written together, so that no request waits for the write. */
export type WriteBuffer<Item> = {
  add(item: Item): void
  /** Returns the item that waits under a key. */
  waiting(key: string): Item | undefined
  /** Writes the waiting items after the current write. If the database is unavailable, all of them keep waiting. */
  flush(): Promise<void>
  /** Writes the waiting items one last time. Items that cannot be written then are lost. */
  close(): Promise<void>
}

type GatherOptions<Item> = {
  /** The time that an item waits for others, in milliseconds. */
  waitMs: number
  /**
   * `batch`: the largest number of items written together. `most`: the largest number of waiting items; further items are
   * dropped.
   */
  batch: number
  most: number
  /**
   * `keyOf` returns an item's key. `merge` makes one item of two waiting items with the same key; by default, the later item
   * replaces the earlier one. Without `keyOf`, items are not merged.
   */
  keyOf?(item: Item): string
  merge?(earlier: Item, later: Item): Item
  write(items: Item[]): Promise<unknown>
  /** Receives an item that cannot be written, and the error. */
  onError(error: unknown, item: Item): void
}

/** The first and the longest pause before retrying while the database is unavailable, in milliseconds. */
const RETRY_FIRST_MS = 250
const MAX_RETRY_MS = 5_000

/** Returns whether a write failed because the database was unavailable. The same write can succeed later. */
function isAway(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof Refusal && error.code === 'unavailable')
}

/**
 * Gathers items and writes them together. Items that could not be written while the database was unavailable are written later,
 * in order. An item that cannot be written at all does not delay the others.
 */
export function openWriteBuffer<Item>(options: GatherOptions<Item>): WriteBuffer<Item> {
  const { waitMs, batch, most: maxWaiting, keyOf, merge = (_earlier, later) => later } = options
  let waitingItems = new Map<string | number, Item>()
  let added = 0
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()
  let retryMs = RETRY_FIRST_MS
  let isClosed = false
  const scheduleFlush = (ms: number): void => {
    if (!isClosed) timer ??= setTimeout(() => void outsideRequest(flush), ms).unref()
  }
  const addItem = (item: Item): void => {
    const key = keyOf?.(item) ?? (added += 1)
    const earlierItem = waitingItems.get(key)
    if (earlierItem === undefined && waitingItems.size >= maxWaiting) return
    waitingItems.set(key, earlierItem === undefined ? item : merge(earlierItem, item))
  }
  const writeAll = async (): Promise<void> => {
    while (waitingItems.size > 0) {
      const entries = [...waitingItems.entries().take(batch)]
      for (const [key] of entries) waitingItems.delete(key)
      const unwritten = await writeBatch(
        options,
        entries.map(([, item]) => item),
      )
      if (unwritten.length === 0) {
        retryMs = RETRY_FIRST_MS
        continue
      }
      const newItems = waitingItems.values()
      waitingItems = new Map()
      for (const item of [...unwritten, ...newItems]) addItem(item)
      scheduleFlush(retryMs)
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
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
    addItem(item)
    scheduleFlush(waitMs)
  }
  const close = (): Promise<void> => {
    isClosed = true
    return flush()
  }
  return { add, waiting: (key) => waitingItems.get(key), flush, close }
}

/**
 * The SQLSTATEs for a locked row and for a statement that takes too long. After these errors, the batch is split, so that the
 * items that do not need the locked row are still written.
 */
const HELD_UP = new Set(['55P03', '57014'])

/**
 * Writes items together. If that fails, writes each half of the items separately. Returns the items that must wait because the
 * database is unavailable.
 */
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
    const unwritten = await writeBatch(options, items.slice(0, middle))
    return [...unwritten, ...(await writeBatch(options, items.slice(middle)))]
  }
}
