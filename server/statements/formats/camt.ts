import { dayAfter } from '#server/calendar/days.ts'
import { dayOf, timeOn } from '#server/calendar/zone.ts'
import { hash } from 'node:crypto'
import XMLBuilder from 'fast-xml-builder'
import { isoAt } from '#server/platform/time-zone.ts'
import { LINES_HERE, xmlPieces } from '#server/statements/formats/xml-pieces.ts'
import { elementText, plainAmount, unlessEmpty } from '#server/statements/formats/plain-text.ts'
import type { AccountStatement, StatementLine, StatementLines } from '#server/statements/reading/statement.ts'

/** The bank's name in camt messages. */
export const CAMT_BANK = 'Alder'

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'

/** ISO 20022 writes amounts without a sign. A separate code gives the direction. */
const sideOf = (minor: number) => (minor < 0 ? 'DBIT' : 'CRDT')
const absolute = (minor: number) => plainAmount(Math.abs(minor))
const amountOf = (minor: number, asset: string) => ({ '@_Ccy': asset, '#text': absolute(minor) })

function balanceOf(code: 'OPBD' | 'CLBD', minor: number, { asset, day }: { asset: string; day: string }) {
  return {
    Tp: { CdOrPrtry: { Cd: code } },
    Amt: amountOf(minor, asset),
    CdtDbtInd: sideOf(minor),
    Dt: { Dt: day },
  }
}

function totalsOf({ inMinor, outMinor, count, inCount }: AccountStatement) {
  const net = inMinor - outMinor
  return {
    TtlNtries: {
      NbOfNtries: String(count),
      Sum: plainAmount(inMinor + outMinor),
      TtlNetNtry: { Amt: absolute(net), CdtDbtInd: sideOf(net) },
    },
    TtlCdtNtries: { NbOfNtries: String(inCount), Sum: plainAmount(inMinor) },
    TtlDbtNtries: { NbOfNtries: String(count - inCount), Sum: plainAmount(outMinor) },
  }
}

function entryOf(line: StatementLine, asset: string) {
  const name = elementText(line.name, 140)
  const money = { Amt: amountOf(line.amountMinor, asset), CdtDbtInd: sideOf(line.amountMinor) }
  const party = { Pty: { Nm: name } }
  const note = elementText(line.note, 140)
  return {
    NtryRef: line.id,
    ...money,
    Sts: { Cd: 'BOOK' },
    BookgDt: { DtTm: isoAt(new Date(line.bookedAt)) },
    ValDt: { Dt: dayOf(new Date(line.bookedAt)) },
    AcctSvcrRef: line.transactionId,
    BkTxCd: { Prtry: { Cd: line.purpose.toUpperCase(), Issr: 'Alder' } },
    NtryDtls: {
      TxDtls: {
        Refs: { AcctSvcrRef: line.transactionId, EndToEndId: line.reference },
        ...money,
        ...(name === '' ? {} : { RltdPties: line.amountMinor < 0 ? { Cdtr: party } : { Dbtr: party } }),
        ...(note === '' ? {} : { RmtInf: { Ustrd: note } }),
      },
    },
    ...unlessEmpty('AddtlNtryInf', elementText([line.name, line.method].filter(Boolean).join(' · '), 500)),
  }
}

/**
 * Returns the id of a message, 35 characters at most. Equal content gives an equal id, and different content a different one.
 * The lines are not part of the content. Entries are only ever added, so two statements of the same days with different lines
 * also differ in their number of lines or their sums.
 */
function messageIdOf({ madeAt: _madeAt, ...content }: AccountStatement): string {
  const digest = hash('sha256', JSON.stringify(content), 'hex').slice(0, 16)
  return `ALDER-${content.accountNumber}-${digest}`
}

/**
 * The bank as a member of the clearing system. `USABA` is the code for US routing numbers in ISO 20022's external code sets.
 */
const clearingOf = ({ routingNumber }: AccountStatement) =>
  routingNumber === null ? {} : { ClrSysMmbId: { ClrSysId: { Cd: 'USABA' }, MmbId: routingNumber } }

const BUILDER = new XMLBuilder({ ignoreAttributes: false, format: true })

/** Yields a statement as ISO 20022 camt.053.001.08, piece by piece. Business accounting programs read this format. */
export function camtOf(statement: AccountStatement, lines: StatementLines): AsyncGenerator<string> {
  const { range, asset, madeAt, openingMinor, closingMinor } = statement
  const id = messageIdOf(statement)
  const until = isoAt(new Date(timeOn(dayAfter(range.to)).getTime() - 1000))
  const createdAt = isoAt(new Date(madeAt))
  const document = {
    '?xml': { '@_version': '1.0', '@_encoding': 'UTF-8' },
    Document: {
      '@_xmlns': NAMESPACE,
      BkToCstmrStmt: {
        GrpHdr: { MsgId: id, CreDtTm: createdAt },
        Stmt: {
          Id: id,
          CreDtTm: createdAt,
          FrToDt: { FrDtTm: isoAt(timeOn(range.from)), ToDtTm: until },
          Acct: {
            Id: { Othr: { Id: statement.accountNumber } },
            Ccy: asset,
            Nm: elementText(statement.accountName, 70),
            Ownr: { Nm: elementText(statement.holderName, 140) },
            Svcr: { FinInstnId: { ...clearingOf(statement), Nm: CAMT_BANK } },
          },
          Bal: [
            balanceOf('OPBD', openingMinor, { asset, day: range.from }),
            balanceOf('CLBD', closingMinor, { asset, day: range.to }),
          ],
          TxsSummry: totalsOf(statement),
          ...LINES_HERE,
        },
      },
    },
  }
  const elementOf = (line: StatementLine) => ({ Ntry: entryOf(line, asset) })
  return xmlPieces((part) => BUILDER.build(part), { document, lines, elementOf })
}
