export function addDays(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

export const dayAfter = (day: string): string => addDays(day, 1)
export const dayBefore = (day: string): string => addDays(day, -1)

/**
 * Returns the number of days from one day to another, including the first and excluding the last. The result is below zero if
 * `to` is earlier.
 */
export function daysBetween(from: string, to: string): number {
  return Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to), { largestUnit: 'days' }).days
}
