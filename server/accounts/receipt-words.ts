import type { Transaction } from '#contract/accounts.ts'
import { methodSaid, nameSaid } from '#contract/said.ts'
import { pageOf } from '#server/platform/pdf/words.ts'
import type { Translator } from '#server/platform/translations.ts'

/** A receipt in words; what draws it has only to place them. All it states comes from the ledger. */
export type Receipt = {
  /** What the words are in. */
  language: string
  /** What the file is called where it is shown. */
  title: string
  heading: string
  name: string
  amount: string
  status: string
  completed: boolean
  /** Each with its label. */
  rows: [label: string, value: string][]
  footer: string
  pageOf: string
  /** Business time. */
  bookedAt: string
}

type Stated = { transaction: Transaction; holderName: string }

/** Puts a transaction into the words of a receipt, in the language of `say`. */
export function receiptWords(say: Translator, { transaction, holderName }: Stated): Receipt {
  const { amountMinor, asset, status, transactionId, bookedAt } = transaction
  const { i18n } = say
  return {
    language: say.language,
    title: i18n._({ id: 'receipt.title', message: 'Receipt {transactionId}', values: { transactionId } }),
    heading: i18n._({ id: 'receipt.heading', message: 'Receipt' }),
    name: nameSaid(say.textOf, transaction.name),
    amount: i18n._({
      id: 'receipt.amount',
      message: '{amount} {currency}',
      comment: '−$1,234.50 USD',
      values: { amount: say.amount(amountMinor, asset, { sign: 'always' }), currency: asset },
    }),
    status: say.textOf('transaction_status', status),
    completed: status === 'completed',
    rows: rowsOf(say, { transaction, holderName }),
    footer: i18n._({
      id: 'receipt.footer',
      message: 'Issued by Alder. If you have a question about this payment, please quote its transaction ID.',
    }),
    pageOf: pageOf(say),
    bookedAt,
  }
}

function rowsOf(say: Translator, { transaction, holderName }: Stated): Receipt['rows'] {
  const { i18n } = say
  const name = nameSaid(say.textOf, transaction.name)
  const [from, to] = transaction.amountMinor < 0 ? [holderName, name] : [name, holderName]
  const rows: Receipt['rows'] = [
    [i18n._({ id: 'receipt.from', message: 'From' }), from],
    [i18n._({ id: 'receipt.to', message: 'To' }), to],
    [i18n._({ id: 'receipt.date', message: 'Date & Time' }), say.moment(transaction.bookedAt)],
    [i18n._({ id: 'receipt.status', message: 'Status' }), say.textOf('transaction_status', transaction.status)],
    [i18n._({ id: 'receipt.category', message: 'Category' }), say.textOf('category', transaction.category)],
    [i18n._({ id: 'receipt.method', message: 'Payment Method' }), methodSaid(say.textOf, transaction.paymentMethod)],
  ]
  if (transaction.note) rows.push([i18n._({ id: 'receipt.note', message: 'Note' }), transaction.note])
  rows.push(
    [i18n._({ id: 'receipt.transaction_id', message: 'Transaction ID' }), transaction.transactionId],
    [i18n._({ id: 'receipt.reference', message: 'Reference' }), transaction.reference],
  )
  return rows
}
