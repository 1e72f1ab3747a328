import { observed } from '#web/lib/observed.ts'

/** How many notices the customer has not read, as far as this page knows. */
export const unread = observed(() => 0)

/** From here on a number says no more than that there are many. */
const MANY = 99

/** '3', or '99+'. */
export const unreadText = (count: number): string => (count > MANY ? `${MANY}+` : String(count))
