/** The maximum number of transactions in the file of a statement. */
export const STATEMENT_LINES = 10_000

/** The file formats of a statement. `camt` is camt.053.001.08 of ISO 20022; `ofx` is OFX 2.1.1. */
export const STATEMENT_FORMATS = ['pdf', 'csv', 'ofx', 'camt'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]

/** The file name extensions of the formats. */
const FILE_ENDINGS: Record<StatementFormat, string> = { pdf: 'pdf', csv: 'csv', ofx: 'ofx', camt: 'xml' }

/** Returns the file name of a statement: 'Alder-2026-08-01-2026-08-28.pdf'. */
export const statementFileName = ({ from, to }: { from: string; to: string }, format: StatementFormat): string =>
  `Alder-${from}-${to}.${FILE_ENDINGS[format]}`

/**
 * The styles of a CSV, each with a separator and a decimal mark. A spreadsheet opens a CSV correctly by a double click only if
 * both match the spreadsheet's own locale.
 */
export const CSV_STYLES = ['comma', 'semicolon', 'semicolon_point'] as const
export type CsvStyle = (typeof CSV_STYLES)[number]
export const CSV_MARKS: Record<CsvStyle, { separator: ',' | ';'; decimal: '.' | ',' }> = {
  comma: { separator: ',', decimal: '.' },
  semicolon: { separator: ';', decimal: ',' },
  semicolon_point: { separator: ';', decimal: '.' },
}

/** Returns the usual CSV style of a language. Languages with a decimal comma use semicolons, and so does Arabic. */
export function csvStyleOf(language: string): CsvStyle {
  if (language === 'ar') return 'semicolon_point'
  return ['en', 'zh', 'ja'].includes(language) ? 'comma' : 'semicolon'
}

/**
 * The maximum sizes of an imported statement of another bank: the file in bytes, the file in base64 in characters, and the body
 * of the request in bytes. The base64 may be 64 KiB longer, so that the server can report a file that is a little too large.
 * The body has room for the other fields.
 */
export const MAX_IMPORT_BYTES = 1024 * 1024
export const MAX_IMPORT_CONTENT = Math.ceil(MAX_IMPORT_BYTES / 3) * 4 + 64 * 1024
export const MAX_IMPORT_BODY = MAX_IMPORT_CONTENT + 16 * 1024
/** The maximum number of payments in one import, and the maximum numbers of imports and imported payments of one customer. */
export const IMPORT_ROWS = 10_000
export const MAX_IMPORTS = 50
export const MAX_IMPORTED_ROWS = 50_000
/** The largest accepted amount, in minor units. A larger amount is not plausible for a private payment. */
export const MAX_IMPORT_AMOUNT = 100_000_000_00
/** The maximum number of table columns that are read. */
export const IMPORT_COLUMNS = 50

/**
 * The formats of dates. `ymd`, `dmy` and `mdy` give the order of year, month and day. `excel` is the number of days since 1900,
 * as in spreadsheets. `unix` is the number of seconds or milliseconds since 1970.
 */
export const DATE_FORMATS = ['ymd', 'dmy', 'mdy', 'excel', 'unix'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]
export const DECIMAL_MARKS = ['.', ','] as const
export type DecimalMark = (typeof DECIMAL_MARKS)[number]
/** The signs that the amounts of purchases may have in a file. */
export const SPENDING_SIGNS = ['negative', 'positive'] as const
export type SpendingSign = (typeof SPENDING_SIGNS)[number]

/** The supported encodings of a file, by their names in the Encoding Standard. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-15',
  'macintosh',
  'windows-1250',
  'iso-8859-2',
  'windows-1251',
  'koi8-r',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'gb18030',
  'shift_jis',
  'euc-jp',
  'big5',
  'euc-kr',
] as const
export type Encoding = (typeof ENCODINGS)[number]

/**
 * The questions that the customer must answer if the file does not contain the answer. `alike` is the question whether payments
 * are the same as payments imported earlier.
 */
export const IMPORT_QUESTIONS = ['columns', 'dateFormat', 'decimalMark', 'spending', 'fee', 'alike'] as const
export type ImportQuestion = (typeof IMPORT_QUESTIONS)[number]

/** The customer's choices for payments that may be duplicates of payments imported earlier. */
export const ALIKE_CHOICES = ['import', 'leave_out'] as const

/** The reasons why a line of a file is not imported. */
export const LEFT_OUT_REASONS = [
  'date',
  'future',
  'too_old',
  'amount',
  'amount_unsure',
  'zero',
  'currency',
  'direction',
  'pending',
  'reverted',
  'state',
  'balance',
] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]
/** The maximum number of lines without import that a preview lists. */
export const LEFT_OUT_SHOWN = 200
