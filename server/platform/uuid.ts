const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The digit that says a UUID's version. */
const VERSION_AT = 14

/** Whether a text is a UUID of any version as PostgreSQL writes it, in lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Whether a UUID names what follows from another operation (version 8): the bank derives it, and a client has none. */
export function isDerived(uuid: string): boolean {
  return uuid.charAt(VERSION_AT) === '8'
}
