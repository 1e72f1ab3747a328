/** The tabs of this browser share one session, so input in one counts for all. */
const KEY = 'alder.last-input'
const WRITE_EVERY_MS = 1000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

let last = Date.now()

/** When a person last did anything in any tab, by this device's clock in milliseconds. */
export function lastInput(): number {
  try {
    last = Math.max(last, Math.min(Number(localStorage.getItem(KEY) ?? 0), Date.now()))
  } catch {
    // Without storage each tab counts for itself.
  }
  return last
}

/** Records input now. */
export function noteInput(): void {
  last = Date.now()
  try {
    localStorage.setItem(KEY, String(last))
  } catch {
    // As above.
  }
}

/** Records input while `listens` returns true. Returns a function that stops. */
export function watchInput(listens: () => boolean): () => void {
  const note = (): void => {
    if (listens() && Date.now() - last >= WRITE_EVERY_MS) noteInput()
  }
  for (const sign of SIGNS) window.addEventListener(sign, note, { passive: true })
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, note)
  }
}
