import type { Goal } from '#contract/savings.ts'

/**
 * Returns a goal's balance on its target date if only the monthly savings are added. Returns null if the goal has no target
 * date or needs no monthly amount to reach its target.
 */
export function expectedMinor({ savedMinor, targetOn, monthlyNeedMinor, monthly }: Goal): number | null {
  if (targetOn === null || monthlyNeedMinor === null) return null
  if (monthly === null || monthly.nextOn > targetOn) return savedMinor
  const [year, month] = partsOf(monthly.nextOn)
  const [lastYear, lastMonth, lastDay] = partsOf(targetOn)
  const months = (lastYear - year) * 12 + lastMonth - month
  // In a month without the chosen day, the saving is on the month's last day.
  const daysOfLast = new Date(Date.UTC(lastYear, lastMonth, 0)).getUTCDate()
  const isDue = Math.min(monthly.dayOfMonth, daysOfLast) <= lastDay
  return savedMinor + monthly.amountMinor * Math.max(1, months + (isDue ? 1 : 0))
}

function partsOf(day: string): [year: number, month: number, day: number] {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split('-').map(Number)
  return [year, month, dayOfMonth]
}
