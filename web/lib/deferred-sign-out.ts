/** boot.js reads this key too. It sends no early requests for a customer who has signed out. */
const KEY = 'alder.sign-out'
const SESSION = '/api/v1/session'
const TIMEOUT_MS = 20_000

let runningSignOut: Promise<boolean> | null = null

/**
 * Remembers that the session must end, because the bank could not be reached at sign-out. Throws if the device has no storage.
 */
export function deferSignOut(): void {
  localStorage.setItem(KEY, 'due')
}

function isDue(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    // Without storage, no sign-out was deferred.
    return false
  }
}

/** Cancels the deferred sign-out after a new sign-in, whose session must not end. */
export function cancelDeferredSignOut(): void {
  if (isDue()) localStorage.removeItem(KEY)
}

async function end(): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(SESSION, { method: 'DELETE', credentials: 'same-origin', signal }).catch(() => null)
  if (!response?.ok && response?.status !== 401) return false
  cancelDeferredSignOut()
  return true
}

/**
 * Ends the session of a customer who signed out while offline. Resolves to true once that session has ended. Until then, no
 * request may be sent for the person who uses the page now.
 */
export async function finishDeferredSignOut(): Promise<boolean> {
  if (!isDue()) return true
  runningSignOut ??= end().finally(() => {
    runningSignOut = null
  })
  return runningSignOut
}
