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

/**
 * Has the browser forget a passkey that the bank does not know (any more), so that it offers it to nobody again. Not all
 * browsers can (Web Authentication Level 3, section 5.1.10), and where one fails nobody needs to know.
 */
export async function forgetPasskey(credentialId: string): Promise<void> {
  const { PublicKeyCredential } = globalThis as Partial<typeof globalThis>
  await PublicKeyCredential?.signalUnknownCredential?.({ rpId: location.hostname, credentialId }).catch(() => {})
}
