import { expect, test } from 'vitest'
import { type ReadOutcome, readImport, type FileToRead } from '#server/statements/imports/read-file.ts'

/** OFX and camt files of other banks. */

type FileOptions = Partial<Omit<FileToRead, 'content'>>
const readOutcome = (file: string | Buffer, options: FileOptions = {}): ReadOutcome =>
  readImport({
    content: Buffer.from(file).toString('base64'),
    mapping: null,
    encoding: null,
    dateFormat: null,
    decimalMark: null,
    spending: null,
    today: '2026-08-28',
    language: 'en',
    ...options,
  })

function findPayments(file: string | Buffer, options?: FileOptions) {
  const outcome = readOutcome(file, options)
  if ('refused' in outcome) return { refused: outcome.refused }
  const { payments, leftOut, questions } = outcome.read
  return {
    payments: payments.map(
      ({ bookedOn, name, amountMinor }) => `${bookedOn} ${name} ${(amountMinor / 100).toFixed(2)}`,
    ),
    leftOut: leftOut.map(({ line, reason, currency }) => `${line} ${reason}${currency === null ? '' : ` ${currency}`}`),
    questions,
  }
}

const ofx = (transactions: string, { charset = '1252', currency = 'USD' } = {}) =>
  `OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:${charset}\n\n<OFX><STMTRS><CURDEF>${currency}<BANKTRANLIST>${transactions}</BANKTRANLIST></STMTRS></OFX>`
const line = (amount: string, { day = '20260803', name = 'SHOP', id = '1', kind = 'OTHER' } = {}) =>
  `<STMTTRN><TRNTYPE>${kind}<DTPOSTED>${day}<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>\n`

test('the encoding of an OFX file is detected from its bytes before its label', () => {
  const file = ofx(line('-1.00', { name: 'PRESTAÇÃO' }))
  expect(readOutcome(file)).toMatchObject({ read: { encoding: 'utf-8', payments: [{ name: 'PRESTAÇÃO' }] } })
  for (const charset of ['1252', 'ISO-8859-1', 'NONE', '8859-1'])
    expect(readOutcome(Buffer.from(ofx(line('-1.00', { name: 'CAF\u00C9' }), { charset }), 'latin1'))).toMatchObject({
      read: { encoding: 'windows-1252', payments: [{ name: 'CAFÉ' }] },
    })
  const polish = Buffer.concat([
    Buffer.from(ofx('', { charset: '1250' }).replace('</BANKTRANLIST>', '')),
    Buffer.from(line('-1.00', { name: 'X' }).replace('X', 'aZ')),
    Buffer.from([0x9f]),
  ])
  expect(readOutcome(polish)).toMatchObject({ read: { encoding: 'windows-1250' } })
  const xml =
    '<?xml version="1.0" encoding="ISO-8859-1"?><?OFX OFXHEADER="200"?><OFX>' +
    line('-1.00', { name: 'prépayée' }) +
    '</OFX>'
  expect(readOutcome(xml)).toMatchObject({ read: { payments: [{ name: 'prépayée' }] } })
})

test('OFX dates may have two, four or six digits of time, and the country’s format', () => {
  const days = [
    '2021051312',
    '202105131120',
    '20210513120000.123[-5:EST]',
    '2021-05-13',
    '05/13/2021',
    '20210513T120000',
  ]
  expect(findPayments(ofx(days.map((day, index) => line('-1.00', { day, id: String(index) })).join('')))).toEqual({
    payments: days.map(() => '2021-05-13 SHOP -1.00'),
    leftOut: [],
    questions: [],
  })
  expect(findPayments(ofx(line('-1.00', { day: '03/04/2026' })), { language: 'de' })).toMatchObject({
    leftOut: ['1 date'],
    questions: ['dateFormat'],
  })
  expect(findPayments(ofx(line('-1.00', { day: '03/04/2026' })), { language: 'de', dateFormat: 'dmy' })).toEqual({
    payments: ['2026-04-03 SHOP -1.00'],
    leftOut: [],
    questions: [],
  })
})

test('an ambiguous OFX amount is asked about', () => {
  const file = ofx(line('1,400') + line('-5', { id: '2' }))
  expect(findPayments(file)).toEqual({
    payments: ['2026-08-03 SHOP -5.00'],
    leftOut: ['1 amount_unsure'],
    questions: ['decimalMark'],
  })
  expect(findPayments(file, { decimalMark: '.' })).toMatchObject({
    payments: ['2026-08-03 SHOP 1400.00', '2026-08-03 SHOP -5.00'],
  })
  expect(findPayments(file, { decimalMark: ',' })).toMatchObject({
    payments: ['2026-08-03 SHOP 1.40', '2026-08-03 SHOP -5.00'],
  })
})

test('if no OFX amount has a sign, the kinds of payments determine it', () => {
  const kinds =
    line('5.00', { kind: 'DEBIT' }) +
    line('9.00', { kind: 'CREDIT', id: '2' }) +
    line('1.00', { kind: 'OTHER', id: '3' })
  expect(findPayments(ofx(kinds))).toMatchObject({
    payments: ['2026-08-03 SHOP -5.00', '2026-08-03 SHOP 9.00'],
    leftOut: ['3 direction'],
  })
  expect(findPayments(ofx(line('-5.00', { kind: 'DEBIT' }) + line('9.00', { kind: 'DEBIT', id: '2' })))).toMatchObject({
    payments: ['2026-08-03 SHOP -5.00', '2026-08-03 SHOP 9.00'],
  })
  expect(findPayments(ofx(line('5.00')), { spending: 'positive' })).toMatchObject({
    payments: ['2026-08-03 SHOP -5.00'],
  })
})

test('balances and other currencies in OFX are omitted', () => {
  const transactions = line('1500.00', { name: 'Saldo Anterior', id: '' }) + line('-4.00', { id: '' })
  expect(findPayments(ofx(transactions))).toEqual({
    payments: ['2026-08-03 SHOP -4.00'],
    leftOut: ['1 balance'],
    questions: [],
  })
  expect(findPayments(ofx(line('-4.00'), { currency: 'EUR' }))).toMatchObject({
    payments: [],
    leftOut: ['1 currency EUR'],
  })
})

const identities = (file: string) => {
  const outcome = readOutcome(file)
  return 'read' in outcome ? outcome.read.payments.map(({ identity }) => identity) : []
}

test('an id is not an identity: three payments share one, and two files have the same', () => {
  const sharedId = ofx(
    line('-25.00') +
      line('-0.75', { name: 'FEE' }) +
      line('-12.00', { name: 'CAFE' }) +
      line('-12.00', { name: 'CAFE' }),
  )
  expect(new Set(identities(sharedId)).size).toBe(3)
  expect(identities(sharedId)).toEqual(identities(sharedId))
  expect(identities(ofx(line('-1980.01')))).not.toEqual(identities(ofx(line('-20.00', { day: '20260802' }))))
})

const camt = (entries: string, { message = 'BkToCstmrStmt', part = 'Stmt', version = '053.001.08' } = {}) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${version}"><${message}><GrpHdr><MsgId>M</MsgId></GrpHdr><${part}><Acct><Id><IBAN>DE1</IBAN></Id></Acct><Bal><Tp><CdOrPrtry><Cd>PRCD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-07-31</Dt></Dt></Bal>${entries}</${part}></${message}></Document>`
type Entry = {
  amount?: string
  side?: string
  state?: string
  day?: string
  details?: string
  more?: string
  currency?: string
}
const entry = ({
  amount = '12.50',
  side = 'DBIT',
  state = '<Sts>BOOK</Sts>',
  day = '<Dt>2026-08-03</Dt>',
  details = '',
  more = '',
  currency = 'USD',
}: Entry = {}) =>
  `<Ntry><Amt Ccy="${currency}">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd>${more}${state}<BookgDt>${day}</BookgDt><NtryDtls>${details}</NtryDtls></Ntry>`
const party = (role: string, name: string, amount = '') =>
  `<TxDtls>${amount}<RltdPties><${role}><Nm>${name}</Nm></${role}></RltdPties></TxDtls>`

test.each([
  ['053', 'BkToCstmrStmt', 'Stmt'],
  ['052', 'BkToCstmrAcctRpt', 'Rpt'],
  ['054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
])('camt.%s of old and new versions is understood', (number, message, part) => {
  const oldVersion = camt(entry({ details: party('Cdtr', 'Shop') }), { message, part, version: `${number}.001.02` })
  const recentVersion = camt(
    entry({
      state: '<Sts><Cd>BOOK</Cd></Sts>',
      day: '<DtTm>2026-08-03T23:59:59+02:00</DtTm>',
      details: '<TxDtls><RltdPties><Cdtr><Pty><Nm>Shop</Nm></Pty></Cdtr></RltdPties></TxDtls>',
    }),
    { message, part },
  )
  for (const file of [oldVersion, recentVersion])
    expect(findPayments(file)).toEqual({ payments: ['2026-08-03 Shop -12.50'], leftOut: [], questions: [] })
  expect(
    findPayments(oldVersion.replaceAll(/<(\/?)(?=[A-Z])/g, '<$1ns2:').replace('xmlns=', 'xmlns:ns2=')),
  ).toMatchObject({
    payments: ['2026-08-03 Shop -12.50'],
  })
})

test('an entry of several payments is split if they add up to its amount, and is one otherwise', () => {
  const amount = (value: string) => `<Amt Ccy="USD">${value}</Amt>`
  const inside = (value: string) => `<AmtDtls><TxAmt><Amt Ccy="USD">${value}</Amt></TxAmt></AmtDtls>`
  const details = party('Cdtr', 'Ann', amount('5.00')) + party('Cdtr', 'Bob', inside('7.50'))
  expect(findPayments(camt(entry({ details })))).toMatchObject({
    payments: ['2026-08-03 Ann -5.00', '2026-08-03 Bob -7.50'],
  })
  const partial = party('Cdtr', 'Ann', amount('5.00')) + party('Cdtr', 'Bob')
  expect(findPayments(camt(entry({ details: partial })))).toMatchObject({ payments: ['2026-08-03 Ann -12.50'] })
})

test('a reversal has its declared direction, and entries that are not booked are omitted', () => {
  const reversal = entry({ side: 'CRDT', more: '<RvslInd>true</RvslInd>', details: party('Cdtr', 'Shop') })
  expect(findPayments(camt(reversal))).toMatchObject({ payments: ['2026-08-03 Shop 12.50'] })
  const otherEntries = [
    entry({ state: '<Sts>PDNG</Sts>' }),
    entry({ state: '<Sts><Cd>INFO</Cd></Sts>' }),
    entry({ currency: 'EUR' }),
    entry({ amount: '1,50' }),
    entry({ amount: '0.00' }),
    entry({ side: '' }),
    entry({ day: '<Dt>2026-08-29</Dt>' }),
  ]
  expect(findPayments(camt(otherEntries.join('')))).toEqual({
    payments: [],
    leftOut: ['1 pending', '2 pending', '3 currency EUR', '4 amount', '5 zero', '6 direction', '7 future'],
    questions: [],
  })
  expect(findPayments(camt(''))).toEqual({ payments: [], leftOut: [], questions: [] })
})

test('an entry that is in two reports is one payment', () => {
  const referencedEntry = entry({ details: party('Cdtr', 'Shop') }).replace(
    '<BookgDt>',
    '<AcctSvcrRef>R1</AcctSvcrRef><BookgDt>',
  )
  const again = camt(referencedEntry, { message: 'BkToCstmrAcctRpt', part: 'Rpt' })
  expect(identities(again)).toEqual(identities(camt(referencedEntry)))
})

test.each([
  ['an entity expansion bomb', camt(entry()).replace('?><', '?><!DOCTYPE x [<!ENTITY a "aa">]><')],
  ['an unknown entity', camt(entry({ details: party('Cdtr', '&xxe;') }))],
  ['endless nesting', camt('<A>'.repeat(10_000))],
  ['XML that is not well-formed', camt('<Ntry>')],
  ['another message type', camt('').replaceAll('BkToCstmrStmt', 'CstmrCdtTrfInitn')],
])('%s is refused', (_case, file) => {
  expect(findPayments(file)).toEqual({ refused: 'import_unreadable' })
})
