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

/** Of which days: `contract/statement-range.ts` says what else has to hold. */
export const statementRange = z.strictObject({ from: day, to: day })

export const statementFileQuery = statementRange.extend({
  format: z.enum(STATEMENT_FORMATS),
  /** Of a CSV; without it, the usual one of the customer's language. */
  csv: z.enum(CSV_STYLES).optional(),
})

/** What a customer has statements of: their current account, and each card with money of its own, those removed too. */
export const statementAccounts = z.object({
  accounts: z.array(
    z.object({
      /** 'current', or the card's id. */
      id: z.string(),
      kind: z.enum(['current', 'card']),
      /** The card's; null of the current account. */
      name: z.string().nullable(),
      lastFour: z.string().nullable(),
    }),
  ),
  /** The business day. */
  today: day,
  /** The day on which the customer joined. */
  since: day,
})
export type StatementAccount = z.infer<typeof statementAccounts>['accounts'][number]

/** What a statement comes to. The opening balance and what came in, less what went out, is the closing balance. */
export const statementSummary = z.object({
  asset,
  openingMinor: signedMinor,
  inMinor: signedMinor,
  outMinor: signedMinor,
  closingMinor: signedMinor,
  count: z.int(),
  /** There are too many transactions for a file. */
  tooLong: z.boolean(),
})
export type StatementSummary = z.infer<typeof statementSummary>

const column = z
  .int()
  .min(0)
  .max(IMPORT_COLUMNS - 1)

/** Which column of a table is what, counted from 0, and how it is written. */
export const columnMapping = z.strictObject({
  date: column,
  name: column,
  amount: column,
  /** Where money that came in has a column of its own; `amount` is what went out then. */
  moneyIn: column.nullable(),
  /** Says of each line whether money came in or went out. */
  direction: column.nullable().default(null),
  /** Says of each line which currency it is in; null: all are in US dollars. */
  currency: column.nullable().default(null),
  /** What was charged beside the amount. */
  fee: column.nullable().default(null),
  /** Says of each line whether it is booked. */
  state: column.nullable().default(null),
  dateFormat: z.enum(DATE_FORMATS),
  decimalMark: z.enum(DECIMAL_MARKS),
  spending: z.enum(SPENDING_SIGNS),
})
export type ColumnMapping = z.infer<typeof columnMapping>

/**
 * A statement of another bank as it is: `content` in base64. Where the customer says nothing, the bank reads what is
 * certain, and asks about the rest.
 */
export const importRequest = z.strictObject({
  fileName: typedText.min(1).max(200),
  content: z.string().max(MAX_IMPORT_CONTENT),
  /** Of a table. */
  mapping: columnMapping.nullable(),
  encoding: z.enum(ENCODINGS).nullable().default(null),
  /** Of a file that is no table; a table's are in its mapping. */
  dateFormat: z.enum(DATE_FORMATS).nullable().default(null),
  decimalMark: z.enum(DECIMAL_MARKS).nullable().default(null),
  spending: z.enum(SPENDING_SIGNS).nullable().default(null),
  /** What to do with payments that may be among those imported earlier. */
  alike: z.enum(ALIKE_CHOICES).nullable().default(null),
})
export type ImportRequest = z.infer<typeof importRequest>

export const importedPayment = z.object({
  bookedOn: day,
  name: z.string(),
  /** Minor units; below zero what was paid. */
  amountMinor: signedMinor,
  asset,
  category: z.enum(CATEGORY_KEYS),
})
export type ImportedPayment = z.infer<typeof importedPayment>

/** A line, or an element of a file that is no table, that is not imported, and why. */
const leftOutLine = z.object({
  /** Counted from 1: of a table the rows that are not empty, else the entries. */
  line: z.int(),
  /** The beginning of what it says. */
  text: z.string(),
  reason: z.enum(LEFT_OUT_REASONS),
  /** The other currency, by its ISO 4217 code or as the file writes it; null for other reasons. */
  currency: z.string().nullable(),
})
export type LeftOutLine = z.infer<typeof leftOutLine>

/** What an import would come to. */
export const importPreview = z.object({
  format: z.enum(['csv', 'ofx', 'camt']),
  /** What the letters of the file were read in, and whether it may be another. */
  encoding: z.enum(ENCODINGS),
  isEncodingCertain: z.boolean(),
  /** Of a table: what each column is headed with ('' for nothing), and some of what is in it. */
  columns: z.array(z.object({ heading: z.string(), samples: z.array(z.string()) })),
  /** Null where the file is no table, and for a table whose columns the bank cannot tell. */
  mapping: columnMapping.nullable(),
  /** Of a file that is no table: how it was read. */
  dateFormat: z.enum(DATE_FORMATS).nullable(),
  decimalMark: z.enum(DECIMAL_MARKS).nullable(),
  spending: z.enum(SPENDING_SIGNS).nullable(),
  /** What the customer has to say before the file can be imported. */
  questions: z.array(z.enum(IMPORT_QUESTIONS)),
  /** Payments that were found; of them those that are there from an earlier import, and those that may be. */
  count: z.int(),
  duplicates: z.int(),
  alike: z.int(),
  /** What the payments found come to, minor units: what came in, and what went out, neither below zero. */
  inMinor: z.int().min(0),
  outMinor: z.int().min(0),
  asset,
  /** Lines that are not imported, and the first of them with their reasons. */
  skipped: z.int(),
  leftOut: z.array(leftOutLine),
  firstOn: day.nullable(),
  lastOn: day.nullable(),
  /** The first few. */
  payments: z.array(importedPayment),
})
export type ImportPreview = z.infer<typeof importPreview>

export const importResult = z.object({ id: z.string(), added: z.int(), duplicates: z.int() })
export type ImportResult = z.infer<typeof importResult>

/** What imported payments spent in a month, YYYY-MM, and on what, most first; below zero where more was refunded. */
const importedMonth = z.object({
  month: z.string(),
  spentMinor: signedMinor,
  asset,
  categories: z.array(z.object({ category: z.enum(CATEGORY_KEYS), spentMinor: signedMinor })),
})
export type ImportedMonth = z.infer<typeof importedMonth>

/** The imports of a customer and the months they spent in, newest first. */
export const importList = z.object({
  months: z.array(importedMonth),
  imports: z.array(
    z.object({
      id: z.string(),
      fileName: z.string(),
      /** Business time. */
      importedAt: instant,
      count: z.int(),
      firstOn: day.nullable(),
      lastOn: day.nullable(),
    }),
  ),
})
export type ListedImport = z.infer<typeof importList>['imports'][number]
