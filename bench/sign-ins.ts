import { randomUUID } from 'node:crypto'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import { createCustomerWithin } from '#server/identity/customers/customers.ts'
import { hashPassword } from '#server/identity/passwords/passwords.ts'
import { inProcess } from './child.ts'
import { percentile } from './measure.ts'
import type { SignInOrder, SignInReport } from './sign-in-load.ts'
import { serve } from './serve.ts'

export type SignInFigure = {
  sign_ins: number
  refused: number
  p50_ms: number
  p99_ms: number
  healthz_p50_ms: number
  healthz_p99_ms: number
}

type Options = { deps: Deps; seconds: number; perSecond?: number[] }

const CUSTOMERS = 500
export const PASSWORD = 'a password of the bench'

/**
 * Signs in people at each rate per second in `perSecond`. Meanwhile, requests to /healthz measure how long the rest of the bank
 * waits. The bank must trust the addresses in the load's headers (TRUST_PROXY).
 */
export async function benchSignIns({ deps, seconds, perSecond = [0, 25, 50] }: Options): Promise<SignInFigure[]> {
  const { url, close } = await serve(deps)
  try {
    const emails = await openPeopleWithPassword(deps, CUSTOMERS)
    const figures: SignInFigure[] = []
    for (const rate of perSecond) {
      const parameters: SignInOrder = { url, seconds, perSecond: rate, emails, password: PASSWORD }
      const report = await inProcess<SignInReport>(new URL('./sign-in-load.ts', import.meta.url), parameters)
      figures.push({
        sign_ins: report.signedIn / seconds,
        refused: report.refused / seconds,
        p50_ms: percentile(report.signInMs, 0.5),
        p99_ms: percentile(report.signInMs, 0.99),
        healthz_p50_ms: percentile(report.healthMs, 0.5),
        healthz_p99_ms: percentile(report.healthMs, 0.99),
      })
    }
    return figures
  } finally {
    close()
  }
}

/** Opens customers who sign in with PASSWORD, and returns their emails. */
export async function openPeopleWithPassword(deps: Deps, count: number): Promise<string[]> {
  const passwordHash = await hashPassword(PASSWORD)
  const emails = Array.from({ length: count }, () => `bench.${randomUUID()}@example.com`)
  await inTransaction(deps.db, async (trx) => {
    for (const email of emails)
      await createCustomerWithin(deps, trx, { fullName: 'Bench Customer', email, passwordHash })
  })
  return emails
}
