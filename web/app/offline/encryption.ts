const AES = 'AES-GCM'
/** The length of the key, which is stored in hexadecimal. */
const KEY_BYTES = 32
/** The length that NIST SP 800-38D recommends for AES-GCM. */
const IV_BYTES = 12

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16))

const importKey = (key: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytesOf(key), AES, false, ['encrypt', 'decrypt'])

export const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(KEY_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export async function encrypt(key: string, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const encryptedText = await crypto.subtle.encrypt(
    { name: AES, iv },
    await importKey(key),
    new TextEncoder().encode(text),
  )
  const bytes = new Uint8Array(IV_BYTES + encryptedText.byteLength)
  bytes.set(iv)
  bytes.set(new Uint8Array(encryptedText), IV_BYTES)
  return bytes
}

/** Decrypts data that was encrypted with the same key. Throws for another key. */
export async function decrypt(key: string, bytes: ArrayBuffer): Promise<string> {
  const iv = new Uint8Array(bytes, 0, IV_BYTES)
  const text = await crypto.subtle.decrypt({ name: AES, iv }, await importKey(key), new Uint8Array(bytes, IV_BYTES))
  return new TextDecoder().decode(text)
}
