import { Refusal } from '#contract/errors.ts'
import { limitConcurrency } from '#server/platform/concurrency.ts'

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

/**
 * Shares something costly out: nobody waits for what one customer, or many customers of one address, have asked for
 * beyond their share. Whoever has room in their share waits for the whole in the order they came.
 */
export function createShares({ perCustomer, perAddress, inAll, waiting }: Limits): Shares {
  const unlimited = { waiting: Infinity, waitingPerKey: Infinity }
  const customers = limitConcurrency({ ...unlimited, running: Infinity, runningPerKey: perCustomer })
  const addresses = limitConcurrency({ ...unlimited, running: inAll, runningPerKey: perAddress })
  return ({ customerId, source }, work) => {
    if (customers.load(customerId) >= perCustomer + waiting) throw new Refusal('too_many_requests')
    return customers(customerId, () => addresses(source, work))
  }
}
