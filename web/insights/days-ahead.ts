import type { CashFlowForecast } from '#contract/analytics.ts'
import { dayBefore } from '#web/i18n/dates.ts'

/** A day until the end of the month: what the account is expected to hold after it, and what moves on it. */
export type DayAhead = { day: string; balanceMinor: number; expected: CashFlowForecast['expected'] }

const dayAfter = (day: string) => dayBefore(day, -1)

/**
 * A forecast day by day, from `today` with what the account holds now; empty where the month ends today. What was due
 * before tomorrow and was not paid is expected then; what is spent every day is spent evenly.
 */
export function daysAhead(forecast: CashFlowForecast, today: string): DayAhead[] {
  const { onDate, expectedBalanceMinor, incomeMinor, outgoingMinor, everydayMinor } = forecast
  const days: string[] = []
  for (let day = dayAfter(today); day <= onDate; day = dayAfter(day)) days.push(day)
  const [first] = days
  if (first === undefined) return []
  const nowMinor = expectedBalanceMinor - incomeMinor + outgoingMinor
  let movedMinor = 0
  const ahead = days.map((day, index): DayAhead => {
    const expected = forecast.expected.filter(({ dueOn }) => (dueOn < first ? first : dueOn) === day)
    movedMinor += expected.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    const spentMinor = Math.round((everydayMinor * (index + 1)) / days.length)
    return { day, balanceMinor: nowMinor + movedMinor - spentMinor, expected }
  })
  return [{ day: today, balanceMinor: nowMinor, expected: [] }, ...ahead]
}
