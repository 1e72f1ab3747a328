/** All tabs of this browser share one session, so input in one tab counts for all. */
const KEY = 'alder.last-input'
const WRITE_EVERY_MS = 1000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove'] as const

let last = Date.now()

/** Returns the time of the last input in any tab, by this device's clock in milliseconds. */
export function lastInput(): number {
  try {
    last = Math.max(last, Math.min(Number(localStorage.getItem(KEY) ?? 0), Date.now()))
  } catch {
    // Without storage, each tab counts only its own input.
  }
  return last
}

export function noteInput(): void {
  last = Date.now()
  try {
    localStorage.setItem(KEY, String(last))
  } catch {
    // Without storage, each tab counts only its own input.
  }
}

/** Records input while `listens` returns true. Returns a function that stops the recording. */
export function watchInput(listens: () => boolean): () => void {
  const note = (): void => {
    if (listens() && Date.now() - last >= WRITE_EVERY_MS) noteInput()
  }
  for (const sign of SIGNS) window.addEventListener(sign, note, { passive: true })
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, note)
  }
}
