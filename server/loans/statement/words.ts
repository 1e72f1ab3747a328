import { effectiveRateBps } from '#contract/effective-rate.ts'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import type { LoanDetails, LoanPayment } from '#contract/loans.ts'
import { pageNumberText } from '#server/platform/pdf/page-number.ts'
import type { Translator } from '#server/platform/translations.ts'

type Table = { heading: string; columns: string[]; rows: string[][] }

/** The texts of a loan's statement, ready to be drawn. */
export type LoanStatement = {
  /** The language of the texts. */
  language: string
  title: string
  heading: string
  /** Each value with its label. */
  terms: [label: string, value: string][]
  /** The parts of the debt, and its total. */
  owed: [label: string, value: string][]
  tables: Table[]
  footer: string
  pageOf: string
  /** An instant in business time. */
  madeAt: string
}

type LoanStatementContent = { loan: LoanDetails; holderName: string; madeAt: string }

/** Returns the texts of a loan's statement, in the language of `translator`. */
export function loanStatementWords(
  translator: Translator,
  { loan, holderName, madeAt }: LoanStatementContent,
): LoanStatement {
  const { i18n } = translator
  return {
    language: translator.language,
    title: i18n._({
      id: 'loan_statement.title',
      message: 'Loan statement, {day}',
      comment: '{day} is a date, such as September 11, 2026',
      values: { day: translator.day(madeAt) },
    }),
    heading: i18n._({ id: 'loan_statement.heading', message: 'Loan statement' }),
    terms: termsOf(translator, { loan, holderName, madeAt }),
    owed: owedOf(translator, loan),
    tables: [paymentTable(translator, loan), scheduleTable(translator, loan)].filter(({ rows }) => rows.length > 0),
    footer: i18n._({
      id: 'loan_statement.footer',
      message: 'Issued by Alder. Interest accrues daily on the principal, based on the actual number of days.',
    }),
    pageOf: pageNumberText(translator),
    madeAt,
  }
}

function termsOf(translator: Translator, { loan, holderName, madeAt }: LoanStatementContent): LoanStatement['terms'] {
  const { i18n } = translator
  const amount = (minor: number) => translator.amount(minor, 'USD')
  const percent = new Intl.NumberFormat(translator.language, { style: 'percent', maximumFractionDigits: 2 })
  // The stored rate has 12 decimal places, so ten decimal places of a percentage show it exactly.
  const daily = new Intl.NumberFormat(translator.language, { style: 'percent', maximumFractionDigits: 10 })
  const rate = (bps: number) => percent.format(`${bps}E-4` as Intl.StringNumericLiteral)
  const dailyRate = daily.format(`${loan.dailyRateE12}E-12` as Intl.StringNumericLiteral)
  return [
    [i18n._({ id: 'loan_statement.borrower', message: 'Borrower' }), holderName],
    [i18n._({ id: 'loan_statement.number', message: 'Loan number' }), loan.id],
    [i18n._({ id: 'loan_statement.as_of', message: 'As of' }), translator.day(madeAt)],
    [i18n._({ id: 'statement.zone', message: 'Time zone' }), translator.zone()],
    [i18n._({ id: 'loan_statement.borrowed', message: 'Amount borrowed' }), amount(loan.amountMinor)],
    [i18n._({ id: 'loan_statement.paid_out', message: 'Paid out on' }), translator.day(loan.disbursedOn)],
    [
      i18n._({ id: 'loan_statement.term', message: 'Term' }),
      i18n._({
        id: 'loan_statement.months',
        message: '{months, plural, one {# month} other {# months}}',
        values: { months: loan.months },
      }),
    ],
    [i18n._({ id: 'loan_statement.apr', message: 'APR (fixed)' }), rate(loan.aprBps)],
    [
      i18n._({ id: 'loan_statement.effective_rate', message: 'Effective annual rate' }),
      rate(effectiveRateBps(loan.aprBps)),
    ],
    [i18n._({ id: 'loan_statement.daily_rate', message: 'Daily interest' }), dailyRate],
    [i18n._({ id: 'loan_statement.instalment', message: 'Monthly installment' }), amount(loan.instalmentMinor)],
    ...lastTerm(translator, loan),
    [
      i18n._({ id: 'loan_statement.late_fee', message: 'Late fee' }),
      i18n._({
        id: 'loan_statement.late_fee_terms',
        message: '{share} of the overdue amount, up to {most}, if it is more than 10 days late',
        comment:
          'The late fee of a loan payment. {share} is a percentage, such as 5%; {most} an amount, such as $15.00',
        values: { share: rate(LOAN_TERMS.lateFeeBps), most: amount(LOAN_TERMS.lateFeeMostMinor) },
      }),
    ],
  ]
}

function owedOf(translator: Translator, { owed }: LoanDetails): LoanStatement['owed'] {
  const { i18n } = translator
  const amount = (minor: number) => translator.amount(minor, 'USD')
  return [
    [i18n._({ id: 'loan_statement.owed_principal', message: 'Principal owed' }), amount(owed.principalMinor)],
    [i18n._({ id: 'loan_statement.owed_interest', message: 'Interest owed' }), amount(owed.interestMinor)],
    [i18n._({ id: 'loan_statement.owed_fees', message: 'Fees owed' }), amount(owed.feesMinor)],
    [i18n._({ id: 'loan_statement.owed', message: 'Total owed' }), amount(owed.totalMinor)],
  ]
}

/** The last installment may differ from the others, for example because of rounding or the interest of a pause. */
function lastTerm(translator: Translator, { lastAmountMinor, lastDueOn }: LoanDetails): LoanStatement['terms'] {
  if (lastAmountMinor === null || lastDueOn === null) return []
  const value = translator.i18n._({
    id: 'loan_statement.amount_on',
    message: '{amount} on {day}',
    comment: 'The last loan payment. Example: $223.55 on August 28, 2028',
    values: { amount: translator.amount(lastAmountMinor, 'USD'), day: translator.day(lastDueOn) },
  })
  return [[translator.i18n._({ id: 'loan_statement.last_instalment', message: 'Last installment' }), value]]
}

type Amounts = Pick<LoanPayment, 'amountMinor' | 'principalMinor' | 'interestMinor' | 'feesMinor'>

const columnsOf = ({ i18n }: Translator): string[] => [
  i18n._({ id: 'loan_statement.date', message: 'Date' }),
  i18n._({ id: 'loan_statement.amount', message: 'Amount' }),
  i18n._({ id: 'loan_statement.principal', message: 'Principal' }),
  i18n._({ id: 'loan_statement.interest', message: 'Interest' }),
  i18n._({ id: 'loan_statement.fees', message: 'Fees' }),
]

const rowOf = (translator: Translator, day: string, amounts: Amounts): string[] => [
  translator.day(day),
  ...[amounts.amountMinor, amounts.principalMinor, amounts.interestMinor, amounts.feesMinor].map((minor) =>
    translator.amount(minor, 'USD'),
  ),
]

function paymentTable(translator: Translator, { payments }: LoanDetails): Table {
  return {
    heading: translator.i18n._({ id: 'loan_statement.payments', message: 'Payments made' }),
    columns: columnsOf(translator),
    rows: payments.toReversed().map((payment) => rowOf(translator, payment.paidOn, payment)),
  }
}

function scheduleTable(translator: Translator, { schedule }: LoanDetails): Table {
  return {
    heading: translator.i18n._({ id: 'loan_statement.schedule', message: 'Upcoming payments' }),
    columns: columnsOf(translator),
    rows: schedule.map((installment) => rowOf(translator, installment.dueOn, installment)),
  }
}
