import { Refusal } from '#contract/errors.ts'
import { type DecimalMark, IMPORT_ROWS } from '#contract/statement-formats.ts'
import { type ImportedPayment } from '#contract/statements.ts'
import { OFX_BANK } from '#server/statements/formats/ofx.ts'
import { identityOfId, paymentOf, withIdentities, type FoundPayment } from '#server/statements/imports/found.ts'
import { markOf, readCentsOf, readDay } from '#server/statements/imports/values.ts'

/** Whether a text says of itself that it is OFX, of version 1 (SGML) or 2 (XML). */
export const isOfx = (text: string): boolean =>
  /^\s*(?:OFXHEADER\s*:|<\?xml[\s\S]{0,300}?<\?OFX\b|<\?OFX\b|<OFX>)/i.test(text)

/** The five entities of XML, and characters by number: no other is looked up, so none can grow. */
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi

const characterOf = (code: number): string => (code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ')

function unescaped(text: string): string {
  return text.replaceAll(ENTITY, (_all, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? ''
    return characterOf(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
  })
}

/**
 * A text without comments, and with what stands in sections of CDATA spelled as any other text, so that a tag in it is none.
 * Throws Refusal `import_unreadable` where one of them has no end.
 */
function withoutSections(text: string): string {
  const parts: string[] = []
  let at = 0
  for (const { index, 0: opening } of text.matchAll(/<!(?:--|\[CDATA\[)/g)) {
    // Within the one before.
    if (index < at) continue
    const closing = opening === '<!--' ? '-->' : ']]>'
    const end = text.indexOf(closing, index + opening.length)
    if (end < 0) throw new Refusal('import_unreadable')
    parts.push(text.slice(at, index))
    const inside = text.slice(index + opening.length, end)
    if (opening !== '<!--') parts.push(inside.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
    at = end + closing.length
  }
  return parts.join('') + text.slice(at)
}

type Fields = Map<string, string>
const of = (fields: Fields, name: string): string => fields.get(name) ?? ''

/** The aggregate that one payment stands in, and elements of its own that hold others. */
const PAYMENT = 'STMTTRN'
const WITHIN = new Set(['PAYEE', 'CURRENCY', 'ORIGCURRENCY', 'BANKACCTTO', 'CCACCTTO'])
/** What begins with each of the accounts that a file may have statements of. */
const ACCOUNTS = new Set(['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM'])
/** What tells accounts apart: their payments may have the same ids. */
const ACCOUNT = ['BANKID', 'ACCTID'] as const

/** The characters of what an account is called; OFX has at most 22 for each part. Each payment is known again by all of it. */
const ACCOUNT_MOST = 200

/** Throws Refusal `import_unreadable` for an account that no bank has. */
function accountOf(about: Fields): string {
  const parts = ACCOUNT.map((part) => of(about, part))
  if (parts.some((part) => part.length > ACCOUNT_MOST)) throw new Refusal('import_unreadable')
  return parts.join(' ')
}

function checkCurrency(currency: string): void {
  if (currency !== '' && currency.toUpperCase() !== 'USD') throw new Refusal('import_currency')
}

/** A payment, and the account whose statement it stands in. */
type Entry = { fields: Fields; account: string }
/** What is read of a file: its payments in order, and what it says beside them. */
type Read = { payments: Entry[]; about: Fields }

/**
 * One walk over the tags: both versions have them, and neither needs its elements closed here. What a tag holds is what stands before
 * the next one, sections of CDATA too. Throws Refusal `import_unreadable` for documents that declare anything, `import_currency` where any of its accounts is
 * in another one, and `import_too_long`.
 */
function readTags(file: string): Read {
  const text = withoutSections(file)
  if (/<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)/i.test(text)) throw new Refusal('import_unreadable')
  const about: Fields = new Map()
  const payments: Entry[] = []
  let current: Fields | null = null
  let inside: string | null = null
  for (const match of text.matchAll(/<(\/?)([A-Za-z][\w.]{0,40})>([^<]*)/g)) {
    const [, closing, tag = '', value = ''] = match
    const name = tag.toUpperCase()
    if (name === PAYMENT) {
      current = closing ? null : new Map()
      inside = null
      if (current) payments.push({ fields: current, account: accountOf(about) })
      if (payments.length > IMPORT_ROWS) throw new Refusal('import_too_long')
    } else if (WITHIN.has(name)) inside = closing ? null : name
    else if (!closing) {
      if (ACCOUNTS.has(name)) {
        current = null
        for (const part of ACCOUNT) about.delete(part)
      }
      const field = inside === null ? name : `${inside}.${name}`
      const fields = current ?? about
      if (name === 'CURDEF') checkCurrency(unescaped(value.trim()))
      if (!fields.has(field)) fields.set(field, unescaped(value.trim()))
    }
  }
  return { payments, about }
}

/** Null for what is no payment: without a day or an amount, of nothing, or after `today`. */
function readPayment(fields: Fields, mark: DecimalMark | null, today: string): ImportedPayment | null {
  const bookedOn = readDay(of(fields, 'DTPOSTED'), 'ymd')
  // Each bank has a decimal mark of its own, and some part thousands, though the format has no place for that.
  const cents = readCentsOf(of(fields, 'TRNAMT'), mark)
  if (bookedOn === null || bookedOn > today || cents === null || cents === 0n) return null
  checkCurrency(of(fields, 'CURRENCY.CURSYM'))
  const name = of(fields, 'NAME') || of(fields, 'PAYEE.NAME') || of(fields, 'MEMO')
  return paymentOf({ bookedOn, name, cents, merchantCode: fields.get('SIC') })
}

/**
 * The payments of an OFX file up to `today`, and how many of its entries are none. Throws Refusal: `import_unreadable`, `import_too_long`, `import_currency`,
 * `import_is_own`, `import_amount_too_large`.
 */
export function paymentsOfOfx(text: string, today: string): { payments: FoundPayment[]; skipped: number } {
  const { payments, about } = readTags(text)
  const accounts = [accountOf(about), ...payments.map(({ account }) => account)]
  if (of(about, 'ORG') === OFX_BANK && accounts.some((account) => account.startsWith(`${OFX_BANK} `)))
    throw new Refusal('import_is_own')
  const mark = markOf(payments.map(({ fields }) => of(fields, 'TRNAMT')))
  const read = payments.map(({ fields, account }) => {
    const id = of(fields, 'FITID')
    return { identity: id === '' ? null : identityOfId(account, id), payment: readPayment(fields, mark, today) }
  })
  const found = read.flatMap(({ identity, payment }) => (payment ? [{ identity, payment }] : []))
  const plain = withIdentities(found.map(({ payment }) => payment))
  return {
    payments: plain.map((payment, index) => {
      const identity = found[index]?.identity ?? null
      return identity === null ? payment : { ...payment, identity }
    }),
    skipped: read.length - found.length,
  }
}
