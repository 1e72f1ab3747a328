import { t } from '@lingui/core/macro'
import type { RecurringInterval } from '#contract/analytics.ts'

/** Returns an interval in words. */
export function intervalText(interval: RecurringInterval): string {
  return {
    weekly: t`Weekly`,
    every_2_weeks: t`Every 2 weeks`,
    twice_a_month: t`Twice a month`,
    every_4_weeks: t`Every 4 weeks`,
    monthly: t`Monthly`,
    every_2_months: t`Every 2 months`,
    quarterly: t`Every 3 months`,
    half_yearly: t`Every 6 months`,
    yearly: t`Yearly`,
  }[interval]
}
