/** An hour, in milliseconds. */
export const HOUR_MS = 60 * 60_000
export const DAY_MS = 24 * HOUR_MS
