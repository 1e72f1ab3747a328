const KEY = 'alder.passkey'

/** Whether a passkey was made or used in this browser, so that signing in may offer it; no page can ask the browser. */
export function isPasskeyRemembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

/** Remembers, or forgets, that there is one. Without storage nothing is offered until it is asked for. */
export function setPasskeyRemembered(made: boolean): void {
  try {
    if (made) localStorage.setItem(KEY, 'made')
    else localStorage.removeItem(KEY)
  } catch {
    // Nothing to keep it in.
  }
}
