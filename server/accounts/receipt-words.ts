import type { Transaction } from '#contract/accounts.ts'
import { methodTextIn, nameTextIn } from '#contract/code-texts.ts'
import { pageNumberText } from '#server/platform/pdf/page-number.ts'
import type { Translator } from '#server/platform/translations.ts'

/** The texts of a receipt, ready to be drawn. All its facts come from the ledger. */
export type Receipt = {
  /** The language of the texts. */
  language: string
  /** The title of the file in a viewer. */
  title: string
  heading: string
  name: string
  amount: string
  status: string
  completed: boolean
  rows: [label: string, value: string][]
  footer: string
  pageOf: string
  /** The business time. */
  bookedAt: string
}

type ReceiptContent = { transaction: Transaction; holderName: string }

/** Returns the receipt of a transaction in the language of `translator`. */
export function receiptWords(translator: Translator, { transaction, holderName }: ReceiptContent): Receipt {
  const { amountMinor, asset, status, transactionId, bookedAt } = transaction
  const { i18n } = translator
  return {
    language: translator.language,
    title: i18n._({ id: 'receipt.title', message: 'Receipt {transactionId}', values: { transactionId } }),
    heading: i18n._({ id: 'receipt.heading', message: 'Receipt' }),
    name: nameTextIn(translator.textOf, transaction.name),
    amount: i18n._({
      id: 'receipt.amount',
      message: '{amount} {currency}',
      comment: 'Example: −$1,234.50 USD',
      values: { amount: translator.amount(amountMinor, asset, { sign: 'always' }), currency: asset },
    }),
    status: translator.textOf('transaction_status', status),
    completed: status === 'completed',
    rows: rowsOf(translator, { transaction, holderName }),
    footer: i18n._({
      id: 'receipt.footer',
      message: 'Issued by Alder. If you have a question about this payment, please include its transaction ID.',
    }),
    pageOf: pageNumberText(translator),
    bookedAt,
  }
}

function rowsOf(translator: Translator, { transaction, holderName }: ReceiptContent): Receipt['rows'] {
  const { i18n } = translator
  const name = nameTextIn(translator.textOf, transaction.name)
  const [payerName, payeeName] = transaction.amountMinor < 0 ? [holderName, name] : [name, holderName]
  const rows: Receipt['rows'] = [
    [i18n._({ id: 'receipt.from', message: 'From' }), payerName],
    [i18n._({ id: 'receipt.to', message: 'To' }), payeeName],
    [i18n._({ id: 'receipt.date', message: 'Date & Time' }), translator.moment(transaction.bookedAt)],
    [i18n._({ id: 'receipt.status', message: 'Status' }), translator.textOf('transaction_status', transaction.status)],
    [i18n._({ id: 'receipt.category', message: 'Category' }), translator.textOf('category', transaction.category)],
    [
      i18n._({ id: 'receipt.method', message: 'Payment Method' }),
      methodTextIn(translator.textOf, transaction.paymentMethod),
    ],
  ]
  if (transaction.note) rows.push([i18n._({ id: 'receipt.note', message: 'Note' }), transaction.note])
  rows.push(
    [i18n._({ id: 'receipt.transaction_id', message: 'Transaction ID' }), transaction.transactionId],
    [i18n._({ id: 'receipt.reference', message: 'Reference' }), transaction.reference],
  )
  return rows
}
