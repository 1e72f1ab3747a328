import type { Deps } from '#server/platform/deps.ts'
import { countWithin, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { Booked } from '#server/ledger/types.ts'

/** Sends to people who are not customers in 24 hours of real time: each may be a mail to somebody who never asked for one. */
export const TO_NON_CUSTOMERS = { name: 'to-non-customers', points: 50, seconds: 24 * 60 * 60 }

/**
 * Holds money for somebody who is not a customer, as often as the sender may. What is refused, fails, or was held before
 * does not count. `hold` is told whether it may; where not it throws Refusal `too_many_requests`, but only where nothing
 * else is to be refused: a sender whose money does not suffice is told so whoever the recipient is, for they could ask
 * about anybody.
 */
export async function limitToNonCustomers(
  deps: Pick<Deps, 'limiters'>,
  senderId: string,
  hold: (may: boolean) => Promise<Booked>,
): Promise<Booked> {
  const limiter = limiterFor(deps, TO_NON_CUSTOMERS)
  let held = false
  try {
    const booked = await hold((await countWithin(limiter, senderId)) !== null)
    held = !booked.replayed
    return booked
  } finally {
    // Where the database is away, one count too many is no harm.
    if (!held) await limiter.reward(senderId).catch(() => undefined)
  }
}
