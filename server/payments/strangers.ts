import { Refusal } from '#contract/errors.ts'
import type { Bank } from '#server/bank.ts'
import { countWithin, limiterFor } from '#server/http/rate-limit.ts'
import type { Booked } from '#server/ledger/types.ts'

/** Sends to strangers in 24 hours of real time: each may be a mail to somebody who never asked for one. */
export const TO_STRANGERS = { name: 'to-strangers', points: 50, seconds: 24 * 60 * 60 }

/**
 * Holds money for somebody who is not a customer, as often as the sender may. What is refused, fails, or was held before
 * does not count. Throws Refusal `too_many_requests` before anything is held, and what `hold` throws.
 */
export async function limitToStrangers(
  bank: Pick<Bank, 'pool'>,
  senderId: string,
  hold: () => Promise<Booked>,
): Promise<Booked> {
  const limiter = limiterFor(bank, TO_STRANGERS)
  let held = false
  try {
    if ((await countWithin(limiter, senderId)) === null) throw new Refusal('too_many_requests')
    const booked = await hold()
    held = !booked.replayed
    return booked
  } finally {
    // Where the database is away, one count too many is no harm.
    if (!held) await limiter.reward(senderId).catch(() => undefined)
  }
}
