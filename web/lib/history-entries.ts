/** Where this tab keeps which of its history entries belong to the customer who is signed in now. */
const KEY = 'alder.entries'
/** More entries than anybody goes back. */
const KEPT = 100

let entries: readonly string[] = read()

function read(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.map(String) : []
  } catch {
    return []
  }
}

function write(next: readonly string[]): void {
  entries = next
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage they are known until the page is reloaded.
  }
}

/** Marks a history entry as the present customer's: its state holds what one screen passed to the next. */
export function markOwnEntry(key: string): void {
  if (!entries.includes(key)) write([...entries, key].slice(-KEPT))
}

export function isOwnEntry(key: string): boolean {
  return entries.includes(key)
}

/** Called when another customer takes over: the state of earlier entries is not theirs to see. */
export function forgetOwnEntries(): void {
  write([])
}
