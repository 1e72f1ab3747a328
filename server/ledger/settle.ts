import { Refusal } from '#contract/errors.ts'
import { backOff, errorCode, isTransient, isUnavailable, isUniqueViolation } from '#server/platform/db/run.ts'

/** Somebody else holds a lock: lock_not_available, or query_canceled by the statement's time limit. */
const LOCKED = new Set(['55P03', '57014'])
const TRIES = 6

/**
 * Why a batch is tried again. `lock`: somebody holds one for too long; `apart`: one of its items is more than the database can
 * take.
 */
export const AGAIN = ['conflict', 'unavailable', 'lock', 'apart'] as const
export type Again = (typeof AGAIN)[number]

type Settling<Item> = {
  /** Commits items together, and answers each; it may be asked again for the same. */
  commit(items: readonly Item[]): Promise<void>
  reject(item: Item, reason: unknown): void
  /** How those are done that are done each alone; all at the same time unless told. */
  alone?<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether who waits for a lock is tried again: nobody else waits with them. */
  isPatient?: boolean
  /** Told before items are tried again, together or each alone. */
  again?(reason: Again): void
  /** Told where they are done each alone from now on, so that nobody else need wait for them. */
  parted?(): void
}

/** Commits items until each has its answer: together or, where that cannot be done, each alone. Never rejects. */
export async function settle<Item>(items: readonly Item[], settling: Settling<Item>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await settling.commit(items)
    } catch (error) {
      // A unique violation is the same id posted elsewhere in the same instant: the next try finds it.
      const passing = isTransient(error) || isUniqueViolation(error)
      const waited = LOCKED.has(errorCode(error) ?? '')
      const locked = !settling.isPatient && waited
      // A lost connection leaves open whether the commit was done; ids make asking again safe.
      if ((passing || isUnavailable(error)) && !locked && attempt < TRIES) {
        settling.again?.(waited ? 'lock' : passing ? 'conflict' : 'unavailable')
        await backOff(attempt)
      } else if (items.length > 1 && (locked || !isUnavailable(error))) {
        // One of them is more than the database can take, or waits for a lock. Alone, each answers for itself.
        settling.again?.(locked ? 'lock' : 'apart')
        settling.parted?.()
        const alone = settling.alone ?? ((work) => work())
        await Promise.all(items.map((item) => alone(() => settle([item], settling))))
        return
      } else {
        const down = passing || isUnavailable(error)
        const reason = down ? new Refusal('unavailable', undefined, { cause: error }) : error
        for (const item of items) settling.reject(item, reason)
        return
      }
    }
  }
}
