import type { AdvisedLink, AdvisorStatement } from '#contract/advisor.ts'
import type { AdvisorFigures } from '#server/advisor/figures/figures.ts'
import { daysOf, isMonth } from '#server/advisor/questions/periods.ts'
import type { AdvisorAsk } from '#server/advisor/questions/selection.ts'
import { monthOf, monthsApart } from '#server/calendar/months.ts'

/** A question, and the figures for its reply. */
export type ReplyContext = { figures: AdvisorFigures; ask: AdvisorAsk }

/**
 * Returns the number of months since the question's calendar month, or 0 without a period. Returns null for any other period.
 */
export function monthsBack({ figures: { now }, ask: { period } }: ReplyContext): number | null {
  if (period === null) return 0
  if (!isMonth(period)) return null
  return monthsApart(period, now)
}

/** Returns the question's period with its days. The default is this month. */
export function askedPeriod({ figures: { now }, ask }: ReplyContext): { period: string; from: string; to: string } {
  const period = ask.period ?? monthOf(now)
  return { period, ...(daysOf(period) ?? { from: period, to: period }) }
}

/** Returns the statement that names the reply's subject. */
export function headingOf({ ask }: ReplyContext, period: string | null = ask.period): AdvisorStatement[] {
  const { category, kind, name, amountMinor } = ask
  const heading = {
    code: 'understood' as const,
    ...(category && { category }),
    ...(kind && { kind }),
    ...(name && { name }),
    ...(amountMinor && { amountMinor }),
    ...(period && { period }),
  }
  return Object.keys(heading).length > 1 ? [heading] : []
}

/** Returns the statement that there were no payments. */
export const noPaymentsReply = (question: ReplyContext, link: Omit<AdvisedLink, 'screen'> = {}): AdvisorStatement[] => [
  ...headingOf(question),
  { code: 'payments_none', link: { screen: 'transactions', ...link } },
]

/** Returns the statement that there are more payments than the advisor adds up. */
export const tooManyPaymentsReply = (question: ReplyContext, link: Omit<AdvisedLink, 'screen'>): AdvisorStatement[] => [
  ...headingOf(question),
  { code: 'look_here', link: { screen: 'transactions', ...link } },
]
