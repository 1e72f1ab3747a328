/** The intervals of a scheduled payment: on one date only, or every week or every month from that date on. */
export const INTERVALS = ['once', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** The latest date that a customer can choose for a scheduled payment, in years from today. */
export const SCHEDULE_YEARS = 2
/** The maximum number of payments of a schedule that ends after a number of payments. */
export const MAX_PAYMENTS = 999
