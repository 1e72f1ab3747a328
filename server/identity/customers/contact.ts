import { domainToASCII } from 'node:url'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'
import { isEmailAddress } from '#server/mail/address.ts'

/** Where somebody can be reached, in the one form the bank keeps: lower-case email, or E.164 phone number. */
export type Contact = { kind: 'email' | 'phone'; value: string }

/** The country assumed for a number written without a country code. */
const HOME_COUNTRY: CountryCode = 'GB'

/** A domain as people write it, in any script. Everything else `domainToASCII` would take for the rest of a URL. */
const WRITTEN_DOMAIN = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u

/** "Ann <ann@example.com>", as mail programs copy it. */
const NAMED_ADDRESS = /<([^<>]+)>\s*$/

function readEmail(text: string): Contact | null {
  const bare = /^mailto:/i.test(text) ? text.replace(/^mailto:/i, '').replace(/\?.*$/s, '') : text
  // Spaces that fingers and line breaks leave around @ and dots; any other would join two words into somebody else.
  const typed = (NAMED_ADDRESS.exec(bare)?.[1] ?? bare)
    .trim()
    .replace(/\s*([@.])\s*/g, '$1')
    .replace(/[.,;]+$/, '')
  const at = typed.lastIndexOf('@')
  const domain = typed.slice(at + 1)
  if (!WRITTEN_DOMAIN.test(domain)) return null
  const email = `${typed.slice(0, at)}@${domainToASCII(domain)}`.toLowerCase()
  return isEmailAddress(email) ? { kind: 'email', value: email } : null
}

function countryOf(phone: string | null | undefined): CountryCode {
  return (phone ? parsePhoneNumberFromString(phone)?.country : undefined) ?? HOME_COUNTRY
}

function dialled(text: string): string {
  const bare = text.replace(/^tel:/i, '').trim()
  // 00 dials out of most countries, and no national number starts with it, so it means + wherever the asker lives.
  return bare.replace(/^\(?00\)?(?=[\s\d(])/, '+')
}

function readPhone(text: string, askerPhone: string | null | undefined): Contact | null {
  const number = parsePhoneNumberFromString(dialled(text), { defaultCountry: countryOf(askerPhone), extract: false })
  return number?.isPossible() ? { kind: 'phone', value: number.number } : null
}

/**
 * Reads an email address or a phone number in any common form. A number without its country is read as one of
 * the country of `askerPhone` (E.164), or a British one. Answers null for anything else.
 */
export function readContact(text: string, askerPhone?: string | null): Contact | null {
  const plain = plainText(text)
  return plain.includes('@') ? readEmail(plain) : readPhone(plain, askerPhone)
}

/** Whether a text means the same contact for every customer: anything but a number without a country code. */
export function meansTheSameToAll(text: string): boolean {
  const plain = plainText(text)
  return plain.includes('@') || dialled(plain).startsWith('+')
}

/** Numbers copied from an address book come with invisible marks of writing direction (Unicode category Cf). */
function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
}
