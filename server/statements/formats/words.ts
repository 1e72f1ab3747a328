import { pageNumberText } from '#server/platform/pdf/page-number.ts'
import type { Translator } from '#server/platform/translations.ts'
import type { AccountStatement } from '#server/statements/reading/statement.ts'

/** The headings and other fixed texts of a printed statement. */
export type StatementWords = {
  title: string
  heading: string
  facts: [label: string, value: string][]
  sums: [label: string, value: string][]
  columns: [date: string, description: string, amount: string, balance: string]
  opening: string
  closing: string
  nothing: string
  footer: string
  pageOf: string
}

export function statementWords(translator: Translator, statement: AccountStatement): StatementWords {
  const { i18n, day, zone, amount } = translator
  const { range, asset } = statement
  const [firstDay, lastDay] = [day(range.from), day(range.to)]
  const money = (minor: number) => amount(minor, asset)
  const labels = {
    opening: i18n._({ id: 'statement.opening', message: 'Opening balance' }),
    closing: i18n._({ id: 'statement.closing', message: 'Closing balance' }),
  }
  const { routingNumber } = statement
  const routing: StatementWords['facts'] =
    routingNumber === null ? [] : [[i18n._({ id: 'statement.routing', message: 'Routing number' }), routingNumber]]
  return {
    title: i18n._({
      id: 'statement.title',
      message: 'Statement, {from} to {to}',
      comment: '{from} and {to} are dates, such as September 1, 2026',
      values: { from: firstDay, to: lastDay },
    }),
    heading: i18n._({ id: 'statement.heading', message: 'Account statement' }),
    facts: [
      [i18n._({ id: 'statement.holder', message: 'Account holder' }), statement.holderName],
      [i18n._({ id: 'statement.account', message: 'Account' }), statement.accountName],
      [i18n._({ id: 'statement.number', message: 'Account number' }), statement.accountNumber],
      ...routing,
      [
        i18n._({ id: 'statement.period', message: 'Period' }),
        i18n._({ id: 'statement.from_to', message: '{from} to {to}', values: { from: firstDay, to: lastDay } }),
      ],
      [i18n._({ id: 'statement.zone', message: 'Time zone' }), zone()],
      [i18n._({ id: 'statement.made', message: 'Issued on' }), day(statement.madeAt)],
    ],
    sums: [
      [labels.opening, money(statement.openingMinor)],
      [i18n._({ id: 'statement.in', message: 'Money in' }), money(statement.inMinor)],
      [i18n._({ id: 'statement.out', message: 'Money out' }), money(statement.outMinor)],
      [labels.closing, money(statement.closingMinor)],
    ],
    columns: [
      i18n._({ id: 'statement.date', message: 'Date' }),
      i18n._({ id: 'statement.description', message: 'Description' }),
      i18n._({ id: 'statement.amount', message: 'Amount' }),
      i18n._({ id: 'statement.balance', message: 'Balance' }),
    ],
    ...labels,
    nothing: i18n._({ id: 'statement.nothing', message: 'There were no transactions in this period.' }),
    footer: i18n._({ id: 'statement.footer', message: 'Issued by Alder.' }),
    pageOf: pageNumberText(translator),
  }
}
