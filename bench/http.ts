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
  /** For each number of connections. */
  seconds: number
  connections?: number[]
  customers?: number
}

const OPENING_MINOR = 1_000_000_00
const PER_TRANSACTION = 250

/** Customers with money and a session each, made by the same services as any customer. */
export async function openSenders(
  deps: Deps,
  count: number,
  openingMinor = OPENING_MINOR,
): Promise<LoadOrder['senders']> {
  const customers: Customer[] = []
  while (customers.length < count) {
    const more = await inTransaction(deps.db, async (trx) => {
      const made: Customer[] = []
      for (let index = 0; index < Math.min(PER_TRANSACTION, count - customers.length); index += 1) {
        made.push(
          await createCustomerWithin(deps, trx, {
            fullName: 'Bench Customer',
            email: `bench.${randomUUID()}@example.com`,
          }),
        )
      }
      return made
    })
    customers.push(...more)
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

const loadFrom = (order: LoadOrder) => inProcess<LoadReport>(new URL('./http-load.ts', import.meta.url), order)

/**
 * Sends money over HTTP, `POST /api/v1/transfers`, each request with a session and a key of its own, between customers
 * chosen at random. Throws where a single request was not answered with 200.
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
    await loadFrom({ url, connections: 64, seconds: 2, senders })
    const figures: HttpFigure[] = []
    for (const count of connections) {
      const report = await loadFrom({ url, connections: count, seconds, senders })
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
    // What was under way when the load stopped is still being done.
    await wait(500)
  }
}
