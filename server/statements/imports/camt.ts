import { Refusal } from '#contract/errors.ts'
import { IMPORT_ROWS } from '#contract/statement-formats.ts'
import { type ImportedPayment, type LeftOutLine } from '#contract/statements.ts'
import { CAMT_BANK } from '#server/statements/formats/camt.ts'
import { readDay } from '#server/statements/imports/read-day.ts'
import {
  dayProblem,
  type FileReading,
  type BankIdPayment,
  leftOutLine,
  paymentOf,
  type ReadEntries,
  type SkipReason,
  withBankIds,
} from '#server/statements/imports/found-payments.ts'
import { elementsAt, readXml, textAt, type XmlElement } from '#server/statements/imports/xml-tree.ts'

/**
 * The ISO 20022 messages that contain entries: the statement of a period, the report of a day, and the notice of single
 * payments.
 */
const MESSAGES = {
  BkToCstmrStmt: { format: 'camt.053', part: 'Stmt' },
  BkToCstmrAcctRpt: { format: 'camt.052', part: 'Rpt' },
  BkToCstmrDbtCdtNtfctn: { format: 'camt.054', part: 'Ntfctn' },
} as const

/** Returns whether a text is one of these messages. */
export const isCamt = (text: string): boolean =>
  /<(?:[\w.-]{1,40}:)?BkToCstmr(?:Stmt|AcctRpt|DbtCdtNtfctn)[\s>/]/.test(text)

/** Returns the message in a document, or in the envelope around the document. */
function messageIn(element: XmlElement): XmlElement | undefined {
  const messageElement = element.children.find(({ name }) => Object.hasOwn(MESSAGES, name))
  return messageElement ?? element.children.map(messageIn).find((message) => message !== undefined)
}

type Money = { cents: bigint; currency: string }

/** Returns an amount, which ISO 20022 writes with a decimal point and without a sign, or null if the text is no amount. */
function moneyOf(amount: XmlElement | undefined): Money | null {
  const [, wholeDigits = '', fraction = ''] = /^\+?(\d{1,15})(?:\.(\d{1,5}))?$/.exec(amount?.text.trim() ?? '') ?? []
  if (!amount || wholeDigits === '' || !/^\d{0,2}0*$/.test(fraction)) return null
  return {
    cents: BigInt(wholeDigits + fraction.slice(0, 2).padEnd(2, '0')),
    currency: amount.attributes['Ccy'] ?? 'USD',
  }
}

/**
 * Returns the sign of an entry: 1 for a credit, -1 for a debit. Returns null if the entry has no direction. A reversal needs no
 * special case, because its field contains the reversal's own direction.
 */
function signOf(element: XmlElement): bigint | null {
  const side = textAt(element, 'CdtDbtInd')
  return side === 'CRDT' ? 1n : side === 'DBIT' ? -1n : null
}

/** Returns the description that applies to all payments of an entry. */
const descriptionOf = (entry: XmlElement): string =>
  textAt(entry, 'AddtlNtryInf') || textAt(entry, 'BkTxCd', 'Prtry', 'Cd')

/**
 * Returns the name of the other party. If its name is missing, returns the description of the payment, or else of its entry.
 */
function nameOf(details: XmlElement | null, ofEntry: string, sign: bigint): string {
  const roles = sign < 0n ? ['Cdtr', 'UltmtCdtr', 'Dbtr'] : ['Dbtr', 'UltmtDbtr', 'Cdtr']
  const parties = roles.flatMap((role) =>
    details ? [textAt(details, 'RltdPties', role, 'Nm'), textAt(details, 'RltdPties', role, 'Pty', 'Nm')] : [],
  )
  const descriptions = [
    ...parties,
    details
      ? elementsAt(details, 'RmtInf', 'Ustrd')
          .map(({ text }) => text.trim())
          .join(' ')
      : '',
    details ? textAt(details, 'AddtlTxInf') : '',
    ofEntry,
  ]
  return descriptions.find((text) => text !== '') ?? ''
}

type Part = { cents: bigint; name: string; index: number }

const amountOfDetails = (details: XmlElement): XmlElement | undefined =>
  elementsAt(details, 'Amt')[0] ?? elementsAt(details, 'AmtDtls', 'TxAmt', 'Amt')[0]

/**
 * Returns the single payments of an entry if they add up to the entry's amount. If not, returns the whole entry as one payment.
 */
function partsOf(entry: XmlElement, total: Money, sign: bigint): Part[] {
  const details = elementsAt(entry, 'NtryDtls', 'TxDtls')
  const [first = null] = details
  const ofEntry = descriptionOf(entry)
  const undividedEntry = [{ cents: sign * total.cents, name: nameOf(first, ofEntry, sign), index: 0 }]
  if (details.length < 2) return undividedEntry
  const parts = details.flatMap((detail, index) => {
    const money = moneyOf(amountOfDetails(detail))
    const direction = signOf(detail) ?? sign
    return money?.currency === total.currency
      ? [{ cents: direction * money.cents, name: nameOf(detail, ofEntry, direction), index }]
      : []
  })
  const sum = parts.reduce((cents, part) => cents + part.cents, 0n)
  if (parts.length === details.length && sum === sign * total.cents) return parts
  // The entry's description applies to all of its payments, so it is preferred to the name of the first payment's party.
  return [{ cents: sign * total.cents, name: nameOf(null, ofEntry, sign) || nameOf(first, ofEntry, sign), index: 0 }]
}

const stateOf = (entry: XmlElement): string => textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')

type Read = { payments: { payment: ImportedPayment; index: number }[] } | SkipReason

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

/** Returns whether this bank issued the statement. */
const isOwn = (messageId: string, statement: XmlElement): boolean =>
  textAt(statement, 'Acct', 'Svcr', 'FinInstnId', 'Nm') === CAMT_BANK &&
  messageId.startsWith(`${CAMT_BANK.toUpperCase()}-`)

/**
 * Returns the payments of a camt.052, 053 or 054 of any version up to `today`, and each entry that is left out, with its
 * reason. Throws Refusal: `import_unreadable`, `import_too_long`, `import_is_own`, `import_amount_too_large`.
 */
export function paymentsOfCamt(text: string, { today }: FileReading): ReadEntries {
  const message = messageIn(readXml(text))
  const kind = message && MESSAGES[message.name as keyof typeof MESSAGES]
  if (!message || !kind) throw new Refusal('import_unreadable')
  const payments: BankIdPayment[] = []
  const leftOut: LeftOutLine[] = []
  const messageId = textAt(message, 'GrpHdr', 'MsgId')
  let line = 0
  for (const statement of elementsAt(message, kind.part)) {
    if (isOwn(messageId, statement)) throw new Refusal('import_is_own')
    const account = accountOf(statement)
    for (const entry of elementsAt(statement, 'Ntry')) {
      line += 1
      const result = readEntry(entry, today)
      const reference = textAt(entry, 'AcctSvcrRef')
      if ('reason' in result) {
        const parts = [
          textAt(entry, 'BookgDt', 'Dt'),
          descriptionOf(entry),
          elementsAt(entry, 'Amt')[0]?.text.trim() ?? '',
        ]
        leftOut.push(leftOutLine({ line, text: parts.filter((part) => part !== '').join(' · '), ...result }))
      } else
        for (const { payment, index } of result.payments)
          payments.push({ payment, account, id: reference === '' ? '' : `${reference}/${index}` })
      if (payments.length > IMPORT_ROWS) throw new Refusal('import_too_long')
    }
  }
  return {
    payments: withBankIds(kind.format, payments),
    leftOut,
    dateFormat: null,
    decimalMark: null,
    spending: null,
    questions: [],
  }
}
