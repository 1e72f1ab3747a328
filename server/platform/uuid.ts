const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The position of the version digit in a UUID. */
const VERSION_AT = 14

/** Returns whether a text is a UUID of any version in PostgreSQL's notation, lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Returns whether a UUID is derived from another operation (version 8). Only the bank makes such UUIDs. */
export function isDerived(uuid: string): boolean {
  return uuid.charAt(VERSION_AT) === '8'
}

/** Returns the smallest version 7 UUID of an instant. */
export function firstUuidFrom(instant: Date): string {
  const ms = instant.getTime().toString(16).padStart(12, '0')
  return `${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`
}
