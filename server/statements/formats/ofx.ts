import { dayOf } from '#server/calendar/zone.ts'
import XMLBuilder from 'fast-xml-builder'
import { OWN_MOVES } from '#contract/categories.ts'
import { type Language, languageOf } from '#contract/languages.ts'
import { LINES_HERE, xmlPieces } from '#server/statements/formats/xml-pieces.ts'
import { elementText, plainAmount, unlessEmpty } from '#server/statements/formats/plain-text.ts'
import type { AccountStatement, StatementLine, StatementLines } from '#server/statements/reading/statement.ts'

/** The codes of ISO 639-2, which OFX uses for languages. */
const LANGUAGES: Record<Language, string> = {
  en: 'ENG',
  es: 'SPA',
  fr: 'FRA',
  it: 'ITA',
  de: 'DEU',
  pt: 'POR',
  nl: 'NLD',
  pl: 'POL',
  zh: 'ZHO',
  ja: 'JPN',
  ar: 'ARA',
}

/** The bank's name in OFX files. Programs identify the bank by this name, even if the bank has no routing number. */
export const OFX_BANK = 'ALDER'

/** The largest number of characters in a name and in a memo: OFX's types. */
const MAX_NAME = 32
const MAX_MEMO = 255

/** Returns an instant as OFX writes it: '20260828094100.000[0:GMT]'. */
const instantOf = (iso: string): string => `${iso.slice(0, 19).replaceAll(/[-:T]/g, '')}.000[0:GMT]`

/**
 * Returns a day as OFX writes it, at noon GMT. Programs show it in their own time zone, and midnight GMT would be the day
 * before everywhere in America.
 */
const ofxDay = (day: string): string => `${day.replaceAll('-', '')}120000.000[0:GMT]`

function kindOf({ purpose, methodCode, label, amountMinor }: StatementLine): string {
  if (label === 'savings.interest') return 'INT'
  if (methodCode?.endsWith('_card')) return 'POS'
  if (methodCode === 'direct_debit') return 'DIRECTDEBIT'
  if (OWN_MOVES.includes(purpose)) return 'XFER'
  return amountMinor < 0 ? 'DEBIT' : 'CREDIT'
}

function transactionOf(line: StatementLine) {
  const name = elementText(line.name, 1_000)
  const isLong = Array.from(name).length > MAX_NAME
  // If the name is too long for its field, the memo contains the full name.
  const memo = [isLong ? name : '', line.note, line.method].filter((part) => part !== '').join(' · ')
  return {
    TRNTYPE: kindOf(line),
    DTPOSTED: ofxDay(dayOf(new Date(line.bookedAt))),
    TRNAMT: plainAmount(line.amountMinor),
    FITID: line.id,
    REFNUM: line.transactionId,
    ...unlessEmpty('NAME', elementText(name, MAX_NAME)),
    ...unlessEmpty('MEMO', elementText(memo, MAX_MEMO)),
  }
}

/**
 * Escapes the three characters that OFX names. Programs that read OFX as SGML support no other entity, so quotes stay as they
 * are.
 */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const BUILDER = new XMLBuilder({
  ignoreAttributes: false,
  format: true,
  processEntities: false,
  tagValueProcessor: (_name, value) => (typeof value === 'string' ? escaped(value) : value),
})

const DONE = { CODE: 0, SEVERITY: 'INFO' }

/**
 * Yields a statement as OFX 2.1.1, piece by piece. Personal finance programs read this format. OFX has no field for an opening
 * balance. Programs compute it: the ledger balance less the transactions.
 */
export function ofxOf(statement: AccountStatement, lines: StatementLines): AsyncGenerator<string> {
  const { range, asset, madeAt, closingMinor } = statement
  const madeOn = dayOf(new Date(madeAt))
  // Days after today have no transactions yet, so the balance is as of today at the latest.
  const asOf = ofxDay(range.to < madeOn ? range.to : madeOn)
  const answer = {
    CURDEF: asset,
    BANKACCTFROM: {
      BANKID: statement.routingNumber ?? OFX_BANK,
      ACCTID: statement.accountNumber,
      ACCTTYPE: 'CHECKING',
    },
    BANKTRANLIST: {
      DTSTART: ofxDay(range.from),
      DTEND: ofxDay(range.to),
      ...LINES_HERE,
    },
    LEDGERBAL: { BALAMT: plainAmount(closingMinor), DTASOF: asOf },
  }
  const language = LANGUAGES[languageOf(statement.language)]
  const sign = { STATUS: DONE, DTSERVER: instantOf(madeAt), LANGUAGE: language, FI: { ORG: OFX_BANK, FID: OFX_BANK } }
  const document = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    '?OFX': {
      '@_OFXHEADER': '200',
      '@_VERSION': '211',
      '@_SECURITY': 'NONE',
      '@_OLDFILEUID': 'NONE',
      '@_NEWFILEUID': 'NONE',
    },
    OFX: {
      SIGNONMSGSRSV1: { SONRS: sign },
      BANKMSGSRSV1: { STMTTRNRS: { TRNUID: 0, STATUS: DONE, STMTRS: answer } },
    },
  }
  const elementOf = (line: StatementLine) => ({ STMTTRN: transactionOf(line) })
  return xmlPieces((part) => BUILDER.build(part), { document, lines, elementOf })
}
