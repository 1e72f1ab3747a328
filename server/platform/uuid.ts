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

/** Where the UUIDs of version 7 begin that are made from an instant on. */
export function firstUuidFrom(instant: Date): string {
  const ms = instant.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
