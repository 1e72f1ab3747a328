import { hash } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import {
  type DateFormat,
  type DecimalMark,
  IMPORT_AMOUNT_MOST,
  type ImportQuestion,
  type LeftOutReason,
  type SpendingSign,
} from '#contract/statement-formats.ts'
import { type ImportedPayment, type LeftOutLine } from '#contract/statements.ts'
import { categoryOf } from '#server/statements/imports/categories.ts'
import { FIRST_DAY } from '#server/statements/imports/days.ts'

/**
 * A payment that was found in a file. `identity` tells it from the customer's others, also in a file that has it again; `source` says where it
 * is from, as `sourceOf` does.
 */
export type FoundPayment = ImportedPayment & { identity: string; source: string }

/** What a file has in it: its payments in order, and what is left out of it. */
export type Found = { payments: FoundPayment[]; leftOut: LeftOutLine[] }

/** What is known of a file that is no table, and what the customer said of it. */
export type FileReading = {
  /** The business day. */
  today: string
  /** The customer's. */
  language: string
  dateFormat: DateFormat | null
  decimalMark: DecimalMark | null
  spending: SpendingSign | null
}

/** What such a file has in it, how it was read, and what it leaves open. */
export type ReadEntries = Found & {
  dateFormat: DateFormat | null
  decimalMark: DecimalMark | null
  spending: SpendingSign | null
  questions: ImportQuestion[]
}

/** Why a line is left out; `currency`: which one it is in, where that is the reason. */
export type Skip = { reason: LeftOutReason; currency?: string }

/** What keeps a payment of a day from being imported. */
export function dayProblem(bookedOn: string | null, today: string): Skip | null {
  if (bookedOn === null) return { reason: 'date' }
  if (bookedOn < FIRST_DAY) return { reason: 'too_old' }
  return bookedOn > today ? { reason: 'future' } : null
}

/** The characters of a line left out that are shown. */
const TEXT_MOST = 120

export const leftOutLine = ({ line, text, reason, currency }: Skip & { line: number; text: string }): LeftOutLine => ({
  line,
  text: Array.from(plainLine(text)).slice(0, TEXT_MOST).join(''),
  reason,
  // It is cut to a few units, which may be in the middle of a letter.
  currency: currency?.replaceAll(/\p{Surrogate}/gu, '') ?? null,
})

type Read = { bookedOn: string; name: string; cents: bigint; merchantCode?: string | undefined }

/** The letters of a name that are kept. */
const NAME_MOST = 140

/** A text on one line, with nothing that moves what stands around it. */
const plainLine = (text: string): string => text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()

/** What a spreadsheet was kept from running. */
const cleaned = (name: string): string =>
  Array.from(plainLine(name.replace(/^'(?=[=+\-@])/, '')))
    .slice(0, NAME_MOST)
    .join('')

/** Throws Refusal `import_amount_too_large`. */
export function paymentOf({ bookedOn, name, cents, merchantCode }: Read): ImportedPayment {
  if (cents > IMPORT_AMOUNT_MOST || cents < -IMPORT_AMOUNT_MOST) throw new Refusal('import_amount_too_large')
  const amountMinor = Number(cents)
  const kept = cleaned(name)
  return {
    bookedOn,
    name: kept,
    amountMinor,
    asset: 'USD',
    category: categoryOf({ name: kept, amountMinor, merchantCode }),
  }
}

const digestOf = (...parts: (string | number)[]): string => hash('sha256', parts.join('\n'), 'base64url')

/**
 * What a payment is known again by that its bank gave an id. Some banks give one id to a payment and its fee, and others number the payments of
 * each file anew: so the id alone is no identity.
 */
const identityOfId = (account: string, id: string, { bookedOn, amountMinor, name }: ImportedPayment): string =>
  digestOf('id', account, id, bookedOn, amountMinor, name)

/** Where the payments of a file come from: its format, and the account or the layout that tells two files of one format apart. */
export const sourceOf = (format: string, of: string): string => `${format}:${of === '' ? '' : digestOf(of)}`

/**
 * What payments without an id are known again by: day, amount and name, and how many alike came before it in the file. Two coffees
 * on one day are two payments, and the same two when the file comes again.
 */
export function withIdentities(payments: readonly ImportedPayment[], source: string): FoundPayment[] {
  const alike = new Map<string, number>()
  return payments.map((payment) => {
    const { bookedOn, amountMinor, name } = payment
    const key = `${bookedOn}\n${amountMinor}\n${name}`
    const before = alike.get(key) ?? 0
    alike.set(key, before + 1)
    return { ...payment, identity: digestOf('row', key, before), source }
  })
}

/** A payment of a format whose banks give ids: '' for none. */
export type Identified = { payment: ImportedPayment; account: string; id: string }

/** The same of payments that have ids of their bank, or not. */
export function withBankIds(format: string, found: readonly Identified[]): FoundPayment[] {
  const plain = withIdentities(
    found.map(({ payment }) => payment),
    '',
  )
  const sources = new Map<string, string>()
  return found.flatMap(({ account, id, payment }, index) => {
    const kept = plain[index]
    if (!kept) return []
    const identity = id === '' ? kept.identity : identityOfId(account, id, payment)
    const source = sources.get(account) ?? sourceOf(format, account)
    sources.set(account, source)
    return [{ ...kept, identity, source }]
  })
}
