import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** Where a process keeps the zone for itself and the threads that it begins. */
const KEY = 'alder.bank-zone'

/**
 * Says whose days the bank keeps, by an IANA name. A process serves one bank: this is said once, when its database is opened,
 * before anything asks for a day.
 */
export const keepDaysOf = (timeZone: string): void => setEnvironmentData(KEY, timeZone)

/** The zone of the bank's days, months and hours. Throws before it is known. */
export function bankZone(): string {
  const zone = getEnvironmentData(KEY)
  if (typeof zone !== 'string') throw new Error('The zone of the bank’s days is asked for before a database is opened')
  return zone
}

/** The instant at which the bank's clocks show a date and time, as '2026-08-28T09:41'. */
export const instantOf = (shown: string): Date =>
  new Date(Temporal.PlainDateTime.from(shown).toZonedDateTime(bankZone()).epochMilliseconds)

/** What the bank's clocks show at an instant, as an instant at which UTC's do: for formatters, which are UTC's everywhere. */
export const shownAt = (instant: Date): Date =>
  // Its offset, and not its date, which takes Temporal thirty times as long.
  new Date(instant.getTime() + zoned(instant).offsetNanoseconds / 1e6)

/** The same of a day, which is shown as what it is, or of an instant; both as texts. */
export const shownDay = (when: string): Date => (when.length === DAY_LETTERS ? new Date(when) : shownAt(new Date(when)))

const DAY_LETTERS = 'YYYY-MM-DD'.length

/** An instant as the bank's clocks show it, with how far they are from UTC: ISO 8601, to the second. */
export const isoAt = (instant: Date): string =>
  zoned(instant).toString({ timeZoneName: 'never', fractionalSecondDigits: 0 })

/** Throws RangeError if there is no zone of this name. */
const epochIn = (zone: string) => Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)

/** The name of a zone in its usual spelling, whatever its case: 'Europe/Paris' for 'europe/paris'. Throws RangeError. */
export const zoneNamed = (name: string): string => epochIn(name).timeZoneId

/** Whether two names are of one zone, as Asia/Kolkata and Asia/Calcutta are. Throws RangeError. */
export const isSameZone = (one: string, other: string): boolean => epochIn(one).equals(epochIn(other))

/** An instant as the bank's clocks show it. */
export const zoned = (instant: Date): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(bankZone())
