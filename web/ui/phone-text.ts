import { AsYouType, type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/** The default country of a number without a country code, as on the server. */
const HOME_COUNTRY: CountryCode = 'GB'

/** The characters of a number that is grouped during typing. Text with other characters stays as typed. */
const NUMBER = /^[+\d\s().-]+$/

/** Returns the country of a customer's number, and else the country of the bank. */
const countryOf = (phone: string | null | undefined): CountryCode =>
  (phone ? parsePhoneNumberFromString(phone)?.country : undefined) ?? HOME_COUNTRY

/**
 * Groups a phone number during typing by the rules of its country. A number without a country code has the country of
 * `currentPhone`, the customer's current number.
 */
export function groupPhone(text: string, currentPhone?: string | null): string {
  return NUMBER.test(text) ? new AsYouType(countryOf(currentPhone)).input(text) : text
}

/**
 * Returns a number without invisible characters, without `tel:` and without spaces around it. A leading 00, the international
 * prefix of most countries, becomes +.
 */
function withPlusPrefix(text: string): string {
  const normalized = text.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return normalized
    .replace(/^tel:/i, '')
    .trim()
    .replace(/^\(?00\)?(?=[\s\d(])/, '+')
}

/**
 * Returns whether a text may be a phone number. A number without a country code has the country of `currentPhone`, the
 * customer's current number. Without that number, it counts as British.
 */
export function isPhone(text: string, currentPhone?: string | null): boolean {
  const defaultCountry = countryOf(currentPhone)
  return parsePhoneNumberFromString(withPlusPrefix(text), { defaultCountry, extract: false })?.isPossible() ?? false
}
