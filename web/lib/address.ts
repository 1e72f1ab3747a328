/**
 * Returns whether a text may be an email address. The check is tolerant, because the server makes the final check. The server
 * accepts spaces around the @ and the dots, other scripts, and the formats that mail programs copy.
 */
export function isEmail(text: string): boolean {
  return /[^\s@]\s*@\s*[^\s@]+\s*\.\s*[^\s@.]/.test(text)
}

const MIN_DIGITS = 4

/** Returns whether a text may be an email address or a phone number. */
export function isAddress(text: string): boolean {
  if (text.includes('@')) return isEmail(text)
  return text.replace(/\D/g, '').length >= MIN_DIGITS && !/[a-z]{4}/i.test(text)
}
