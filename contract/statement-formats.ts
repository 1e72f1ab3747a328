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

/**
 * How a CSV parts its cells and writes decimals. A spreadsheet opens a file by a double click only where it does both as the
 * spreadsheet's own country does.
 */
export const CSV_STYLES = ['comma', 'semicolon', 'semicolon_point'] as const
export type CsvStyle = (typeof CSV_STYLES)[number]
export const CSV_MARKS: Record<CsvStyle, { separator: ',' | ';'; decimal: '.' | ',' }> = {
  comma: { separator: ',', decimal: '.' },
  semicolon: { separator: ';', decimal: ',' },
  semicolon_point: { separator: ';', decimal: '.' },
}

/** The usual one where a language is spoken: semicolons where the comma is the decimal mark, and in Arabic countries. */
export function csvStyleOf(language: string): CsvStyle {
  if (language === 'ar') return 'semicolon_point'
  return ['en', 'zh', 'ja'].includes(language) ? 'comma' : 'semicolon'
}

/** The largest statement of another bank, in bytes, and the request that it comes in, as base64. */
export const MAX_IMPORT_BYTES = 1024 * 1024
export const MAX_IMPORT_CONTENT = Math.ceil(MAX_IMPORT_BYTES / 3) * 4 + 64 * 1024
export const MAX_IMPORT_BODY = MAX_IMPORT_CONTENT + 16 * 1024
/** The payments in one of them, and the imports and payments of one customer. */
export const IMPORT_ROWS = 10_000
export const IMPORTS_MOST = 50
export const IMPORTED_ROWS_MOST = 50_000
/** An amount beyond this is no private payment: minor units. */
export const IMPORT_AMOUNT_MOST = 100_000_000_00
/** The columns of a table that are looked at. */
export const IMPORT_COLUMNS = 50

/** `excel`: days since 1900, as spreadsheets count them; `unix`: seconds or milliseconds since 1970. */
export const DATE_FORMATS = ['ymd', 'dmy', 'mdy', 'excel', 'unix'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]
export const DECIMAL_MARKS = ['.', ','] as const
export type DecimalMark = (typeof DECIMAL_MARKS)[number]
/** How the amount of something that was paid for is signed. */
export const SPENDING_SIGNS = ['negative', 'positive'] as const
export type SpendingSign = (typeof SPENDING_SIGNS)[number]

/** The encodings that a file can be read in, by their names in the Encoding Standard. */
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

/** What the bank cannot tell from a file alone. `alike`: whether payments are the same as earlier imported ones. */
export const IMPORT_QUESTIONS = ['columns', 'dateFormat', 'decimalMark', 'spending', 'fee', 'alike'] as const
export type ImportQuestion = (typeof IMPORT_QUESTIONS)[number]

/** What to do with payments that may be among those imported earlier. */
export const ALIKE_CHOICES = ['import', 'leave_out'] as const

/** Why a line of a file is not imported. */
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
/** The lines left out that a preview shows. */
export const LEFT_OUT_SHOWN = 200
