/** How often a scheduled payment is made: on one date, or every week or month from it on. */
export const INTERVALS = ['once', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** How far ahead a payment may be scheduled. */
export const SCHEDULE_YEARS = 2
/** The most payments after which a schedule ends, where it ends after so many. */
export const PAYMENTS_MOST = 999
