import { endSession } from '#web/identity/queries.ts'

const KEY = 'alder.sign-out'

/** Remembers that the session is to end, which the bank could not be told. Throws where the device has no storage. */
export function signOutLater(): void {
  localStorage.setItem(KEY, 'due')
}

/** Somebody has signed in since: their session is not to end. */
export function forgetLateSignOut(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing was remembered.
  }
}

/** Tells the bank as soon as it can be reached. */
export async function finishSignOut(): Promise<void> {
  try {
    if (localStorage.getItem(KEY) === null) return
    await endSession()
    forgetLateSignOut()
  } catch {
    // The next time the line is back, or the app is opened.
  }
}
