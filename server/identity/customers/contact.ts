import { domainToASCII } from 'node:url'
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'
import { isEmailAddress } from '#server/mail/address.ts'

/** A person's contact in the bank's stored form: lower-case email or E.164 phone number. */
export type ContactAddress = { kind: 'email' | 'phone'; value: string }

/** The default country of a phone number without a country code. */
const HOME_COUNTRY: CountryCode = 'GB'

/** A domain name in any script. `domainToASCII` would interpret other characters as the rest of a URL. */
const WRITTEN_DOMAIN = /^[\p{L}\p{M}\p{N}.\u3002-]+$/u

/** An address with a name, as mail programs copy it: "Ann <ann@example.com>". */
const NAMED_ADDRESS = /<([^<>]+)>\s*$/

function readEmail(text: string): ContactAddress | null {
  const bare = /^mailto:/i.test(text) ? text.replace(/^mailto:/i, '').replace(/\?.*$/s, '') : text
  // Typing and line breaks often leave spaces around @ and dots. Only these are removed. A space elsewhere separates two words,
  // and an address made of both words could belong to another person.
  const address = (NAMED_ADDRESS.exec(bare)?.[1] ?? bare)
    .trim()
    .replace(/\s*([@.])\s*/g, '$1')
    .replace(/[.,;]+$/, '')
  const atIndex = address.lastIndexOf('@')
  const domain = address.slice(atIndex + 1)
  if (!WRITTEN_DOMAIN.test(domain)) return null
  const email = `${address.slice(0, atIndex)}@${domainToASCII(domain)}`.toLowerCase()
  return isEmailAddress(email) ? { kind: 'email', value: email } : null
}

function countryOf(phone: string | null | undefined): CountryCode {
  return (phone ? parsePhoneNumberFromString(phone)?.country : undefined) ?? HOME_COUNTRY
}

/** Returns a phone number without 'tel:', and with + in place of the international prefix 00. */
function withPlusPrefix(text: string): string {
  const bare = text.replace(/^tel:/i, '').trim()
  // Most countries use 00 as the international prefix, and no national number starts with it.
  return bare.replace(/^\(?00\)?(?=[\s\d(])/, '+')
}

function readPhone(text: string, customerPhone: string | null | undefined): ContactAddress | null {
  const number = parsePhoneNumberFromString(withPlusPrefix(text), {
    defaultCountry: countryOf(customerPhone),
    extract: false,
  })
  return number?.isPossible() ? { kind: 'phone', value: number.number } : null
}

/**
 * Reads an email address or a phone number in any common form. A number without a country code gets the country of
 * `customerPhone` (E.164), the phone number of the customer who entered the text. Without `customerPhone`, it gets
 * `HOME_COUNTRY`. Returns null for any other text.
 */
export function readContact(text: string, customerPhone?: string | null): ContactAddress | null {
  const plainContact = plainText(text)
  return plainContact.includes('@') ? readEmail(plainContact) : readPhone(plainContact, customerPhone)
}

/**
 * Returns whether a text means the same contact for every customer. This is false only for a phone number without a country
 * code, because its country depends on the customer.
 */
export function isUnambiguousContact(text: string): boolean {
  const plainContact = plainText(text)
  return plainContact.includes('@') || withPlusPrefix(plainContact).startsWith('+')
}

/**
 * Returns a text with plain characters in place of variants such as full-width letters (NFKC), and without invisible characters
 * (Unicode category Cf), which phone numbers copied from an address book contain.
 */
function plainText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
}
