import { isBirthDate, readPostcode } from '#contract/details.ts'
import { type ErrorCode, Refusal } from '#contract/errors.ts'
import type { ProfileChange } from '#contract/profile.ts'
import { type Contact, readContact } from '#server/identity/customers/contact.ts'
import { readName } from '#server/identity/customers/name.ts'

/** What a change asks for, in the spelling the bank keeps. What is left out stays; null takes away. */
export type Details = {
  fullName?: string
  email?: string
  phone?: string | null
  /** YYYY-MM-DD. */
  dateOfBirth?: string | null
  address?: string | null
  postcode?: string | null
}

type Read = {
  /** The customer's number as it is, E.164: a new one without its country is read as one of the same. */
  phone: string | null
  /** The bank's day. */
  today: Temporal.PlainDate
}

/**
 * Reads a change as a person typed it, in the order of the form. Throws Refusal naming the field: `fields_missing`,
 * `email_invalid`, `phone_invalid`, `birth_date_invalid` or `postcode_invalid`.
 */
export function readDetails(change: ProfileChange, { phone, today }: Read): Details {
  const details: Details = {}
  if (change.fullName !== undefined) details.fullName = readName(change.fullName)
  if (change.email !== undefined) details.email = readReachable('email', change.email, 'email_invalid')
  if (change.phone !== undefined)
    details.phone = change.phone === '' ? null : readReachable('phone', change.phone, 'phone_invalid', phone)
  if (change.dateOfBirth !== undefined) details.dateOfBirth = readBirthDate(change.dateOfBirth, today)
  if (change.address !== undefined) details.address = change.address === '' ? null : change.address
  if (change.postcode !== undefined) details.postcode = postcodeIn(change.postcode)
  return details
}

function readReachable(kind: Contact['kind'], text: string, code: ErrorCode, phone?: string | null): string {
  const contact = readContact(text, phone)
  if (contact?.kind !== kind) throw new Refusal(code, kind)
  return contact.value
}

/** `text` is a day of the calendar already: the schema sees to it. */
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
