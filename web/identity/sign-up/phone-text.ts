import { AsYouType, type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js'

/** As the bank reads a number that is written without its country. */
const HOME_COUNTRY: CountryCode = 'GB'

/** What a number is written with. Anything else is left as it was typed, for the bank to refuse. */
const NUMBER = /^[+\d\s().-]+$/

/** A phone number that is being typed, grouped as its country does. */
export function groupPhone(text: string): string {
  return NUMBER.test(text) ? new AsYouType(HOME_COUNTRY).input(text) : text
}

/** Whether this can be a number at all. */
export function isPhone(text: string): boolean {
  return parsePhoneNumberFromString(text, { defaultCountry: HOME_COUNTRY, extract: false })?.isPossible() ?? false
}
