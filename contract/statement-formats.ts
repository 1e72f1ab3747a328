/** The transactions that a statement has at most. */
export const STATEMENT_LINES = 10_000

/** What a statement can be had as; `camt` is camt.053.001.08 of ISO 20022, `ofx` OFX 2.1.1. */
export const STATEMENT_FORMATS = ['pdf', 'csv', 'ofx', 'camt'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]

/** The name of a statement's file ends in this. */
const FILE_ENDINGS: Record<StatementFormat, string> = { pdf: 'pdf', csv: 'csv', ofx: 'ofx', camt: 'xml' }

/** A statement's file is called this: 'Alder-2026-08-01-2026-08-28.pdf'. */
export const statementFileName = ({ from, to }: { from: string; to: string }, format: StatementFormat): string =>
  `Alder-${from}-${to}.${FILE_ENDINGS[format]}`

/** The largest statement of another bank, in bytes, and the request that it comes in, as base64. */
export const MAX_IMPORT_BYTES = 1024 * 1024
export const MAX_IMPORT_CONTENT = Math.ceil(MAX_IMPORT_BYTES / 3) * 4 + 64 * 1024
export const MAX_IMPORT_BODY = MAX_IMPORT_CONTENT + 16 * 1024
/** The payments in one of them, and the imports and payments of one customer. */
export const IMPORT_ROWS = 5_000
export const IMPORTS_MOST = 50
export const IMPORTED_ROWS_MOST = 50_000
/** An amount beyond this is no private payment: minor units. */
export const IMPORT_AMOUNT_MOST = 100_000_000_00
/** The columns of a table that are looked at. */
export const IMPORT_COLUMNS = 50

export const DATE_FORMATS = ['ymd', 'dmy', 'mdy'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]
export const DECIMAL_MARKS = ['.', ','] as const
export type DecimalMark = (typeof DECIMAL_MARKS)[number]
/** How the amount of something that was paid for is signed. */
export const SPENDING_SIGNS = ['negative', 'positive'] as const
