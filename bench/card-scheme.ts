import { randomUUID } from 'node:crypto'
import { cvvOf, readCardNumber } from '#server/cards/numbers.ts'
import { issueCards } from '#server/cards/service.ts'
import { createCustomerWithin } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Deps } from '#server/platform/deps.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import type { CardOrder, CardReport } from './card-load.ts'
import { inProcess } from './child.ts'
import { percentile } from './measure.ts'
import { serve } from './serve.ts'

export type CardFigure = {
  authorisations: number
  failed: number
  captures_refused: number
  p50_ms: number
  p99_ms: number
  capture_p50_ms: number
  capture_p99_ms: number
}

type Options = { deps: Deps; seconds: number; perSecond?: number[] }

export const CARD_SCHEME_SECRET = 'a secret of the bench and its card scheme'
const CUSTOMERS = 1_000
const EXPIRES_ON = '2030-12-31'

/**
 * Simulates a card scheme and measures the bank's response times. The scheme requests each number of authorizations per second
 * in `perSecond`, and captures each payment one second later. Meanwhile the bank runs its other jobs: points, notices, live
 * events. `deps` must be configured with `CARD_SCHEME_SECRET`.
 */
export async function benchCardScheme({ deps, seconds, perSecond = [100, 200, 400] }: Options): Promise<CardFigure[]> {
  const { url, close } = await serve(deps)
  const jobs = await startJobs(deps)
  try {
    const cards = await openCards(deps)
    const figures: CardFigure[] = []
    for (const rate of perSecond) {
      const parameters: CardOrder = { url, secret: CARD_SCHEME_SECRET, seconds, perSecond: rate, cards }
      const report = await inProcess<CardReport>(new URL('./card-load.ts', import.meta.url), parameters)
      figures.push({
        authorisations: report.approved / seconds,
        failed: report.failed,
        captures_refused: report.refused,
        p50_ms: percentile(report.authoriseMs, 0.5),
        p99_ms: percentile(report.authoriseMs, 0.99),
        capture_p50_ms: percentile(report.captureMs, 0.5),
        capture_p99_ms: percentile(report.captureMs, 0.99),
      })
    }
    return figures
  } finally {
    await jobs.stop()
    close()
  }
}

/** Creates customers with money, and returns one active card of each. */
export async function openCards(deps: Deps, count = CUSTOMERS): Promise<CardOrder['cards']> {
  const customers = await inTransaction(deps.db, async (trx) => {
    const createdCustomers = []
    for (let index = 0; index < count; index += 1) {
      const email = `card.${randomUUID()}@example.com`
      createdCustomers.push(await createCustomerWithin(deps, trx, { fullName: 'Bench Customer', email }))
    }
    return createdCustomers
  })
  await deps.ledger.postAll(
    customers.map(({ currentAccountId }) => ({
      id: randomUUID(),
      kind: 'top_up.card',
      fingerprint: 'bench',
      bookedAt: deps.clock.businessNow(),
      legs: [
        { kind: 'transfer', debit: bankAccount('card_acquiring'), credit: currentAccountId, amountMinor: 10_000_00 },
      ],
    })),
  )
  const issuedCards = await issueCards(
    deps,
    customers.map(({ id, currentAccountId }) => ({
      customerId: id,
      accountId: currentAccountId,
      type: 'debit',
      kind: 'main',
      name: 'Main Card',
      expiresOn: EXPIRES_ON,
    })),
  )
  return Promise.all(
    issuedCards.map(async (card) => {
      const number = await readCardNumber(deps, card)
      return { number, expiry: '12/30', cvv: cvvOf(deps, { number, expiresOn: EXPIRES_ON }) }
    }),
  )
}
