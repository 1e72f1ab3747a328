import { isBusinessDay } from '#server/rails/settlement.ts'

/** The hour (UTC) at which a day's direct debits are collected. */
const COLLECTION_HOUR = 6

/** A day itself where the banks work, else the next one on which they do. */
export function businessDayFrom(day: Temporal.PlainDate): Temporal.PlainDate {
  let found = day
  while (!isBusinessDay(found)) found = found.add({ days: 1 })
  return found
}

/** The first time after `after` that a bill of that day of the month is due: its last day where it has none such. */
export function nextBillDay(billDay: number, after: Temporal.PlainDate): Temporal.PlainDate {
  for (let month = after.toPlainYearMonth(); ; month = month.add({ months: 1 })) {
    const due = businessDayFrom(month.toPlainDate({ day: Math.min(billDay, month.daysInMonth) }))
    if (Temporal.PlainDate.compare(due, after) > 0) return due
  }
}

/** When what is due on a day is collected. */
export function collectedAt(dueOn: Temporal.PlainDate): Date {
  const at = dueOn.toZonedDateTime({ timeZone: 'UTC', plainTime: { hour: COLLECTION_HOUR } })
  return new Date(at.epochMilliseconds)
}

/** The bank's day of a business time. */
export function dayOf(now: Date): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO('UTC').toPlainDate()
}
