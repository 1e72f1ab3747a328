import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { createCustomerWithin, type Customer } from '#server/identity/customers/customers.ts'
import { createSession } from '#server/identity/sessions/sessions.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { inProcess } from './child.ts'
import type { LoadOrder, LoadReport } from './http-load.ts'
import { serve } from './serve.ts'

export type HttpFigure = { connections: number; tps: number; p50_ms: number; p99_ms: number }

type Options = {
  deps: Deps
  /** The length of the measurement for each number of connections, in seconds. */
  seconds: number
  connections?: number[]
  customers?: number
}

const OPENING_BALANCE_MINOR = 1_000_000_00
/** The number of customers that one SQL transaction creates. */
const CUSTOMERS_PER_TRANSACTION = 250

/** Creates customers through the bank's own services, each with money and a session. */
export async function openSenders(
  deps: Deps,
  count: number,
  openingMinor = OPENING_BALANCE_MINOR,
): Promise<LoadOrder['senders']> {
  const customers: Customer[] = []
  while (customers.length < count) {
    const batch = await inTransaction(deps.db, async (trx) => {
      const createdCustomers: Customer[] = []
      for (let index = 0; index < Math.min(CUSTOMERS_PER_TRANSACTION, count - customers.length); index += 1) {
        createdCustomers.push(
          await createCustomerWithin(deps, trx, {
            fullName: 'Bench Customer',
            email: `bench.${randomUUID()}@example.com`,
          }),
        )
      }
      return createdCustomers
    })
    customers.push(...batch)
  }
  const outcomes = await deps.ledger.postAll(
    customers.map(({ currentAccountId }) => ({
      id: randomUUID(),
      kind: 'bench.open',
      fingerprint: 'bench',
      bookedAt: deps.clock.businessNow(),
      legs: [
        { kind: 'transfer', debit: bankAccount('ach_clearing'), credit: currentAccountId, amountMinor: openingMinor },
      ],
    })),
  )
  if (outcomes.some(({ ok }) => !ok)) throw new Error('The customers could not be given money')
  const caller = { device: { browser: 'Bench', system: null }, networkZone: 'this_computer' } as const
  const sessions = await Promise.all(
    customers.map(({ id }) => createSession(deps, deps.db, { customerId: id, caller, method: 'password' })),
  )
  return sessions.map(({ token }, index) => ({
    cookie: `${deps.cookies.session}=${token}`,
    email: customers[index]?.email ?? '',
  }))
}

/** Sends requests from a child process, so that the load does not use the event loop of the bank. */
const runLoad = (parameters: LoadOrder) => inProcess<LoadReport>(new URL('./http-load.ts', import.meta.url), parameters)

/**
 * Sends money over HTTP (`POST /api/v1/transfers`) between customers chosen at random. Each request has a session and its own
 * idempotency key. Throws if a response is missing or has no 2xx status.
 */
export async function benchHttp({
  deps,
  seconds,
  connections = [16, 64, 256],
  customers = 2_000,
}: Options): Promise<HttpFigure[]> {
  const { url, close } = await serve(deps)
  try {
    const senders = await openSenders(deps, customers)
    // Warms up the server. The result is not used.
    await runLoad({ url, connections: 64, seconds: 2, senders })
    const figures: HttpFigure[] = []
    for (const count of connections) {
      const report = await runLoad({ url, connections: count, seconds, senders })
      if (report.failed > 0) throw new Error(`${report.failed} of ${report.answered + report.failed} requests failed`)
      figures.push({
        connections: count,
        tps: report.answered / report.seconds,
        p50_ms: report.p50Ms,
        p99_ms: report.p99Ms,
      })
    }
    return figures
  } finally {
    close()
    // Waits for the requests that were in flight at the end of the load.
    await wait(500)
  }
}
