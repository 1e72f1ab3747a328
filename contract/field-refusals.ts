import type { ErrorCode } from '#contract/errors.ts'

/**
 * The error codes of fields by name. Amounts, whose names end with `Minor`, are not in the map and have the code
 * `amount_invalid`. All other fields have the code `request_invalid`.
 */
export const FIELD_CODES: ReadonlyMap<string, ErrorCode> = new Map(
  Object.entries({
    method: 'method_missing',
    cursor: 'cursor_invalid',
    recipient: 'recipient_invalid',
    email: 'email_invalid',
    phone: 'phone_invalid',
    dateOfBirth: 'birth_date_invalid',
    postcode: 'postcode_invalid',
    startsOn: 'schedule_date_invalid',
    nextOn: 'schedule_date_invalid',
    'end.on': 'schedule_end_invalid',
    'end.times': 'schedule_end_invalid',
  } as const),
)

/** The fields that have the code `fields_missing` if they are left out or empty. */
export const FILLED_FIELDS = new Set(['recipient', 'name', 'fullName', 'email', 'phone', 'password'])
