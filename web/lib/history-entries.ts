/** Where this tab keeps which of its history entries belong to who is here now. */
const KEY = 'alder.entries'
/** Where it keeps what they have typed (web/lib/typed.ts). */
export const TYPED = 'alder.typed'
/** More entries than anybody goes back. */
const KEPT = 100

/** An entry's place in the history of the tab, as the router counts, and its key. */
type Entry = readonly [at: number, key: string]

let entries: readonly Entry[] = read()

function read(): readonly Entry[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as Entry[]) : []
  } catch {
    return []
  }
}

function write(next: readonly Entry[]): void {
  entries = next
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage they are known until the page is reloaded.
  }
}

const here = (): number => (history.state as { idx?: number } | null)?.idx ?? 0

/** Marks the present history entry as the present customer's: its state holds what one screen passed to the next. */
export function markOwnEntry(key: string): void {
  if (!isOwnEntry(key)) write([...entries.filter(([at]) => at !== here()), [here(), key] as const].slice(-KEPT))
}

export const isOwnEntry = (key: string): boolean => entries.some(([, own]) => own === key)

/** Whether who is here now came to this screen from another one: it is one step back. */
export const cameFromScreen = (): boolean => entries.some(([at]) => at === here() - 1)

/** Called when another customer takes over: the state of earlier entries is not theirs to see, nor is what was typed. */
export function forgetOwnEntries(): void {
  write([])
  try {
    sessionStorage.removeItem(TYPED)
  } catch {
    // Nothing is kept there.
  }
}
