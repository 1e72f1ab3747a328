/** Where this tab keeps which entries of its history are those of whoever is signed in now. */
const KEY = 'alder.entries'
/** Nobody goes back further than this. */
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
    // Without storage it is known until the page is loaded anew.
  }
}

/** Notes an entry of the history as the present customer's; what one screen handed to the next is kept in it. */
export function markOwnEntry(key: string): void {
  if (!entries.includes(key)) write([...entries, key].slice(-KEPT))
}

export function isOwnEntry(key: string): boolean {
  return entries.includes(key)
}

/** From now on somebody else is here: what the screens handed to each other so far is not theirs. */
export function forgetOwnEntries(): void {
  write([])
}
