import { Refusal } from '#contract/errors.ts'
import { IMPORT_ROWS } from '#contract/statement-formats.ts'
import { type ImportedPayment, type LeftOutLine } from '#contract/statements.ts'
import { CAMT_BANK } from '#server/statements/formats/camt.ts'
import { readDay } from '#server/statements/imports/days.ts'
import {
  dayProblem,
  type FileReading,
  type Identified,
  leftOutLine,
  paymentOf,
  type ReadEntries,
  type Skip,
  withBankIds,
} from '#server/statements/imports/found.ts'
import { elementsAt, readXml, textAt, type XmlElement } from '#server/statements/imports/xml-tree.ts'

/** Messages of ISO 20022 that have entries: the statement of a period, the report of a day, and the notice of single payments. */
const MESSAGES = {
  BkToCstmrStmt: { format: 'camt.053', part: 'Stmt' },
  BkToCstmrAcctRpt: { format: 'camt.052', part: 'Rpt' },
  BkToCstmrDbtCdtNtfctn: { format: 'camt.054', part: 'Ntfctn' },
} as const

/** Whether a text is one of them. */
export const isCamt = (text: string): boolean =>
  /<(?:[\w.-]{1,40}:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)[\s>/]/.test(text)

/** The message in a document, or in the envelope that the document came in. */
function messageIn(element: XmlElement): XmlElement | undefined {
  const own = element.children.find(({ name }) => Object.hasOwn(MESSAGES, name))
  return own ?? element.children.map(messageIn).find((found) => found !== undefined)
}

type Money = { cents: bigint; currency: string }

/** An amount, which ISO 20022 writes with a point and without a sign; null where it is none. */
function moneyOf(amount: XmlElement | undefined): Money | null {
  const [, whole = '', fraction = ''] = /^\+?(\d{1,15})(?:\.(\d{1,5}))?$/.exec(amount?.text.trim() ?? '') ?? []
  if (!amount || whole === '' || !/^\d{0,2}0*$/.test(fraction)) return null
  return { cents: BigInt(whole + fraction.slice(0, 2).padEnd(2, '0')), currency: amount.attributes['Ccy'] ?? 'USD' }
}

/** Which way an entry went itself: of one that reverses another, too, whose own way was the opposite. */
function signOf(element: XmlElement): bigint | null {
  const side = textAt(element, 'CdtDbtInd')
  return side === 'CRDT' ? 1n : side === 'DBIT' ? -1n : null
}

/** What is said of all payments of an entry. */
const saidOf = (entry: XmlElement): string => textAt(entry, 'AddtlNtryInf') || textAt(entry, 'BkTxCd', 'Prtry', 'Cd')

/** The name of whoever is at the other end, or else what is said of the payment, or of all of its entry. */
function nameOf(details: XmlElement | null, ofEntry: string, sign: bigint): string {
  const roles = sign < 0n ? ['Cdtr', 'UltmtCdtr', 'Dbtr'] : ['Dbtr', 'UltmtDbtr', 'Cdtr']
  const parties = roles.flatMap((role) =>
    details ? [textAt(details, 'RltdPties', role, 'Nm'), textAt(details, 'RltdPties', role, 'Pty', 'Nm')] : [],
  )
  const said = [
    ...parties,
    details
      ? elementsAt(details, 'RmtInf', 'Ustrd')
          .map(({ text }) => text.trim())
          .join(' ')
      : '',
    details ? textAt(details, 'AddtlTxInf') : '',
    ofEntry,
  ]
  return said.find((text) => text !== '') ?? ''
}

type Part = { cents: bigint; name: string; index: number }

const amountOfDetails = (details: XmlElement): XmlElement | undefined =>
  elementsAt(details, 'Amt')[0] ?? elementsAt(details, 'AmtDtls', 'TxAmt', 'Amt')[0]

/** The payments of an entry that has several, where they come to its amount; else the entry as one payment. */
function partsOf(entry: XmlElement, total: Money, sign: bigint): Part[] {
  const details = elementsAt(entry, 'NtryDtls', 'TxDtls')
  const [first = null] = details
  const ofEntry = saidOf(entry)
  const whole = [{ cents: sign * total.cents, name: nameOf(first, ofEntry, sign), index: 0 }]
  if (details.length < 2) return whole
  const parts = details.flatMap((one, index) => {
    const money = moneyOf(amountOfDetails(one))
    const own = signOf(one) ?? sign
    return money?.currency === total.currency
      ? [{ cents: own * money.cents, name: nameOf(one, ofEntry, own), index }]
      : []
  })
  const sum = parts.reduce((cents, part) => cents + part.cents, 0n)
  if (parts.length === details.length && sum === sign * total.cents) return parts
  // What all of them are, rather than whom the first of them was with.
  return [{ cents: sign * total.cents, name: nameOf(null, ofEntry, sign) || nameOf(first, ofEntry, sign), index: 0 }]
}

const stateOf = (entry: XmlElement): string => textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')

type Read = { payments: { payment: ImportedPayment; index: number }[] } | Skip

function readEntry(entry: XmlElement, today: string): Read {
  const state = stateOf(entry)
  if (state !== 'BOOK' && state !== '') return { reason: 'pending' }
  const total = moneyOf(elementsAt(entry, 'Amt')[0])
  if (!total) return { reason: 'amount' }
  if (total.currency !== 'USD') return { reason: 'currency', currency: total.currency.slice(0, 12) }
  const sign = signOf(entry)
  if (sign === null) return { reason: 'direction' }
  if (total.cents === 0n) return { reason: 'zero' }
  const days = ['BookgDt', 'ValDt'].flatMap((name) => [textAt(entry, name, 'Dt'), textAt(entry, name, 'DtTm')])
  const day = days.find((text) => text !== '') ?? ''
  const bookedOn = readDay(day.slice(0, 10), 'ymd')
  const problem = dayProblem(bookedOn, today)
  if (problem) return problem
  const parts = partsOf(entry, total, sign).filter(({ cents }) => cents !== 0n)
  return {
    payments: parts.map(({ index, ...part }) => ({ payment: paymentOf({ bookedOn: bookedOn ?? '', ...part }), index })),
  }
}

const accountOf = (statement: XmlElement): string =>
  textAt(statement, 'Acct', 'Id', 'IBAN') || textAt(statement, 'Acct', 'Id', 'Othr', 'Id')

/** Whether a statement, of a message of that id, is of this bank. */
const isOwn = (messageId: string, statement: XmlElement): boolean =>
  textAt(statement, 'Acct', 'Svcr', 'FinInstnId', 'Nm') === CAMT_BANK &&
  messageId.startsWith(`${CAMT_BANK.toUpperCase()}-`)

/**
 * The payments of a camt.052, 053 or 054 of any version up to `today`, and the entries that are none, each with its reason. Throws Refusal:
 * `import_unreadable`, `import_too_long`, `import_is_own`, `import_amount_too_large`.
 */
export function paymentsOfCamt(text: string, { today }: FileReading): ReadEntries {
  const message = messageIn(readXml(text))
  const kind = message && MESSAGES[message.name as keyof typeof MESSAGES]
  if (!message || !kind) throw new Refusal('import_unreadable')
  const found: Identified[] = []
  const leftOut: LeftOutLine[] = []
  const messageId = textAt(message, 'GrpHdr', 'MsgId')
  let line = 0
  for (const statement of elementsAt(message, kind.part)) {
    if (isOwn(messageId, statement)) throw new Refusal('import_is_own')
    const account = accountOf(statement)
    for (const entry of elementsAt(statement, 'Ntry')) {
      line += 1
      const read = readEntry(entry, today)
      const reference = textAt(entry, 'AcctSvcrRef')
      if ('reason' in read) {
        const said = [textAt(entry, 'BookgDt', 'Dt'), saidOf(entry), elementsAt(entry, 'Amt')[0]?.text.trim() ?? '']
        leftOut.push(leftOutLine({ line, text: said.filter((part) => part !== '').join(' · '), ...read }))
      } else
        for (const { payment, index } of read.payments)
          found.push({ payment, account, id: reference === '' ? '' : `${reference}/${index}` })
      if (found.length > IMPORT_ROWS) throw new Refusal('import_too_long')
    }
  }
  return {
    payments: withBankIds(kind.format, found),
    leftOut,
    dateFormat: null,
    decimalMark: null,
    spending: null,
    questions: [],
  }
}
