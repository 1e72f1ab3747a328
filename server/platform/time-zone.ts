import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** The key under which a process stores the time zone for itself and its threads. */
const KEY = 'alder.bank-zone'

/**
 * Sets the time zone of the bank's days, by an IANA name. A process serves one bank: this is called once, when its database is
 * opened, before any day is computed.
 */
export const setBankZone = (timeZone: string): void => setEnvironmentData(KEY, timeZone)

/** Returns the time zone of the bank's days, months and hours. Throws before it is set. */
export function bankZone(): string {
  const zone = getEnvironmentData(KEY)
  if (typeof zone !== 'string') throw new Error('The zone of the bank’s days is read before a database is opened')
  return zone
}

/** Returns the instant at which the bank's clocks show a date and time, such as '2026-08-28T09:41'. */
export const instantOf = (localTime: string): Date =>
  new Date(Temporal.PlainDateTime.from(localTime).toZonedDateTime(bankZone()).epochMilliseconds)

/**
 * Shifts an instant for formatters, which all use UTC. In UTC, the returned instant has the date and time that the bank's
 * clocks show at `instant`.
 */
export const localTimeOf = (instant: Date): Date =>
  // Computed from the offset, because Temporal takes thirty times as long for the date.
  new Date(instant.getTime() + toBankZone(instant).offsetNanoseconds / 1e6)

/** Returns the instant for formatters (see `localTimeOf`) from the text of a day or of an instant. A day is not shifted. */
export const localDayOf = (instant: string): Date =>
  instant.length === DAY_LETTERS ? new Date(instant) : localTimeOf(new Date(instant))

const DAY_LETTERS = 'YYYY-MM-DD'.length

/** Returns an instant in the bank's time zone with its offset from UTC: ISO 8601, to the second. */
export const isoAt = (instant: Date): string =>
  toBankZone(instant).toString({ timeZoneName: 'never', fractionalSecondDigits: 0 })

/** Returns the beginning of Unix time in a time zone. Throws RangeError if no time zone has this name. */
const epochIn = (zone: string) => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)

/**
 * Returns the usual spelling of a time zone's name in any case: 'Europe/Paris' for 'europe/paris'. Throws RangeError for an
 * unknown name.
 */
export const usualZoneName = (name: string): string => epochIn(name).timeZoneId

/**
 * Returns whether two names mean the same time zone, such as Asia/Kolkata and Asia/Calcutta. Throws RangeError for an unknown
 * name.
 */
export const isSameZone = (timeZone: string, other: string): boolean => epochIn(timeZone).equals(epochIn(other))

/** Returns an instant in the bank's time zone. */
export const toBankZone = (instant: Date): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(bankZone())
