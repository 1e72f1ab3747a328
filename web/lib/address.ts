/**
 * Whether a text can be an email address. Generous: the bank reads spaces around its @ and dots, other scripts and what
 * mail programs copy, and decides.
 */
export function isEmail(text: string): boolean {
  return /[^\s@]\s*@\s*[^\s@]+\s*\.\s*[^\s@.]/.test(text)
}

const LEAST_DIGITS = 4

/** Whether a text can be the email or the phone number of somebody. */
export function isAddress(text: string): boolean {
  if (text.includes('@')) return isEmail(text)
  return text.replace(/\D/g, '').length >= LEAST_DIGITS && !/[a-z]{4}/i.test(text)
}
