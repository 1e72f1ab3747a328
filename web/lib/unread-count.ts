import { createObservable } from '#web/lib/observable.ts'

/** The number of the customer's unread notices, as this page has it. */
export const unreadCount = createObservable(() => 0)

/** A larger count is shown as this number and a plus sign. */
const MAX_COUNT = 99

/** Returns '3', or '99+'. */
export const unreadText = (count: number): string => (count > MAX_COUNT ? `${MAX_COUNT}+` : String(count))
