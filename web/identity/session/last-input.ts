/** The tabs of this browser share one session, so a sign of life in one counts for all. */
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

/** Somebody is here. */
export function noteInput(): void {
  last = Date.now()
  try {
    localStorage.setItem(KEY, String(last))
  } catch {
    // As above.
  }
}

/** Notes what a person does, while `listens` says so. Answers the way to stop. */
export function watchInput(listens: () => boolean): () => void {
  const note = (): void => {
    if (listens() && Date.now() - last >= WRITE_EVERY_MS) noteInput()
  }
  for (const sign of SIGNS) window.addEventListener(sign, note, { passive: true })
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, note)
  }
}
