import pLimit, { type LimitFunction } from 'p-limit'
import { Refusal } from '#contract/errors.ts'

/** Who asks for something costly. `source`: the network address that limits count them by. */
export type Asker = { customerId: string; source: string }

type Limits = {
  /** How many at a time: of one customer, from one address, and in all. */
  perCustomer: number
  perAddress: number
  inAll: number
  /** How many more of one customer's may wait for their turn. */
  waiting: number
}

/** Does work when its turn comes. Throws Refusal `too_many_requests` where too much of the same customer's waits already. */
export type Shares = <Result>(asker: Asker, work: () => Promise<Result>) => Promise<Result>

type Share = { limit: LimitFunction; users: number }

/**
 * Shares something costly out: nobody waits for what one customer, or many customers of one address, have asked for
 * beyond their share. Whoever has room in their share waits for the whole in the order they came.
 */
export function createShares({ perCustomer, perAddress, inAll, waiting }: Limits): Shares {
  const customers = new Map<string, Share>()
  const addresses = new Map<string, Share>()
  const all = pLimit(inAll)
  return ({ customerId, source }, work) => {
    if ((customers.get(customerId)?.users ?? 0) >= perCustomer + waiting) throw new Refusal('too_many_requests')
    return within(customers, customerId, perCustomer, () => within(addresses, source, perAddress, () => all(work)))
  }
}

/** Does work within one share of several, and forgets the share with its last user. */
async function within<Result>(
  shares: Map<string, Share>,
  name: string,
  concurrency: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const share = shares.get(name) ?? { limit: pLimit(concurrency), users: 0 }
  shares.set(name, share)
  share.users += 1
  try {
    return await share.limit(work)
  } finally {
    share.users -= 1
    if (share.users === 0) shares.delete(name)
  }
}
