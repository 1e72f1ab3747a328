import type { StatementFormat } from '#contract/statement-formats.ts'

/** The response header with the number of transactions in the file, sent before the file itself. */
export const TRANSACTIONS_HEADER = 'alder-transactions'

/** Returns the header with the number of transactions. */
export const transactionsHeader = (transactions: number) => ({ [TRANSACTIONS_HEADER]: String(transactions) })

/**
 * A text that a file contains once for every `each` transactions. The browser counts the text to show the progress of the
 * download.
 */
export type ProgressMark = { text: string; each: number }

/**
 * The lines of a PDF are compressed, so the browser cannot count them. The PDF therefore has a comment after every 50 lines,
 * which PDF readers do not show.
 */
export const PDF_MARK: ProgressMark = { text: '%Alder: 50 more lines\n', each: 50 }

export const STATEMENT_MARKS: Record<StatementFormat, ProgressMark> = {
  pdf: PDF_MARK,
  csv: { text: '\r\ntransaction', each: 1 },
  ofx: { text: '<STMTTRN>', each: 1 },
  camt: { text: '<Ntry>', each: 1 },
}

/** The progress mark of the export of all data about a customer, which is a JSON file. */
export const EXPORT_MARK: ProgressMark = { text: '"balanceAfterMinor":', each: 1 }
