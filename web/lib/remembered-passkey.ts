const KEY = 'alder.passkey'

/** Whether a passkey was created or used in this browser; a page cannot ask the browser itself. */
export function isPasskeyRemembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

/** Remembers or forgets that there is one. Without storage, sign-in does not offer a passkey by itself. */
export function setPasskeyRemembered(made: boolean): void {
  try {
    if (made) localStorage.setItem(KEY, 'made')
    else localStorage.removeItem(KEY)
  } catch {
    // No storage.
  }
}
