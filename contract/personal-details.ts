/** The rules for a customer's personal details, which the server and the web app both check. */

/**
 * The lowest and the highest age of a customer, in years. The lowest is the legal age for a contract. The highest is above
 * almost every recorded age.
 */
const MIN_AGE = 18
const MAX_AGE = 120

/**
 * Returns the day `years` years before `day`, as YYYY-MM-DD. The result may be February 29 of a year without that day. This is
 * harmless, because the result is only compared.
 */
const yearsBefore = (day: string, years: number) => `${Number(day.slice(0, 4)) - years}${day.slice(4)}`

/** Returns whether `day` is a possible birth date of a customer. Both days are YYYY-MM-DD. */
export function isBirthDate(day: string, today: string): boolean {
  return day <= yearsBefore(today, MIN_AGE) && day >= yearsBefore(today, MAX_AGE)
}

/**
 * Returns a postcode of any country in the spelling that the bank stores: 3 to 10 letters, digits, spaces and hyphens. Returns
 * null for any other text.
 */
export function readPostcode(text: string): string | null {
  const postcode = text.normalize('NFKC').trim().toUpperCase().replace(/\s+/g, ' ')
  return /^[A-Z0-9][A-Z0-9 -]{1,8}[A-Z0-9]$/.test(postcode) ? postcode : null
}
