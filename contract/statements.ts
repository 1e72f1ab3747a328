import { z } from 'zod'
import { CATEGORY_KEYS } from '#contract/categories.ts'
import { asset, day, instant, signedMinor, typedText } from '#contract/common.ts'
import {
  ALIKE_CHOICES,
  CSV_STYLES,
  DATE_FORMATS,
  DECIMAL_MARKS,
  ENCODINGS,
  IMPORT_COLUMNS,
  IMPORT_QUESTIONS,
  LEFT_OUT_REASONS,
  MAX_IMPORT_CONTENT,
  SPENDING_SIGNS,
  STATEMENT_FORMATS,
} from '#contract/statement-formats.ts'

/** The first and the last day of a statement. `contract/statement-range.ts` has the further rules for a range. */
export const statementRange = z.strictObject({ from: day, to: day })

export const statementFileQuery = statementRange.extend({
  format: z.enum(STATEMENT_FORMATS),
  /** The style of a CSV. The default is the usual style of the customer's language. */
  csv: z.enum(CSV_STYLES).optional(),
})

/** The accounts that have statements: the current account, and the account of each virtual card, including removed cards. */
export const statementAccounts = z.object({
  accounts: z.array(
    z.object({
      /** 'current' for the current account; otherwise the id of the card. */
      id: z.string(),
      kind: z.enum(['current', 'card']),
      /** The card's name; null for the current account. */
      name: z.string().nullable(),
      lastFour: z.string().nullable(),
    }),
  ),
  /** The current business day. */
  today: day,
  /** The day on which the customer joined. */
  since: day,
})
export type StatementAccount = z.infer<typeof statementAccounts>['accounts'][number]

/** The sums of a statement. `closingMinor` is `openingMinor` plus `inMinor` less `outMinor`. */
export const statementSummary = z.object({
  asset,
  openingMinor: signedMinor,
  inMinor: signedMinor,
  outMinor: signedMinor,
  closingMinor: signedMinor,
  count: z.int(),
  /** True if the statement has too many transactions for a file. */
  tooLong: z.boolean(),
})
export type StatementSummary = z.infer<typeof statementSummary>

const column = z
  .int()
  .min(0)
  .max(IMPORT_COLUMNS - 1)

/**
 * The mapping of a table's columns. Each column is given by its number, which starts at 0. The last three fields are the format
 * of dates, the decimal mark and the sign of purchases.
 */
export const columnMapping = z.strictObject({
  date: column,
  name: column,
  amount: column,
  /**
   * The column for incoming money, if the table has such a column; `amount` is then the column for outgoing money. Null if
   * `amount` has both.
   */
  moneyIn: column.nullable(),
  /** The column that marks each line as incoming or outgoing; null if there is none. */
  direction: column.nullable().default(null),
  /** The column with the currency of each line. Null means that all lines are in US dollars. */
  currency: column.nullable().default(null),
  /** The column with a fee, which is charged in addition to the amount; null if there is none. */
  fee: column.nullable().default(null),
  /** The column that marks each line as booked or not booked; null if there is none. */
  state: column.nullable().default(null),
  dateFormat: z.enum(DATE_FORMATS),
  decimalMark: z.enum(DECIMAL_MARKS),
  spending: z.enum(SPENDING_SIGNS),
})
export type ColumnMapping = z.infer<typeof columnMapping>

/**
 * A request to import a statement file of another bank. `content` is the file in base64. If another field is null, the bank
 * detects its value. If the detected value is not certain, the bank asks the customer.
 */
export const importRequest = z.strictObject({
  fileName: typedText.min(1).max(200),
  content: z.string().max(MAX_IMPORT_CONTENT),
  /** The mapping of the columns, if the file is a table. */
  mapping: columnMapping.nullable(),
  encoding: z.enum(ENCODINGS).nullable().default(null),
  /** The formats of the values in a file that is not a table. For a table, the formats are in `mapping`. */
  dateFormat: z.enum(DATE_FORMATS).nullable().default(null),
  decimalMark: z.enum(DECIMAL_MARKS).nullable().default(null),
  spending: z.enum(SPENDING_SIGNS).nullable().default(null),
  /** The customer's choice for payments that may be duplicates of payments imported earlier. */
  alike: z.enum(ALIKE_CHOICES).nullable().default(null),
})
export type ImportRequest = z.infer<typeof importRequest>

export const importedPayment = z.object({
  bookedOn: day,
  name: z.string(),
  /** The amount in minor units. An outgoing payment has a negative amount. */
  amountMinor: signedMinor,
  asset,
  category: z.enum(CATEGORY_KEYS),
})
export type ImportedPayment = z.infer<typeof importedPayment>

/** A line that is not imported, and the reason. If the file is not a table, the line is an entry of the file. */
const leftOutLine = z.object({
  /**
   * The line number, starting at 1. In a table, only rows that are not empty are counted. In any other file, the entries are
   * counted.
   */
  line: z.int(),
  /** The beginning of the line's text. */
  text: z.string(),
  reason: z.enum(LEFT_OUT_REASONS),
  /**
   * The currency that is not supported, by its ISO 4217 code or as the file writes it. Null if the line is left out for another
   * reason.
   */
  currency: z.string().nullable(),
})
export type LeftOutLine = z.infer<typeof leftOutLine>

/** The preview of an import. */
export const importPreview = z.object({
  format: z.enum(['csv', 'ofx', 'camt']),
  /** The encoding of the file, and whether it is certain. */
  encoding: z.enum(ENCODINGS),
  isEncodingCertain: z.boolean(),
  /** The columns of a table. Each has its heading ('' if there is none) and some of its values. */
  columns: z.array(z.object({ heading: z.string(), samples: z.array(z.string()) })),
  /** The mapping of the columns. Null if the file is not a table, or if the bank cannot detect the mapping. */
  mapping: columnMapping.nullable(),
  /** The detected formats of the values in a file that is not a table. A format is null for a table, or if it is unknown. */
  dateFormat: z.enum(DATE_FORMATS).nullable(),
  decimalMark: z.enum(DECIMAL_MARKS).nullable(),
  spending: z.enum(SPENDING_SIGNS).nullable(),
  /** The questions that the customer must answer before the import. */
  questions: z.array(z.enum(IMPORT_QUESTIONS)),
  /**
   * Three numbers of payments: `count` is all payments found. `duplicates` is those that were certainly imported before.
   * `alike` is those that were possibly imported before.
   */
  count: z.int(),
  duplicates: z.int(),
  alike: z.int(),
  /** The sum of all incoming payments found, and the sum of all outgoing ones, in minor units. Neither is negative. */
  inMinor: z.int().min(0),
  outMinor: z.int().min(0),
  asset,
  /** `skipped` is the number of lines that are not imported. `leftOut` has the first of these lines with the reasons. */
  skipped: z.int(),
  leftOut: z.array(leftOutLine),
  firstOn: day.nullable(),
  lastOn: day.nullable(),
  /** The first payments of the file. */
  payments: z.array(importedPayment),
})
export type ImportPreview = z.infer<typeof importPreview>

export const importResult = z.object({ id: z.string(), added: z.int(), duplicates: z.int() })
export type ImportResult = z.infer<typeof importResult>

/**
 * The spending of all imported payments in a month. `month` is YYYY-MM. The category with the most spending is first.
 * `spentMinor` is negative if refunds exceed payments.
 */
const importedMonth = z.object({
  month: z.string(),
  spentMinor: signedMinor,
  asset,
  categories: z.array(z.object({ category: z.enum(CATEGORY_KEYS), spentMinor: signedMinor })),
})
export type ImportedMonth = z.infer<typeof importedMonth>

/** A customer's imports, and the months with the spending of the imported payments. Both lists have the newest first. */
export const importList = z.object({
  months: z.array(importedMonth),
  imports: z.array(
    z.object({
      id: z.string(),
      fileName: z.string(),
      /** The time of the import, in business time. */
      importedAt: instant,
      count: z.int(),
      firstOn: day.nullable(),
      lastOn: day.nullable(),
    }),
  ),
})
export type ListedImport = z.infer<typeof importList>['imports'][number]
