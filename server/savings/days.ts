import { DAY_MS, dayOf } from '#server/platform/days.ts'

/** The first day of that number in a month after `day`; of a month that is too short, its last. */
export function nextMonthly(dayOfMonth: number, day: string): string {
  const after = Temporal.PlainDate.from(day)
  const [inThis, inNext] = [after, after.add({ months: 1 })].map((date) => date.with({ day: dayOfMonth }))
  const next = inThis && Temporal.PlainDate.compare(inThis, after) > 0 ? inThis : inNext
  return String(next)
}

/** How often a month has passed between two days, as a person counts: a month begun is one, and it is one at least. */
export function monthsUntil(day: string, from: string): number {
  const { months, days } = Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(day), { largestUnit: 'months' })
  return Math.max(1, months + (days > 0 ? 1 : 0))
}

export function dayAfter(day: string): string {
  return dayOf(new Date(Date.parse(day) + DAY_MS))
}

export function dayBefore(day: string): string {
  return dayOf(new Date(Date.parse(day) - DAY_MS))
}
