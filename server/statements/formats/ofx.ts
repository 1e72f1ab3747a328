import { dayOf } from '#server/calendar/zone.ts'
import XMLBuilder from 'fast-xml-builder'
import { OWN_MOVES } from '#contract/categories.ts'
import { type Language, languageOf } from '#contract/languages.ts'
import { LINES_HERE, xmlPieces } from '#server/statements/formats/pieces.ts'
import { elementText, plainAmount, unlessEmpty } from '#server/statements/formats/plain.ts'
import type { Statement, StatementLine, StatementLines } from '#server/statements/reading/statement.ts'

/** ISO 639-2, as OFX names languages. */
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

/** Whom programs know the bank by, also where it has no routing number. */
export const OFX_BANK = 'ALDER'

/** The characters of OFX's types. */
const NAME_MOST = 32
const MEMO_MOST = 255

/** '20260828094100.000[0:GMT]'. */
const instantOf = (iso: string): string => `${iso.slice(0, 19).replaceAll(/[-:T]/g, '')}.000[0:GMT]`

/**
 * A day, at noon in Greenwich. Programs show it in their own time zone: midnight would be the day before in all of America.
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
  const isLong = Array.from(name).length > NAME_MOST
  // What a short name leaves out is said in full beside it.
  const memo = [isLong ? name : '', line.note, line.method].filter((part) => part !== '').join(' · ')
  return {
    TRNTYPE: kindOf(line),
    DTPOSTED: ofxDay(dayOf(new Date(line.bookedAt))),
    TRNAMT: plainAmount(line.amountMinor),
    FITID: line.id,
    REFNUM: line.transactionId,
    ...unlessEmpty('NAME', elementText(name, NAME_MOST)),
    ...unlessEmpty('MEMO', elementText(memo, MEMO_MOST)),
  }
}

/** The three that OFX names: programs that read it as SGML know of no other, so quotes stay as they are. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const BUILDER = new XMLBuilder({
  ignoreAttributes: false,
  format: true,
  processEntities: false,
  tagValueProcessor: (_name, value) => (typeof value === 'string' ? escaped(value) : value),
})

const DONE = { CODE: 0, SEVERITY: 'INFO' }

/**
 * A statement as OFX 2.1.1, which programs that keep personal accounts read, piece by piece. They have no place for an opening balance: it is the
 * ledger balance less the transactions.
 */
export function ofxOf(statement: Statement, lines: StatementLines): AsyncGenerator<string> {
  const { range, asset, madeAt, closingMinor } = statement
  const madeOn = dayOf(new Date(madeAt))
  // The days after today have not been.
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
