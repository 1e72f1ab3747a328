/** The storage key of the history entries in this tab that belong to the current customer. */
const KEY = 'alder.entries'
/** The storage key of the drafts (web/lib/form-draft.ts). */
export const DRAFTS_KEY = 'alder.typed'
/** The number of remembered entries. It is larger than the number of steps that a customer goes back. */
const MAX_ENTRIES = 100

/** The position of an entry in the tab's history, by the router's index, and its key. */
type Entry = readonly [at: number, key: string]

let entries: readonly Entry[] = read()

function read(): readonly Entry[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? (stored as Entry[]) : []
  } catch {
    return []
  }
}

function write(next: readonly Entry[]): void {
  entries = next
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage, the entries are known until the page is reloaded.
  }
}

const currentIndex = (): number => (history.state as { idx?: number } | null)?.idx ?? 0

/**
 * Marks the current history entry as the current customer's. The entry's state contains the data that one screen passed to the
 * next.
 */
export function markOwnEntry(key: string): void {
  if (!isOwnEntry(key))
    write(
      [...entries.filter(([index]) => index !== currentIndex()), [currentIndex(), key] as const].slice(-MAX_ENTRIES),
    )
}

export const isOwnEntry = (key: string): boolean => entries.some(([, ownKey]) => ownKey === key)

/** Returns whether the customer came from another screen of the app, which is one step back. */
export const hasPreviousScreen = (): boolean => entries.some(([index]) => index === currentIndex() - 1)

/**
 * Deletes the marks and the drafts after a sign-in, after a sign-out, and when the customer changes. The state of earlier
 * entries belongs to the previous customer.
 */
export function forgetOwnEntries(): void {
  write([])
  try {
    sessionStorage.removeItem(DRAFTS_KEY)
  } catch {
    // Without storage, there are no drafts.
  }
}
