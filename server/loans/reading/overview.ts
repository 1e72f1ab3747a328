import { dueDays } from '#server/loans/terms/due-days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { DecisionReason, LoanApplication, LoanOffer, LoanOverview } from '#contract/loans.ts'
import { bandOf } from '#server/loans/credit/scorecard.ts'
import { type Loan, readLoan } from '#server/loans/loan/loan.ts'
import { mustVerify } from '#server/limits/verification.ts'
import { loanOn } from '#server/loans/reading/details.ts'
import { balanceAtPayout, loanPlanOf, scheduleOf } from '#server/loans/terms/schedule.ts'
import { inTransaction } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'

type Trx = Transaction<Database>
type ApplicationRow = Selectable<Database['bank.loan_application']>

/** The largest number of ended loans in the list. */
const MAX_PAST_LOANS = 20

/** Returns a customer's loans, and their latest application unless it was accepted or withdrawn. */
export function loanOverview(
  deps: Pick<Deps, 'db' | 'clock' | 'policy'>,
  customer: { id: string; verified: boolean },
): Promise<LoanOverview> {
  const { id: customerId } = customer
  const now = deps.clock.businessNow()
  const today = dayOf(now)
  return inTransaction(deps.db, async (trx) => {
    const loans = [...(await openLoanOf(trx, customerId)), ...(await pastLoansOf(trx, customerId))]
    const latest = await trx
      .selectFrom('bank.loan_application')
      .selectAll()
      .where('customer_id', '=', customerId)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    const application = latest ? applicationOf(latest, null, now) : null
    const isOver = application?.status === 'accepted' || application?.status === 'withdrawn'
    return {
      today,
      mustVerify: mustVerify(deps, customer),
      application: isOver ? null : application,
      loans: loans.map((loan) => loanOn(loan, today).summary),
    }
  })
}

async function openLoanOf(trx: Trx, customerId: string): Promise<Loan[]> {
  const row = await trx
    .selectFrom('bank.loan')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  const loan = row ? await readLoan(trx, customerId, row.id) : null
  return loan ? [loan] : []
}

/** Returns the newest of a customer's ended loans. Their debt is zero. */
async function pastLoansOf(trx: Trx, customerId: string): Promise<Loan[]> {
  const rows = await trx
    .selectFrom('bank.loan')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('closed_at', 'is not', null)
    .orderBy('closed_at', 'desc')
    .orderBy('disbursed_at', 'desc')
    .limit(MAX_PAST_LOANS)
    .execute()
  return rows.map((row) => ({ row, balance: balanceAtPayout(0, row.accrued_to), dues: [] }))
}

/** Returns a customer's application. Throws Refusal `not_found`. */
export async function readApplication(
  deps: Pick<Deps, 'db' | 'clock'>,
  customerId: string,
  applicationId: string,
): Promise<LoanApplication> {
  const row = await deps.db
    .selectFrom('bank.loan_application as a')
    .leftJoin('bank.loan as l', 'l.application_id', 'a.id')
    .selectAll('a')
    .select('l.id as loan_id')
    .where('a.id', '=', applicationId)
    .where('a.customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return applicationOf(row, row.loan_id, deps.clock.businessNow())
}

export function applicationOf(row: ApplicationRow, loanId: string | null, now: Date): LoanApplication {
  const hasRunOut = row.status === 'offered' && row.expires_at !== null && row.expires_at <= now
  const status = hasRunOut ? 'expired' : row.status
  return {
    id: row.id,
    status,
    amountMinor: row.amount_minor,
    asset: 'USD',
    months: row.months,
    createdAt: row.created_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
    decision: decisionOf(row),
    offer: status === 'offered' ? offerOf(row, now) : null,
    loanId,
  }
}

function decisionOf({ score, limit_minor: limitMinor, reasons }: ApplicationRow): LoanApplication['decision'] {
  if (score === null || limitMinor === null) return null
  return { score, band: bandOf(score), limitMinor, reasons: (reasons ?? []) as DecisionReason[] }
}

/** Returns the terms of an offer as if the loan were paid out now, or null if the application has no offer. */
function offerOf(row: ApplicationRow, now: Date): LoanOffer | null {
  if (row.expires_at === null) return null
  const disbursedOn = dayOf(now)
  const terms = { amountMinor: row.amount_minor, months: row.months, aprBps: row.apr_bps }
  const plan = loanPlanOf(terms, { disbursedOn, dueDays: dueDays(disbursedOn, row.months) })
  const { aprBps, dailyRateE12, instalmentMinor, totalMinor, interestMinor } = plan
  const schedule = scheduleOf(balanceAtPayout(row.amount_minor, disbursedOn), plan.dues, {
    ...plan,
    today: disbursedOn,
  })
  const expiresAt = row.expires_at.toISOString()
  return { aprBps, dailyRateE12, instalmentMinor, totalMinor, interestMinor, expiresAt, schedule }
}
