/** What the bank takes as a customer's own details, as both sides check it. */

/** Years of age: of full age to make a contract, and no more than anybody has lived. */
const LEAST_AGE = 18
const MOST_AGE = 120

/** The day so many years before, YYYY-MM-DD: only compared, so that February 29 may be one that its year does not have. */
const yearsBefore = (day: string, years: number) => `${Number(day.slice(0, 4)) - years}${day.slice(4)}`

/** Whether a customer can have been born on `day`; both YYYY-MM-DD. */
export function isBirthDate(day: string, today: string): boolean {
  return day <= yearsBefore(today, LEAST_AGE) && day >= yearsBefore(today, MOST_AGE)
}

/** A postcode in the spelling the bank keeps. Of any country: 3 to 10 letters, digits, spaces and hyphens. Null for others. */
export function readPostcode(text: string): string | null {
  const postcode = text.normalize('NFKC').trim().toUpperCase().replace(/\s+/g, ' ')
  return /^[A-Z0-9][A-Z0-9 -]{1,8}[A-Z0-9]$/.test(postcode) ? postcode : null
}
