import type { AdvisedLink, Statement } from '#contract/advisor.ts'
import type { Figures } from '#server/advisor/figures/figures.ts'
import { daysOf, isMonth } from '#server/advisor/questions/periods.ts'
import type { Ask } from '#server/advisor/questions/selection.ts'
import { monthOf, monthsApart } from '#server/calendar/months.ts'

/** What is asked, and the figures that a reply to it may be made of. */
export type Question = { figures: Figures; ask: Ask }

/** How many months ago a calendar month was, 0 where none is named; null of any other time. */
export function monthsBack({ figures: { now }, ask: { period } }: Question): number | null {
  if (period === null) return 0
  if (!isMonth(period)) return null
  return monthsApart(period, now)
}

/** The period that is asked about, this month where none is named, and its days. */
export function timeOf({ figures: { now }, ask }: Question): { period: string; from: string; to: string } {
  const period = ask.period ?? monthOf(now)
  return { period, ...(daysOf(period) ?? { from: period, to: period }) }
}

/** Says what the reply is about. */
export function headingOf({ ask }: Question, period: string | null = ask.period): Statement[] {
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

/** Nothing was paid, or came in. */
export const nothing = (question: Question, link: Omit<AdvisedLink, 'screen'> = {}): Statement[] => [
  ...headingOf(question),
  { code: 'payments_none', link: { screen: 'transactions', ...link } },
]

/** There are more payments than are added up here. */
export const tooMany = (question: Question, link: Omit<AdvisedLink, 'screen'>): Statement[] => [
  ...headingOf(question),
  { code: 'look_here', link: { screen: 'transactions', ...link } },
]
