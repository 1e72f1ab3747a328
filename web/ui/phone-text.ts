import { AsYouType, type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/** As the bank reads a number that is written without its country. */
const HOME_COUNTRY: CountryCode = 'GB'

/** What a number is written with. Anything else is left as it was typed, for the bank to refuse. */
const NUMBER = /^[+\d\s().-]+$/

/** A phone number that is being typed, grouped as its country does. */
export function groupPhone(text: string): string {
  return NUMBER.test(text) ? new AsYouType(HOME_COUNTRY).input(text) : text
}

/** What people dial or copy, without what is no part of the number. 00 dials out of most countries, as + does. */
function dialled(text: string): string {
  const plain = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return plain
    .replace(/^tel:/i, '')
    .trim()
    .replace(/^\(?00\)?(?=[\s\d(])/, '+')
}

/**
 * Whether this can be a number at all. One without its country is of the same country as `own`, the customer's number so
 * far, or British.
 */
export function isPhone(text: string, own?: string | null): boolean {
  const defaultCountry = (own ? parsePhoneNumberFromString(own)?.country : undefined) ?? HOME_COUNTRY
  return parsePhoneNumberFromString(dialled(text), { defaultCountry, extract: false })?.isPossible() ?? false
}
