/** boot.js reads it too: it asks nothing for a customer who has left. */
const KEY = 'alder.sign-out'
const SESSION = '/api/v1/session'
const TIMEOUT_MS = 20_000

let ending: Promise<boolean> | null = null

/** Remembers that the session is to end, which the bank could not be told. Throws where the device has no storage. */
export function signOutLater(): void {
  localStorage.setItem(KEY, 'due')
}

function isDue(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    // Nothing was remembered.
    return false
  }
}

/** Somebody has signed in since: their session is not to end. */
export function forgetLateSignOut(): void {
  if (isDue()) localStorage.removeItem(KEY)
}

async function end(): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(SESSION, { method: 'DELETE', credentials: 'same-origin', signal }).catch(() => null)
  if (!response?.ok && response?.status !== 401) return false
  forgetLateSignOut()
  return true
}

/**
 * Ends the session of a customer who has left without a line. Answers whether there is none of theirs any more; until then
 * nothing may be asked for whoever sits here now.
 */
export async function finishSignOut(): Promise<boolean> {
  if (!isDue()) return true
  ending ??= end().finally(() => {
    ending = null
  })
  return ending
}
