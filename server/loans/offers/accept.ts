import { dueDays } from '#server/loans/terms/due-days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { lockOpenCustomer } from '#server/identity/customers/lock.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import type { AccountId } from '#server/ledger/types.ts'
import { readCreditStanding } from '#server/loans/credit/pre-approval.ts'
import { lockApplication } from '#server/loans/offers/apply.ts'
import { checkVerified } from '#server/limits/verification.ts'
import { planCollection } from '#server/loans/repaying/jobs.ts'
import { type LoanPlan, loanPlanOf } from '#server/loans/terms/schedule.ts'
import { sendMail } from '#server/mail/service.ts'
import { notify } from '#server/notifications/service.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

type Trx = Transaction<Database>
type Application = Selectable<Database['bank.loan_application']>

/**
 * Accepts an offer, pays the loan out and returns the loan's id. Throws Refusal `not_found`, `verification_required`,
 * `loan_not_offered`, `loan_offer_expired`, `loan_limit_fell` if the customer's limit is now lower, and the ledger's
 * refusals.
 */
export async function acceptOffer(
  deps: Deps,
  customer: Customer,
  applicationId: string,
  key: RequestKey,
): Promise<string> {
  await runOnce(deps, key, async (trx) => {
    await lockOpenCustomer(trx, customer.id)
    const application = await lockApplication(trx, customer.id, applicationId)
    await checkOffer(deps, trx, customer, application)
    await disburse(deps, trx, { customer, application, key })
    const { amount_minor: amountMinor } = application
    await tellDisbursed(deps, trx, customer, amountMinor)
  })
  return key.operationId
}

async function checkOffer(deps: Deps, trx: Trx, customer: Customer, application: Application): Promise<void> {
  checkVerified(deps, customer)
  const { status, expires_at: expiresAt, amount_minor: amountMinor } = application
  if (status === 'expired') throw new Refusal('loan_offer_expired')
  if (status !== 'offered' || expiresAt === null) throw new Refusal('loan_not_offered')
  if (expiresAt <= deps.clock.businessNow()) throw new Refusal('loan_offer_expired')
  const { limitMinor } = await readCreditStanding(deps, trx, customer)
  if (amountMinor > limitMinor) throw new Refusal('loan_limit_fell')
}

type Disbursement = { customer: Customer; application: Application; key: RequestKey }

/** Opens the loan's accounts, pays the loan out, and fixes its schedule from today on. The loan's id is the request's key. */
async function disburse(deps: Deps, trx: Trx, { customer, application, key }: Disbursement): Promise<void> {
  const { amount_minor: amountMinor, months, apr_bps: aprBps } = application
  const bookedAt = deps.clock.businessNow()
  const disbursedOn = dayOf(bookedAt)
  const plan = loanPlanOf({ amountMinor, months, aprBps }, { disbursedOn, dueDays: dueDays(disbursedOn, months) })
  const [principal, interest, fees] = await openLoanAccounts(trx, customer.id, amountMinor)
  const { operationId: id, fingerprint } = key
  const detail = { label: 'loan.disbursed', category: 'loan' } as const
  const [booked] = await deps.ledger.postWithin(runIn(trx), [
    {
      id,
      kind: 'loan.disburse',
      fingerprint,
      bookedAt,
      legs: [{ kind: 'transfer', debit: principal, credit: customer.currentAccountId, amountMinor, detail }],
    },
  ])
  // A replayed operation must not pay the loan out again.
  if (booked?.replayed) throw new Refusal('idempotency_key_reused')
  await keepLoan(trx, {
    id,
    customerId: customer.id,
    application,
    plan,
    bookedAt,
    accounts: { principal, interest, fees },
  })
  await trx.updateTable('bank.loan_application').set({ status: 'accepted' }).where('id', '=', application.id).execute()
  await planCollection(trx, { customerId: customer.id, loanId: id })
}

/**
 * Opens the loan's accounts. Each account's floor limits its debt to the borrowed amount. Interest and fees stay far below this
 * limit.
 */
async function openLoanAccounts(
  trx: Trx,
  holderId: string,
  amountMinor: number,
): Promise<[AccountId, AccountId, AccountId]> {
  const account = { holderId, code: 'loan' as const, asset: 'USD' as const, floorMinor: -amountMinor }
  const [principal, interest, fees] = await openAccounts(runIn(trx), [account, account, account])
  if (principal === undefined || interest === undefined || fees === undefined)
    throw new Error('No accounts were opened')
  return [principal, interest, fees]
}

type NewLoan = {
  id: string
  customerId: string
  application: Application
  plan: LoanPlan
  bookedAt: Date
  accounts: { principal: AccountId; interest: AccountId; fees: AccountId }
}

async function keepLoan(trx: Trx, { id, customerId, application, plan, bookedAt, accounts }: NewLoan): Promise<void> {
  const disbursedOn = dayOf(bookedAt)
  await trx
    .insertInto('bank.loan')
    .values({
      id,
      application_id: application.id,
      customer_id: customerId,
      principal_account_id: accounts.principal,
      interest_account_id: accounts.interest,
      fees_account_id: accounts.fees,
      amount_minor: plan.amountMinor,
      months: application.months,
      apr_bps: plan.aprBps,
      daily_rate_e12: plan.dailyRateE12,
      instalment_minor: plan.instalmentMinor,
      disbursed_at: bookedAt,
      disbursed_on: disbursedOn,
      accrued_to: disbursedOn,
    })
    .execute()
  await trx
    .insertInto('bank.loan_instalment')
    .values(plan.dues.map(({ number, dueOn }) => ({ loan_id: id, number, due_on: dueOn })))
    .execute()
}

async function tellDisbursed(deps: Deps, trx: Trx, customer: Customer, amountMinor: number): Promise<void> {
  const money = { amountMinor, asset: 'USD' as const }
  await notify(deps, trx, { customerId: customer.id, kind: 'loan_disbursed', params: money })
  const { email: to, fullName } = customer
  if (!customer.emailConfirmed) return
  await sendMail(deps, trx, { to, customerId: customer.id, kind: 'loan_disbursed', params: { fullName, ...money } })
}
