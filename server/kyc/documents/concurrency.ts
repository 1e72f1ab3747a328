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
export type DocumentLimit = <Result>(asker: Asker, work: () => Promise<Result>) => Promise<Result>

/**
 * Limits what is done with documents at the same time, for each customer and each address: nobody waits for what one
 * customer, or many customers of one address, have asked for beyond their limit.
 */
export function limitDocuments({ perCustomer, perAddress, inAll, waiting }: Limits): DocumentLimit {
  const unlimited = { running: Infinity, waiting: Infinity, runningPerKey: Infinity, waitingPerKey: Infinity }
  const customers = limitConcurrency({ ...unlimited, runningPerKey: perCustomer, waitingPerKey: waiting })
  const addresses = limitConcurrency({ ...unlimited, running: inAll, runningPerKey: perAddress })
  return ({ customerId, source }, work) => customers(customerId, () => addresses(source, work))
}
