import { expect, test } from 'vitest'
import { csvOf } from '#server/statements/formats/csv.ts'
import type { AccountStatement, StatementLine } from '#server/statements/reading/statement.ts'

const statement = { range: { from: '2026-08-01', to: '2026-08-28' }, asset: 'USD', openingMinor: 0, closingMinor: 0 }
const lineWith = (note: string) => ({
  id: '1',
  transactionId: 'TXN1',
  reference: 'REF1',
  bookedAt: '2026-08-03T10:00:00.000Z',
  name: 'Shop',
  method: '',
  category: 'Food',
  note,
  purpose: 'food',
  methodCode: null,
  label: null,
  amountMinor: -1,
  balanceMinor: 0,
})

async function noteCell(note: string): Promise<string> {
  async function* lines() {
    yield [lineWith(note) as StatementLine]
  }
  const pieces: string[] = []
  for await (const piece of csvOf(statement as AccountStatement, lines(), 'comma')) pieces.push(piece)
  return pieces[1]?.split(',')[7] ?? ''
}

test.each([
  '00123',
  '1234567890123456789',
  '1-2',
  '3/4',
  '12:30',
  '10:30 pm',
  '5 %',
  '1E5',
  '$5.00',
  'TRUE',
  'Mar 5',
  '5-Mar',
  'SEPT2',
  'May 2026',
  '3. August 2026',
  '2026-08-03',
  '(12)',
])('a spreadsheet keeps %s unchanged', async (note) => {
  expect(await noteCell(note)).toBe(`"'${note}"`)
})

test.each(['7-Eleven', 'Gate 5', 'Rent', 'Marina 5', 'Invoice 00123', 'X1', '24/7 Gym'])(
  '%s is not changed',
  async (note) => {
    expect(await noteCell(note)).toBe(`"${note}"`)
  },
)
