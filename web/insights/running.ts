import type { Analytics } from '#contract/analytics.ts'

/** Whether it is of this month, which is not over. */
export const isRunning = ({ month, months }: Pick<Analytics, 'month' | 'months'>): boolean => month === months.at(-1)
