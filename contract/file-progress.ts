import type { StatementFormat } from '#contract/statement-formats.ts'

/** The header in which the bank says beforehand how many transactions a file will have. */
export const TRANSACTIONS_HEADER = 'alder-transactions'

/** The header with how many they are. */
export const saysHowMany = (transactions: number) => ({ [TRANSACTIONS_HEADER]: String(transactions) })

/** A text that a file has once for every `each` of its transactions: by counting it, the browser knows how far the file has come. */
export type Mark = { text: string; each: number }

/** The lines of a PDF are compressed, so it says itself, in a comment that no reader shows, how many have gone by. */
export const PDF_MARK: Mark = { text: '%Alder: 50 more lines\n', each: 50 }

export const STATEMENT_MARKS: Record<StatementFormat, Mark> = {
  pdf: PDF_MARK,
  csv: { text: '\r\ntransaction', each: 1 },
  ofx: { text: '<STMTTRN>', each: 1 },
  camt: { text: '<Ntry>', each: 1 },
}

/** Of everything that the bank holds about a customer, as JSON. */
export const EXPORT_MARK: Mark = { text: '"balanceAfterMinor":', each: 1 }
