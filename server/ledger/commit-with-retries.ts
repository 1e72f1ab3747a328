import { Refusal } from '#contract/errors.ts'
import { backOff, errorCode, isTransient, isUnavailable, isUniqueViolation } from '#server/platform/db/run.ts'

/** The SQLSTATE codes for a lock held elsewhere: lock_not_available, or query_canceled by the statement timeout. */
const LOCKED = new Set(['55P03', '57014'])
const TRIES = 6

/**
 * The reasons to try items again. `conflict`: another transaction got in the way. `unavailable`: the database cannot be
 * reached. `lock`: a lock is held for too long. `apart`: the database cannot process one of the items, or a conflict did not
 * pass, so each item runs alone.
 */
export const RETRY_REASONS = ['conflict', 'unavailable', 'lock', 'apart'] as const
export type RetryReason = (typeof RETRY_REASONS)[number]

type Settling<Item> = {
  /** Commits items together and answers each. `commit` may be called again for the same items. */
  commit(items: readonly Item[]): Promise<void>
  reject(item: Item, reason: unknown): void
  /** Schedules the work of an item that runs alone. By default all such items run at the same time. */
  alone?<Result>(work: () => Promise<Result>): Promise<Result>
  /** Whether items that failed because of a lock are tried again. This is safe if no other items wait together with them. */
  isPatient?: boolean
  /** Runs before items are tried again, together or each alone. */
  again?(reason: RetryReason): void
  /** Runs when the items start to run alone. Other items then need not wait for them. */
  parted?(): void
}

/** Commits items until each has its answer: together or, if that is impossible, each alone. Never rejects. */
export async function commitWithRetries<Item>(items: readonly Item[], hooks: Settling<Item>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await hooks.commit(items)
    } catch (error) {
      // A unique violation means that another transaction posted the same id at the same moment. The next try finds that
      // result.
      const passing = isTransient(error) || isUniqueViolation(error)
      const waited = LOCKED.has(errorCode(error) ?? '')
      const isLocked = !hooks.isPatient && waited
      // A lost connection leaves the outcome of a commit unknown. A second try is safe because the operations have ids.
      if ((passing || isUnavailable(error)) && !isLocked && attempt < TRIES) {
        hooks.again?.(waited ? 'lock' : passing ? 'conflict' : 'unavailable')
        await backOff(attempt)
      } else if (items.length > 1 && (isLocked || !isUnavailable(error))) {
        // Either the database cannot process one of the items, or one of them waits for a lock or still meets a conflict. If
        // each item runs alone, each gets its own answer.
        hooks.again?.(isLocked ? 'lock' : 'apart')
        hooks.parted?.()
        const alone = hooks.alone ?? ((work) => work())
        await Promise.all(items.map((item) => alone(() => commitWithRetries([item], hooks))))
        return
      } else {
        const down = passing || isUnavailable(error)
        const reason = down ? new Refusal('unavailable', undefined, { cause: error }) : error
        for (const item of items) hooks.reject(item, reason)
        return
      }
    }
  }
}
