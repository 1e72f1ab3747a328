const AES = 'AES-GCM'
/** Written in hexadecimal. */
const KEY_BYTES = 32
/** What the standard recommends for AES-GCM (NIST SP 800-38D). */
const IV_BYTES = 12

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16))

const importKey = (key: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytesOf(key), AES, false, ['encrypt', 'decrypt'])

export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export async function seal(key: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const sealed = await crypto.subtle.encrypt({ name: AES, iv }, await importKey(key), new TextEncoder().encode(text))
  const whole = new Uint8Array(IV_BYTES + sealed.byteLength)
  whole.set(iv)
  whole.set(new Uint8Array(sealed), IV_BYTES)
  return whole
}

/** What was sealed with the same key. Throws for another key. */
export async function unseal(key: string, whole: ArrayBuffer): Promise<string> {
  const iv = new Uint8Array(whole, 0, IV_BYTES)
  const text = await crypto.subtle.decrypt({ name: AES, iv }, await importKey(key), new Uint8Array(whole, IV_BYTES))
  return new TextDecoder().decode(text)
}
