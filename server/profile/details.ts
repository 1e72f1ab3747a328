import { isBirthDate, readPostcode } from '#contract/personal-details.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { ProfileChange } from '#contract/profile.ts'
import { type ContactAddress, readContact } from '#server/identity/customers/contact.ts'
import { readName } from '#server/identity/customers/name.ts'

/**
 * The changes in a request, in the bank's stored spelling. A missing field leaves the stored value as it is; null removes the
 * value.
 */
export type ProfileDetails = {
  fullName?: string
  email?: string
  phone?: string | null
  /** The date of birth in the form YYYY-MM-DD. */
  dateOfBirth?: string | null
  address?: string | null
  postcode?: string | null
}

type Read = {
  /** The customer's current number in E.164 form. A new number without a country code gets the same country. */
  phone: string | null
  /** The business date. */
  today: Temporal.PlainDate
}

/**
 * Reads a change as the customer typed it, in the order of the form. Throws Refusal naming the field: `fields_missing`,
 * `email_invalid`, `phone_invalid`, `birth_date_invalid` or `postcode_invalid`.
 */
export function readDetails(change: ProfileChange, { phone, today }: Read): ProfileDetails {
  const details: ProfileDetails = {}
  if (change.fullName !== undefined) details.fullName = readName(change.fullName)
  if (change.email !== undefined) details.email = readReachable('email', change.email, 'email_invalid')
  if (change.phone !== undefined)
    details.phone = change.phone === '' ? null : readReachable('phone', change.phone, 'phone_invalid', phone)
  if (change.dateOfBirth !== undefined) details.dateOfBirth = readBirthDate(change.dateOfBirth, today)
  if (change.address !== undefined) details.address = change.address === '' ? null : change.address
  if (change.postcode !== undefined) details.postcode = postcodeIn(change.postcode)
  return details
}

function readReachable(kind: ContactAddress['kind'], text: string, code: ErrorCode, phone?: string | null): string {
  const contact = readContact(text, phone)
  if (contact?.kind !== kind) throw new Refusal(code, kind)
  return contact.value
}

/** The schema guarantees that `text` is empty or a calendar date. */
function readBirthDate(text: string, today: Temporal.PlainDate): string | null {
  if (text === '') return null
  if (!isBirthDate(text, today.toString())) throw new Refusal('birth_date_invalid', 'dateOfBirth')
  return text
}

function postcodeIn(text: string): string | null {
  if (text === '') return null
  const postcode = readPostcode(text)
  if (postcode === null) throw new Refusal('postcode_invalid', 'postcode')
  return postcode
}
