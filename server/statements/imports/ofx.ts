import { Refusal } from '#contract/errors.ts'
import {
  type DateFormat,
  type DecimalMark,
  IMPORT_ROWS,
  type ImportQuestion,
  type SpendingSign,
} from '#contract/statement-formats.ts'
import { type ImportedPayment } from '#contract/statements.ts'
import { OFX_BANK } from '#server/statements/formats/ofx.ts'
import { amountCell, markReadingOf, possibleMarksOf, readCents } from '#server/statements/imports/amounts.ts'
import { dayReadingOf, readDay } from '#server/statements/imports/read-day.ts'
import {
  dayProblem,
  type FileReading,
  leftOutLine,
  paymentOf,
  type ReadEntries,
  type SkipReason,
  withBankIds,
} from '#server/statements/imports/found-payments.ts'
import { isBalance } from '#server/statements/imports/bank-vocabulary.ts'

/** Returns whether a text declares itself as OFX of version 1 (SGML) or 2 (XML). */
export const isOfx = (text: string): boolean =>
  /^\s*(?:OFXHEADER\s*:|<\?xml[\s\S]{0,300}?<\?OFX\b|<\?OFX\b|<OFX>)/i.test(text)

/** The five entities of XML, and characters by number. No other entity is expanded, so no entity can expand without limit. */
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi

const characterOf = (code: number): string => (code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ')

function unescaped(text: string): string {
  return text.replaceAll(ENTITY, (_entity, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? ''
    return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}

/**
 * Returns a text without comments, and with CDATA sections written as ordinary text, so that a tag inside a section is not read
 * as one. Throws Refusal `import_unreadable` if a comment or section has no end.
 */
function withoutSections(text: string): string {
  const parts: string[] = []
  let position = 0
  for (const { index, 0: opening } of text.matchAll(/<!(?:--|\[CDATA\[)/g)) {
    // This opening is inside the previous comment or section.
    if (index < position) continue
    const closing = opening === '<!--' ? '-->' : ']]>'
    const end = text.indexOf(closing, index + opening.length)
    if (end < 0) throw new Refusal('import_unreadable')
    parts.push(text.slice(position, index))
    const inside = text.slice(index + opening.length, end)
    if (opening !== '<!--') parts.push(inside.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
    position = end + closing.length
  }
  return parts.join('') + text.slice(position)
}

type Fields = Map<string, string>
const fieldOf = (fields: Fields, name: string): string => fields.get(name) ?? ''

/** The aggregate of one payment, and the elements inside it that contain others. */
const PAYMENT = 'STMTTRN'
const WITHIN = new Set(['PAYEE', 'CURRENCY', 'ORIGCURRENCY', 'BANKACCTTO', 'CCACCTTO'])
/** The elements that name the account at the beginning of its statement. */
const ACCOUNTS = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM'])
/** The fields that identify an account. Payments of two accounts may have the same ids. */
const ACCOUNT = ['BANKID', 'ACCTID'] as const

/**
 * The largest number of characters in each part of an account's name; OFX allows 22. The limit is needed because the identity
 * of each payment contains the account's name.
 */
const MAX_ACCOUNT = 200

/** Throws Refusal `import_unreadable` for an account name that is too long. */
function accountOf(fileFields: Fields): string {
  const parts = ACCOUNT.map((part) => fieldOf(fileFields, part))
  if (parts.some((part) => part.length > MAX_ACCOUNT)) throw new Refusal('import_unreadable')
  return parts.join(' ')
}

/** A payment, with the account and the currency of its statement. */
type Entry = { fields: Fields; account: string; currency: string }
/** The content of a file: its payments in order, and its other fields. */
type Read = { payments: Entry[]; about: Fields }

/** The number of characters kept of a tag's value. No name, account or amount has more. */
const MAX_VALUE = 1_000
/** The number of characters kept of a currency. */
const MAX_CURRENCY = 12

const valueOf = (text: string): string => unescaped(text.trim().slice(0, MAX_VALUE))

/**
 * Reads all tags of a file in one pass. It reads both versions of OFX, because it needs no closing tags. The value of a tag is
 * the text up to the next tag, with CDATA sections included. Throws Refusal `import_unreadable` for documents with
 * declarations, the errors of `withoutSections` and `accountOf`, and `import_too_long`.
 */
function readTags(file: string): Read {
  const text = withoutSections(file)
  if (/<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i.test(text)) throw new Refusal('import_unreadable')
  const fileFields: Fields = new Map()
  const payments: Entry[] = []
  let current: Fields | null = null
  let currency = ''
  let inside: string | null = null
  for (const match of text.matchAll(/<(\/?)([A-Za-z][\w.]{0,40})>([^<]*)/g)) {
    const [, closing, tag = '', value = ''] = match
    const name = tag.toUpperCase()
    if (name === PAYMENT) {
      current = closing ? null : new Map()
      inside = null
      if (current) payments.push({ fields: current, account: accountOf(fileFields), currency })
      if (payments.length > IMPORT_ROWS) throw new Refusal('import_too_long')
    } else if (WITHIN.has(name)) inside = closing ? null : name
    else if (!closing) {
      if (ACCOUNTS.has(name)) {
        current = null
        for (const part of ACCOUNT) fileFields.delete(part)
      }
      const field = inside === null ? name : `${inside}.${name}`
      const fields = current ?? fileFields
      if (name === 'CURDEF') currency = valueOf(value).slice(0, MAX_CURRENCY).toUpperCase()
      if (!fields.has(field)) fields.set(field, valueOf(value))
    }
  }
  return { payments, about: fileFields }
}

/** OFX's kinds of payments for money out and money in. */
const WENT_OUT = new Set([
  'DEBIT',
  'POS',
  'ATM',
  'CHECK',
  'PAYMENT',
  'DIRECTDEBIT',
  'REPEATPMT',
  'FEE',
  'SRVCHG',
  'CASH',
])
const CAME_IN = new Set(['CREDIT', 'DEP', 'DIRECTDEP', 'INT', 'DIV'])

/**
 * The settings for the payments of one file. `restOfDays`: the format of the days that are not written as in OFX; null if it is
 * unknown. `byKind`: whether the kind of each payment gives its direction, because no amount has a sign.
 */
type Reading = {
  mark: DecimalMark | null
  restOfDays: DateFormat | null
  byKind: boolean
  spending: SpendingSign
  today: string
}

/**
 * Returns whether a day is written as in OFX, with the year first, in four digits. Some banks write days as their country does.
 */
const isStandard = (text: string): boolean => /^\s*\d{4}\D?\d{2}\D?\d{2}/.test(text)

function dayOf(text: string, otherFormat: DateFormat | null): string | null {
  if (isStandard(text)) return readDay(text, 'ymd')
  return otherFormat === null ? null : readDay(text, otherFormat)
}

function centsOf(fields: Fields, { mark, byKind, spending }: Reading): bigint | SkipReason {
  const cell = amountCell(fieldOf(fields, 'TRNAMT'))
  if (!cell) return { reason: 'amount' }
  if (cell.currency !== null && cell.currency !== 'USD') return { reason: 'currency', currency: cell.currency }
  if (mark === null && possibleMarksOf(cell.digits).isAmbiguous) return { reason: 'amount_unsure' }
  const cents = readCents(cell.digits, mark)
  if (cents === null) return { reason: 'amount' }
  if (cents === 0n) return { reason: 'zero' }
  if (cell.direction !== null && !cell.isSigned) return cell.direction === 'out' ? -cents : cents
  if (!byKind) return cell.isBelow === (spending === 'negative') ? -cents : cents
  const kind = fieldOf(fields, 'TRNTYPE').toUpperCase()
  if (WENT_OUT.has(kind)) return -cents
  return CAME_IN.has(kind) ? cents : { reason: 'direction' }
}

/** Returns the currency of an entry, or of its account if the entry has none. Returns null for US dollars. */
function foreignOf({ fields, currency }: Entry): string | null {
  const currencyOfLine = fieldOf(fields, 'CURRENCY.CURSYM').slice(0, MAX_CURRENCY).toUpperCase() || currency
  return currencyOfLine === '' || currencyOfLine === 'USD' ? null : currencyOfLine
}

const nameOf = (fields: Fields): string =>
  fieldOf(fields, 'NAME') || fieldOf(fields, 'PAYEE.NAME') || fieldOf(fields, 'MEMO')

function readPayment(entry: Entry, reading: Reading): ImportedPayment | SkipReason {
  const { fields } = entry
  const name = nameOf(fields)
  const foreign = foreignOf(entry)
  if (foreign !== null) return { reason: 'currency', currency: foreign }
  if (isBalance(name)) return { reason: 'balance' }
  const bookedOn = dayOf(fieldOf(fields, 'DTPOSTED'), reading.restOfDays)
  const problem = dayProblem(bookedOn, reading.today)
  if (problem) return problem
  const cents = centsOf(fields, reading)
  if (typeof cents !== 'bigint') return cents
  return paymentOf({ bookedOn: bookedOn ?? '', name, cents, merchantCode: fields.get('SIC') })
}

/**
 * Detects the format of days, the decimal mark and the sign of spending from all payments of a file. Returns them with the open
 * questions.
 */
function readingOf(payments: readonly Entry[], { today, language, decimalMark, dateFormat, spending }: FileReading) {
  const texts = (field: string) => payments.map(({ fields }) => fieldOf(fields, field))
  const cells = texts('TRNAMT').flatMap((text) => amountCell(text) ?? [])
  const mark = markReadingOf(
    cells.map(({ digits }) => digits),
    null,
  )
  const otherDays = texts('DTPOSTED').filter((text) => text !== '' && !isStandard(text))
  const days = dayReadingOf(otherDays, { today, isAmerican: language === 'en', mayBeAmerican: true })
  const isUnsigned = cells.every(({ isSigned, direction }) => !isSigned && direction === null)
  const reading: Reading = {
    mark: decimalMark ?? (mark.isSure ? mark.mark : null),
    restOfDays: dateFormat ?? (days?.isSure ? days.format : null),
    spending: spending ?? 'negative',
    byKind: spending === null && isUnsigned && texts('TRNTYPE').some((kind) => WENT_OUT.has(kind.toUpperCase())),
    today,
  }
  const questions: ImportQuestion[] = [
    ...(days && reading.restOfDays === null ? (['dateFormat'] as const) : []),
    ...(reading.mark === null ? (['decimalMark'] as const) : []),
  ]
  return {
    reading,
    questions,
    dateFormat: days ? (dateFormat ?? days.format) : null,
    decimalMark: decimalMark ?? mark.mark,
    spending: reading.spending,
  }
}

/**
 * Returns the payments of an OFX file up to `today`, and each entry that is left out, with its reason. Throws Refusal:
 * `import_unreadable`, `import_too_long`, `import_is_own`, `import_amount_too_large`.
 */
export function paymentsOfOfx(text: string, file: FileReading): ReadEntries {
  const { payments, about: fileFields } = readTags(text)
  const accounts = [accountOf(fileFields), ...payments.map(({ account }) => account)]
  // Older files of this bank may contain its name in the account. Newer files contain it as the id in the element FI.
  const isOwn =
    fieldOf(fileFields, 'FID') === OFX_BANK || accounts.some((account) => account.startsWith(`${OFX_BANK} `))
  if (fieldOf(fileFields, 'ORG') === OFX_BANK && isOwn) throw new Refusal('import_is_own')
  const { reading, ...questionsAndGuesses } = readingOf(payments, file)
  const results = payments.map((entry, index) => ({ entry, line: index + 1, result: readPayment(entry, reading) }))
  const paymentsWithIds = results.flatMap(({ entry: { account, fields }, result }) =>
    'reason' in result ? [] : [{ payment: result, account: account.trim(), id: fieldOf(fields, 'FITID') }],
  )
  const leftOut = results.flatMap(({ entry: { fields }, line, result }) => {
    if (!('reason' in result)) return []
    const parts = [fieldOf(fields, 'DTPOSTED').slice(0, 8), nameOf(fields), fieldOf(fields, 'TRNAMT')]
    return [leftOutLine({ line, text: parts.filter((part) => part !== '').join(' · '), ...result })]
  })
  return { ...questionsAndGuesses, payments: withBankIds('ofx', paymentsWithIds), leftOut }
}
