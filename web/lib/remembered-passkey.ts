const KEY = 'alder.passkey'

/** Returns whether a passkey was created or used in this browser. A page cannot ask the browser itself. */
export function isPasskeyRemembered(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch {
    return false
  }
}

/**
 * Remembers or forgets that a passkey exists. In a sample bank, the biometric button asks for a passkey only if one is
 * remembered.
 */
export function setPasskeyRemembered(isRemembered: boolean): void {
  try {
    if (isRemembered) localStorage.setItem(KEY, 'made')
    else localStorage.removeItem(KEY)
  } catch {
    // Storage may be unavailable.
  }
}

/**
 * Signals to the browser that the bank does not have a passkey, so that the browser no longer offers it. Not all browsers
 * support this (Web Authentication Level 3, section 5.1.10), and errors are ignored.
 */
export async function forgetPasskey(credentialId: string): Promise<void> {
  const { PublicKeyCredential } = globalThis as Partial<typeof globalThis>
  await PublicKeyCredential?.signalUnknownCredential?.({ rpId: location.hostname, credentialId }).catch(() => {})
}
