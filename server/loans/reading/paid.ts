import { Refusal } from '#contract/errors.ts'
import type { AcceptedLoan, LoanPaymentResult } from '#contract/loans.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Returns how a customer's payment was divided, and the principal left after it. Throws Refusal `not_found`. */
export async function readPaid(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  paymentId: string,
): Promise<LoanPaymentResult> {
  const row = await db
    .selectFrom('bank.loan_payment as p')
    .innerJoin('bank.loan as l', 'l.id', 'p.loan_id')
    .select(['p.principal_minor', 'p.interest_minor', 'p.fees_minor', 'l.amount_minor'])
    .select(({ selectFrom }) =>
      selectFrom('bank.loan_payment as other')
        .select(({ fn }) => fn.sum<string>('other.principal_minor').as('paid'))
        .whereRef('other.loan_id', '=', 'p.loan_id')
        .whereRef('other.place', '<=', 'p.place')
        .as('paid'),
    )
    .where('p.id', '=', paymentId)
    .where('l.customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  const { principal_minor: principalMinor, interest_minor: interestMinor, fees_minor: feesMinor } = row
  return {
    amountMinor: principalMinor + interestMinor + feesMinor,
    asset: 'USD',
    principalMinor,
    interestMinor,
    feesMinor,
    principalLeftMinor: row.amount_minor - Number(row.paid),
  }
}

/** Returns the loan that an accepted offer created. Throws Refusal `not_found`. */
export async function readAccepted(
  { db }: Pick<Deps, 'db'>,
  customerId: string,
  loanId: string,
): Promise<AcceptedLoan> {
  const row = await db
    .selectFrom('bank.loan')
    .select('amount_minor')
    .where('id', '=', loanId)
    .where('customer_id', '=', customerId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not_found')
  return { loanId, amountMinor: row.amount_minor, asset: 'USD' }
}
