import { Refusal } from '#contract/errors.ts'
import { errorCode, isUnavailable } from '#server/platform/db/run.ts'

/** What is written a moment after the commit that caused it, with what others leave, so that no request waits for it. */
export type WriteLater<Item> = {
  add(item: Item): void
  /** Writes what waits, after what is being written. While the database is away, all of it goes on waiting. */
  flush(): Promise<void>
}

type WriteLaterOptions<Item> = {
  /** How long an item waits for others, in milliseconds. */
  gatherMs: number
  /** The most that are written together, and the most that wait: later ones are left out. */
  batch: number
  most: number
  write(items: Item[]): Promise<unknown>
  /** Told of an item that cannot be written, and why. */
  onLost(error: unknown, item: Item): void
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
export function openWriteLater<Item>(options: WriteLaterOptions<Item>): WriteLater<Item> {
  const { gatherMs, batch, most } = options
  const waiting: Item[] = []
  let timer: NodeJS.Timeout | null = null
  let writing = Promise.resolve()
  let retryMs = RETRY_FIRST_MS
  const later = (ms: number): void => {
    timer ??= setTimeout(() => void flush(), ms).unref()
  }
  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const left = await writeBatch(options, waiting.splice(0, batch))
      if (left.length === 0) {
        retryMs = RETRY_FIRST_MS
        continue
      }
      waiting.unshift(...left)
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
    if (waiting.length >= most) return
    waiting.push(item)
    later(gatherMs)
  }
  return { add, flush }
}

/** One row that somebody holds, or one statement that takes too long: what has nothing to do with it need not wait. */
const HELD_UP = new Set(['55P03', '57014'])

/** Writes items together, or in halves where that fails. Answers those that have to wait. */
async function writeBatch<Item>(
  options: Pick<WriteLaterOptions<Item>, 'write' | 'onLost'>,
  items: Item[],
): Promise<Item[]> {
  try {
    await options.write(items)
    return []
  } catch (error) {
    const code = errorCode(error instanceof Refusal ? error.cause : error)
    if (isAway(error) && (items.length === 1 || !HELD_UP.has(code ?? ''))) return items
    if (items.length === 1) {
      for (const item of items) options.onLost(error, item)
      return []
    }
    const middle = Math.ceil(items.length / 2)
    const left = await writeBatch(options, items.slice(0, middle))
    return [...left, ...(await writeBatch(options, items.slice(middle)))]
  }
}
