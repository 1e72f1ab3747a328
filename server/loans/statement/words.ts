import { effectiveRateBps } from '#contract/effective-rate.ts'
import { LOAN_TERMS } from '#contract/loan-terms.ts'
import type { LoanDetails, LoanPayment } from '#contract/loans.ts'
import { pageOf } from '#server/platform/pdf/words.ts'
import type { Translator } from '#server/platform/translations.ts'

type Table = { heading: string; columns: string[]; rows: string[][] }

/** A statement of a loan in words; what draws it has only to place them. */
export type LoanStatement = {
  /** What the words are in. */
  language: string
  title: string
  heading: string
  /** Each with its label. */
  terms: [label: string, value: string][]
  /** What is owed for what, and in all. */
  owed: [label: string, value: string][]
  tables: Table[]
  footer: string
  pageOf: string
  /** Business time. */
  madeAt: string
}

type Stated = { loan: LoanDetails; holderName: string; madeAt: string }

/** Puts a loan into the words of a statement, in the language of `say`. */
export function statementWords(say: Translator, { loan, holderName, madeAt }: Stated): LoanStatement {
  const { i18n } = say
  return {
    language: say.language,
    title: i18n._({
      id: 'loan_statement.title',
      message: 'Loan statement, {day}',
      comment: 'day: "September 11, 2026"',
      values: { day: say.day(madeAt) },
    }),
    heading: i18n._({ id: 'loan_statement.heading', message: 'Loan statement' }),
    terms: termsOf(say, { loan, holderName, madeAt }),
    owed: owedOf(say, loan),
    tables: [paymentTable(say, loan), scheduleTable(say, loan)].filter(({ rows }) => rows.length > 0),
    footer: i18n._({
      id: 'loan_statement.footer',
      message: 'Issued by Alder. Interest accrues daily on the principal, for actual days.',
    }),
    pageOf: pageOf(say),
    madeAt,
  }
}

function termsOf(say: Translator, { loan, holderName, madeAt }: Stated): LoanStatement['terms'] {
  const { i18n } = say
  const amount = (minor: number) => say.amount(minor, 'USD')
  const percent = new Intl.NumberFormat(say.language, { style: 'percent', maximumFractionDigits: 2 })
  // A day's rate has more digits than anybody reads; those that tell one loan from another are written.
  const daily = new Intl.NumberFormat(say.language, { style: 'percent', maximumFractionDigits: 10 })
  const rate = (bps: number) => percent.format(`${bps}E-4` as Intl.StringNumericLiteral)
  const dailyRate = daily.format(`${loan.dailyRateE12}E-12` as Intl.StringNumericLiteral)
  return [
    [i18n._({ id: 'loan_statement.borrower', message: 'Borrower' }), holderName],
    [i18n._({ id: 'loan_statement.number', message: 'Loan number' }), loan.id],
    [i18n._({ id: 'loan_statement.as_of', message: 'As of' }), say.day(madeAt)],
    [i18n._({ id: 'statement.zone', message: 'Time zone' }), say.zone()],
    [i18n._({ id: 'loan_statement.borrowed', message: 'Amount borrowed' }), amount(loan.amountMinor)],
    [i18n._({ id: 'loan_statement.paid_out', message: 'Paid out on' }), say.day(loan.disbursedOn)],
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
    [i18n._({ id: 'loan_statement.daily_rate', message: 'Interest a day' }), dailyRate],
    [i18n._({ id: 'loan_statement.instalment', message: 'Monthly installment' }), amount(loan.instalmentMinor)],
    ...lastTerm(say, loan),
    [
      i18n._({ id: 'loan_statement.late_fee', message: 'Late fee' }),
      i18n._({
        id: 'loan_statement.late_fee_terms',
        message: '{share} of what is missing, {most} at most, if it is more than 10 days late',
        comment: 'Of an instalment; share: "5%", most: "$15.00"',
        values: { share: rate(LOAN_TERMS.lateFeeBps), most: amount(LOAN_TERMS.lateFeeMostMinor) },
      }),
    ],
  ]
}

function owedOf(say: Translator, { owed }: LoanDetails): LoanStatement['owed'] {
  const { i18n } = say
  const amount = (minor: number) => say.amount(minor, 'USD')
  return [
    [i18n._({ id: 'loan_statement.owed_principal', message: 'Principal owed' }), amount(owed.principalMinor)],
    [i18n._({ id: 'loan_statement.owed_interest', message: 'Interest owed' }), amount(owed.interestMinor)],
    [i18n._({ id: 'loan_statement.owed_fees', message: 'Fees owed' }), amount(owed.feesMinor)],
    [i18n._({ id: 'loan_statement.owed', message: 'Owed in all' }), amount(owed.totalMinor)],
  ]
}

/** The last instalment takes what the others are off, and the interest of a pause. */
function lastTerm(say: Translator, { lastAmountMinor, lastDueOn }: LoanDetails): LoanStatement['terms'] {
  if (lastAmountMinor === null || lastDueOn === null) return []
  const value = say.i18n._({
    id: 'loan_statement.amount_on',
    message: '{amount} on {day}',
    comment: 'The last instalment: "$223.55 on August 28, 2028"',
    values: { amount: say.amount(lastAmountMinor, 'USD'), day: say.day(lastDueOn) },
  })
  return [[say.i18n._({ id: 'loan_statement.last_instalment', message: 'Last installment' }), value]]
}

type Amounts = Pick<LoanPayment, 'amountMinor' | 'principalMinor' | 'interestMinor' | 'feesMinor'>

const columnsOf = ({ i18n }: Translator): string[] => [
  i18n._({ id: 'loan_statement.date', message: 'Date' }),
  i18n._({ id: 'loan_statement.amount', message: 'Amount' }),
  i18n._({ id: 'loan_statement.principal', message: 'Principal' }),
  i18n._({ id: 'loan_statement.interest', message: 'Interest' }),
  i18n._({ id: 'loan_statement.fees', message: 'Fees' }),
]

const rowOf = (say: Translator, day: string, amounts: Amounts): string[] => [
  say.day(day),
  ...[amounts.amountMinor, amounts.principalMinor, amounts.interestMinor, amounts.feesMinor].map((minor) =>
    say.amount(minor, 'USD'),
  ),
]

function paymentTable(say: Translator, { payments }: LoanDetails): Table {
  return {
    heading: say.i18n._({ id: 'loan_statement.payments', message: 'Paid' }),
    columns: columnsOf(say),
    rows: payments.toReversed().map((payment) => rowOf(say, payment.paidOn, payment)),
  }
}

function scheduleTable(say: Translator, { schedule }: LoanDetails): Table {
  return {
    heading: say.i18n._({ id: 'loan_statement.schedule', message: 'To be paid' }),
    columns: columnsOf(say),
    rows: schedule.map((instalment) => rowOf(say, instalment.dueOn, instalment)),
  }
}
