import type { Analytics } from '#contract/analytics.ts'

/** Returns whether the shown month is the current one. */
export const isCurrentMonth = ({ month, months }: Pick<Analytics, 'month' | 'months'>): boolean =>
  month === months.at(-1)
