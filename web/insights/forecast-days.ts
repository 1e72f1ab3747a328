import type { CashFlowForecast } from '#contract/analytics.ts'
import { bankDayBefore } from '#web/i18n/dates.ts'

/** A day until the end of the month: the expected balance at its end, and its expected payments. */
export type ForecastDay = { day: string; balanceMinor: number; expected: CashFlowForecast['expected'] }

const dayAfter = (day: string) => bankDayBefore(day, -1)

/**
 * Returns a forecast for each day, starting at `today` with the current balance. The list is empty on the last day of a month.
 * Unpaid payments that were due by today are expected tomorrow. Everyday spending is spread evenly.
 */
export function listForecastDays(forecast: CashFlowForecast, today: string): ForecastDay[] {
  const { onDate, expectedBalanceMinor, incomeMinor, outgoingMinor, everydayMinor } = forecast
  const days: string[] = []
  for (let day = dayAfter(today); day <= onDate; day = dayAfter(day)) days.push(day)
  const [first] = days
  if (first === undefined) return []
  const nowMinor = expectedBalanceMinor - incomeMinor + outgoingMinor
  let movedMinor = 0
  const futureDays = days.map((day, index): ForecastDay => {
    const expected = forecast.expected.filter(({ dueOn }) => (dueOn < first ? first : dueOn) === day)
    movedMinor += expected.reduce((sum, { amountMinor }) => sum + amountMinor, 0)
    const spentMinor = Math.round((everydayMinor * (index + 1)) / days.length)
    return { day, balanceMinor: nowMinor + movedMinor - spentMinor, expected }
  })
  return [{ day: today, balanceMinor: nowMinor, expected: [] }, ...futureDays]
}
