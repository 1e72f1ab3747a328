import { limitConcurrency } from '#server/platform/concurrency.ts'

/** The customer who requests expensive work. `source` is the part of their address that limits count (`clientSite`). */
export type DocumentClient = { customerId: string; source: string }

type Limits = {
  /** The numbers of tasks that may run at the same time: per customer, per address and in all. */
  perCustomer: number
  perAddress: number
  inAll: number
  /** The number of further tasks of one customer that may wait. */
  waiting: number
}

/** Runs work when its turn comes. Throws Refusal `too_many_requests` if too much work of the same customer is waiting. */
export type DocumentLimit = <Result>(requester: DocumentClient, work: () => Promise<Result>) => Promise<Result>

/**
 * Limits concurrent work on documents per customer and per address. Work above a customer's limit delays no other customer.
 * Work above an address's limit delays only customers at this address.
 */
export function limitDocuments({ perCustomer, perAddress, inAll, waiting }: Limits): DocumentLimit {
  const unlimited = { running: Infinity, waiting: Infinity, runningPerKey: Infinity, waitingPerKey: Infinity }
  const customers = limitConcurrency({ ...unlimited, runningPerKey: perCustomer, waitingPerKey: waiting })
  const addresses = limitConcurrency({ ...unlimited, running: inAll, runningPerKey: perAddress })
  return ({ customerId, source }, work) => customers(customerId, () => addresses(source, work))
}
