import { randomUUIDv7 } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Suitability, SuitabilityAnswers } from '#contract/investing.ts'
import { INVESTMENT_OPTIONS, type Risk, RISK_NOTICE_VERSION, RISKS, SUITABILITY } from '#contract/investment-terms.ts'
import type { Fund } from '#contract/markets.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { checkVerified } from '#server/limits/verification.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Returns the risk that suits a customer. The most careful of their answers decides. */
function suitableRisk({ horizon, loss, reserves }: SuitabilityAnswers): Risk {
  const places = [
    SUITABILITY.horizon.indexOf(horizon),
    SUITABILITY.loss.indexOf(loss),
    SUITABILITY.reserves.indexOf(reserves),
  ]
  return RISKS[Math.min(...places)] ?? 'low'
}

/** Stores a customer's answers. They apply from now on; earlier answers stay stored. */
export async function answerSuitability(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  answers: SuitabilityAnswers,
): Promise<Suitability> {
  const [result, answeredAt] = [suitableRisk(answers), clock.businessNow()]
  await db
    .insertInto('bank.suitability')
    .values({ id: randomUUIDv7(), customer_id: customerId, ...answers, result, answered_at: answeredAt })
    .execute()
  return { answers, result, answeredAt: answeredAt.toISOString() }
}

/** Returns a customer's latest answers, or null if there are none. */
export async function suitabilityOf(db: Kysely<Database>, customerId: string): Promise<Suitability | null> {
  const row = await db
    .selectFrom('bank.suitability')
    .selectAll()
    .where('customer_id', '=', customerId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { horizon, loss, reserves, result } = row
  return { answers: { horizon, loss, reserves }, result, answeredAt: row.answered_at.toISOString() }
}

/**
 * Records that a customer has accepted the risk notice. Throws Refusal `risk_not_accepted` for a version other than the current
 * one.
 */
export async function acceptRisk(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  version: number,
): Promise<void> {
  if (version !== RISK_NOTICE_VERSION) throw new Refusal('risk_not_accepted', 'version')
  await db
    .insertInto('bank.risk_acceptance')
    .values({ customer_id: customerId, version, accepted_at: clock.businessNow() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns whether a customer has accepted the current version of the risk notice. */
export async function hasAcceptedRisk(db: Kysely<Database>, customerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('bank.risk_acceptance')
    .select('version')
    .where('customer_id', '=', customerId)
    .where('version', '=', RISK_NOTICE_VERSION)
    .executeTakeFirst()
  return row !== undefined
}

export const SUITABILITY_REFUSALS = [
  'verification_required',
  'suitability_needed',
  'risk_not_accepted',
  'unsuitable_fund',
] as const

/**
 * Checks that a customer may buy a fund. Throws Refusal `verification_required`, `suitability_needed` and `risk_not_accepted`.
 * Throws `unsuitable_fund` if the fund's risk is above the suitable one and the customer has not accepted this explicitly.
 */
export async function checkMayBuy(
  deps: Pick<Deps, 'db' | 'policy'>,
  customer: Pick<Customer, 'id' | 'verified'>,
  { fund, acceptsMismatch = false }: { fund: Fund; acceptsMismatch?: boolean | undefined },
): Promise<void> {
  checkVerified(deps, customer)
  const [suitability, acceptance] = await Promise.all([
    suitabilityOf(deps.db, customer.id),
    hasAcceptedRisk(deps.db, customer.id),
  ])
  if (!suitability) throw new Refusal('suitability_needed')
  if (!acceptance) throw new Refusal('risk_not_accepted')
  const risk = INVESTMENT_OPTIONS.find((option) => option.fund === fund)?.risk ?? 'high'
  const isSuitable = RISKS.indexOf(risk) <= RISKS.indexOf(suitability.result)
  if (!isSuitable && !acceptsMismatch) throw new Refusal('unsuitable_fund', 'fund')
}

/** Returns all answers and acceptances of a customer, for the download of their data. */
export async function exportSuitability({ db }: Pick<Deps, 'db'>, customerId: string) {
  const [answers, acceptances] = await Promise.all([
    db.selectFrom('bank.suitability').selectAll().where('customer_id', '=', customerId).orderBy('id').execute(),
    db.selectFrom('bank.risk_acceptance').selectAll().where('customer_id', '=', customerId).execute(),
  ])
  return {
    answers: answers.map(({ horizon, loss, reserves, result, answered_at: answeredAt }) => ({
      horizon,
      loss,
      reserves,
      result,
      answeredAt: answeredAt.toISOString(),
    })),
    riskNotices: acceptances.map(({ version, accepted_at: acceptedAt }) => ({
      version,
      acceptedAt: acceptedAt.toISOString(),
    })),
  }
}
