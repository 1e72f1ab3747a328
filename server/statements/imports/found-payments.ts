import { hash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import {
  type DateFormat,
  type DecimalMark,
  MAX_IMPORT_AMOUNT,
  type ImportQuestion,
  type LeftOutReason,
  type SpendingSign,
} from '#contract/statement-formats.ts'
import { type ImportedPayment, type LeftOutLine } from '#contract/statements.ts'
import { categoryOf } from '#server/statements/imports/categories.ts'
import { FIRST_DAY } from '#server/statements/imports/read-day.ts'

/**
 * A payment that was found in a file. `identity` is unique among the customer's payments and stays the same if another file
 * from the same source repeats the payment. `source` is the origin from `importSourceOf`.
 */
export type FoundPayment = ImportedPayment & { identity: string; source: string }

/** The payments of a file in order, and the lines left out. */
export type FoundInFile = { payments: FoundPayment[]; leftOut: LeftOutLine[] }

/** The facts about a file that is not a table, and the customer's answers about it. */
export type FileReading = {
  /** The current business day, YYYY-MM-DD. */
  today: string
  /** The customer's language. */
  language: string
  dateFormat: DateFormat | null
  decimalMark: DecimalMark | null
  spending: SpendingSign | null
}

/** The content of a file that is not a table, how it was read, and the open questions. */
export type ReadEntries = FoundInFile & {
  dateFormat: DateFormat | null
  decimalMark: DecimalMark | null
  spending: SpendingSign | null
  questions: ImportQuestion[]
}

/** The reason for leaving out a line. `currency`: the currency of the line. It is set only if the currency is the reason. */
export type SkipReason = { reason: LeftOutReason; currency?: string }

/** Returns the reason why a payment of a day cannot be imported, if there is one. */
export function dayProblem(bookedOn: string | null, today: string): SkipReason | null {
  if (bookedOn === null) return { reason: 'date' }
  if (bookedOn < FIRST_DAY) return { reason: 'too_old' }
  return bookedOn > today ? { reason: 'future' } : null
}

/** The number of characters shown of a line that is left out. */
const MAX_TEXT = 120

export const leftOutLine = ({
  line,
  text,
  reason,
  currency,
}: SkipReason & { line: number; text: string }): LeftOutLine => ({
  line,
  text: Array.from(plainLine(text)).slice(0, MAX_TEXT).join(''),
  reason,
  // The currency is cut to a few UTF-16 units, and the cut may split a letter.
  currency: currency?.replaceAll(/\p{Surrogate}/gu, '') ?? null,
})

type Read = { bookedOn: string; name: string; cents: bigint; merchantCode?: string | undefined }

/** The number of characters kept of a name. */
const MAX_NAME = 140

/** Returns a text on one line, without characters that reorder the text around it. */
const plainLine = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()

/** Returns a name without the apostrophe that protects it from running as a formula. */
const cleanText = (name: string): string =>
  Array.from(plainLine(name.replace(/^'(?=[=+\-@])/, '')))
    .slice(0, MAX_NAME)
    .join('')

/** Throws Refusal `import_amount_too_large`. */
export function paymentOf({ bookedOn, name, cents, merchantCode }: Read): ImportedPayment {
  if (cents > MAX_IMPORT_AMOUNT || cents < -MAX_IMPORT_AMOUNT) throw new Refusal('import_amount_too_large')
  const amountMinor = Number(cents)
  const cleanName = cleanText(name)
  return {
    bookedOn,
    name: cleanName,
    amountMinor,
    asset: 'USD',
    category: categoryOf({ name: cleanName, amountMinor, merchantCode }),
  }
}

const digestOf = (...parts: (string | number)[]): string => hash('sha256', parts.join('\n'), 'base64url')

/**
 * Returns the identity of a payment that has an id from its bank. The id alone does not identify the payment. Some banks give a
 * payment and its fee the same id, and others restart their numbers in each file.
 */
const identityOfId = (account: string, id: string, { bookedOn, amountMinor, name }: ImportedPayment): string =>
  digestOf('id', account, id, bookedOn, amountMinor, name)

/**
 * Returns the source of a file's payments. It consists of the format and of the account or column layout that distinguishes
 * files of this format.
 */
export const importSourceOf = (format: string, account: string): string =>
  `${format}:${account === '' ? '' : digestOf(account)}`

/**
 * Adds identities to payments without ids: day, amount, name, and the number of equal payments before it in the file. Two
 * coffees on one day are two payments, and they match if another file repeats both.
 */
export function withIdentities(payments: readonly ImportedPayment[], source: string): FoundPayment[] {
  const countByKey = new Map<string, number>()
  return payments.map((payment) => {
    const { bookedOn, amountMinor, name } = payment
    const key = `${bookedOn}\n${amountMinor}\n${name}`
    const before = countByKey.get(key) ?? 0
    countByKey.set(key, before + 1)
    return { ...payment, identity: digestOf('row', key, before), source }
  })
}

/** A payment in a format with bank ids. `id` is '' if the bank gave none. */
export type BankIdPayment = { payment: ImportedPayment; account: string; id: string }

/** Adds identities to payments that may have ids from their bank. */
export function withBankIds(format: string, found: readonly BankIdPayment[]): FoundPayment[] {
  const payments = withIdentities(
    found.map(({ payment }) => payment),
    '',
  )
  const sources = new Map<string, string>()
  return found.flatMap(({ account, id, payment }, index) => {
    const original = payments[index]
    if (!original) return []
    const identity = id === '' ? original.identity : identityOfId(account, id, payment)
    const source = sources.get(account) ?? importSourceOf(format, account)
    sources.set(account, source)
    return [{ ...original, identity, source }]
  })
}
