import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fold } from '#contract/folding.ts'
import { type LineName, lineNamed } from '#contract/line-texts.ts'
import { nameInWords } from '#server/test/line-texts.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn, type Run } from '#server/platform/db/run.ts'
import { accountsById, openAccounts } from '#server/ledger/accounts.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { flowOf, flowsByMonth, monthInCategory } from '#server/ledger/flows.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import { findLine, type LineFilters, listLines } from '#server/ledger/statement.ts'
import type { AccountId, Detail, Ledger, Leg, Operation } from '#server/ledger/types.ts'
import { testDatabase, type TestDatabase } from '#server/test/database.ts'

const CLEARING = bankAccount('ach_clearing')
const SHOPS = bankAccount('card_scheme')

let database: TestDatabase
let pool: pg.Pool
let run: Run
let ledger: Ledger
let current: AccountId
let savings: AccountId
let friend: AccountId

beforeAll(async () => {
  database = await testDatabase()
  pool = openPool(database.appUrl, { max: 2 })
  run = runOn(pool)
  ledger = createLedger({ url: database.appUrl })
})
afterAll(async () => {
  await ledger.close()
  await pool.end()
  await database.drop()
})
beforeEach(async () => {
  const holderId = randomUUID()
  const opened = await openAccounts(run, [
    { holderId, code: 'current', asset: 'USD' },
    { holderId, code: 'savings', asset: 'USD' },
    { holderId: randomUUID(), code: 'current', asset: 'USD' },
  ])
  ;[current = 0, savings = 0, friend = 0] = opened
})

/** Books one operation on the given day of August 2026 and returns its id. */
async function book(day: number, leg: Leg, detail: Detail = {}, more: Partial<Operation> = {}): Promise<string> {
  const id = randomUUID()
  const bookedAt = new Date(Date.UTC(2026, 7, day, 12))
  await ledger.post({ id, kind: 'test', fingerprint: id, bookedAt, legs: [{ ...leg, detail }], ...more })
  return id
}

const transfer = (debit: AccountId, credit: AccountId, amountMinor: number): Leg => ({
  kind: 'transfer',
  debit,
  credit,
  amountMinor,
})
const hold = (debit: AccountId, credit: AccountId, amountMinor: number): Leg => ({
  kind: 'hold',
  debit,
  credit,
  amountMinor,
})

const nameOrEmpty = (name: LineName | null): string => (name ? nameInWords(name) : '')

async function amounts(filters: LineFilters = {}): Promise<number[]> {
  const { lines } = await listLines(run, { accountId: current, filters, limit: 50 })
  return lines.map((line) => line.amountMinor)
}

test('a statement lists booked and pending entries, and each party sees its own name for them', async () => {
  await book(1, transfer(CLEARING, current, 1_000), { creditName: 'Employer', category: 'income' })
  await book(2, transfer(current, friend, 300), { debitName: 'My friend', creditName: 'Me', note: 'Pizza' })
  const pending = await book(3, hold(current, CLEARING, 200), { debitName: 'A stranger' })
  const { lines } = await listLines(run, { accountId: current, filters: {}, limit: 10 })
  expect(
    lines.map(({ name, amountMinor, status, balanceAfterMinor }) => [
      nameOrEmpty(name),
      amountMinor,
      status,
      balanceAfterMinor,
    ]),
  ).toEqual([
    ['A stranger', -200, 'pending', null],
    ['My friend', -300, 'completed', 700],
    ['Employer', 1_000, 'completed', 1_000],
  ])
  const friendLines = await listLines(run, { accountId: friend, filters: {}, limit: 10 })
  expect(friendLines.lines).toMatchObject([{ name: lineNamed('Me'), amountMinor: 300, note: 'Pizza', side: 'credit' }])
  expect(await accountsById(run, [CLEARING])).toMatchObject([{ incomingMinor: 200 }])
  expect(await findLine(run, current, pending)).toMatchObject({ status: 'pending', holdId: pending })
})

test('a line keeps its id when it settles, and a released hold stays visible', async () => {
  await book(1, transfer(CLEARING, current, 1_000))
  const holdId = await book(2, hold(current, SHOPS, 200))
  const freed = await book(3, hold(current, SHOPS, 100))
  await book(4, { kind: 'post', holdId: holdId, amountMinor: 150 }, { debitName: 'Shop' })
  await book(4, { kind: 'void', holdId: freed })
  expect(await findLine(run, current, holdId)).toMatchObject({
    id: holdId,
    status: 'completed',
    amountMinor: -150,
    name: lineNamed('Shop'),
  })
  expect(await findLine(run, current, freed)).toMatchObject({ id: freed, status: 'returned', amountMinor: -100 })
  expect(await amounts({ status: 'completed' })).toEqual([-150, 1_000])
  expect(await amounts({ status: 'returned' })).toEqual([-100])
  expect(await amounts({ status: 'pending' })).toEqual([])
})

test('pages have no gap or overlap, including holds among entries, for every page size', async () => {
  await book(1, transfer(CLEARING, current, 10_000))
  for (let day = 2; day <= 20; day += 1) {
    if (day % 3 === 0) await book(day, hold(current, SHOPS, day))
    else await book(day, transfer(current, SHOPS, day))
  }
  const allAmounts = await amounts()
  expect(allAmounts).toHaveLength(20)
  for (const limit of [1, 2, 3, 7, 19, 20]) {
    const pagedAmounts: number[] = []
    let cursor: string | null | undefined
    do {
      const page = await listLines(run, { accountId: current, filters: {}, limit, cursor: cursor ?? undefined })
      expect(page.lines.length).toBeLessThanOrEqual(limit)
      pagedAmounts.push(...page.lines.map((line) => line.amountMinor))
      cursor = page.nextCursor
    } while (cursor)
    expect(pagedAmounts, `pages of ${limit}`).toEqual(allAmounts)
  }
})

test.each([
  '',
  'x',
  'bm9uc2Vuc2U',
  Buffer.from('[1,2]').toString('base64url'),
  Buffer.from('{"a":1}').toString('base64url'),
  Buffer.from('["1"]').toString('base64url'),
])('the cursor %j is refused', async (cursor) => {
  await expect(listLines(run, { accountId: current, filters: {}, limit: 5, cursor })).rejects.toMatchObject({
    code: 'cursor_invalid',
  })
})

test('filters find by text, amount, date, category and status', async () => {
  await book(1, transfer(CLEARING, current, 5_000_00), { creditName: 'Employer', category: 'income' })
  const odd = await book(5, transfer(current, SHOPS, 12_50), {
    debitName: '100% Wool_Shop',
    category: 'shopping',
    method: 'debit_card',
    params: { lastFour: '1234' },
  })
  await book(6, transfer(current, SHOPS, 3_00), { debitName: 'Café Olé', category: 'food', note: 'with Zoë' })
  expect(await amounts({ q: 'wool' })).toEqual([-12_50])
  expect(await amounts({ q: '%' })).toEqual([-12_50])
  expect(await amounts({ q: 'l_s' })).toEqual([-12_50])
  expect(await amounts({ q: 'zoë' })).toEqual([-3_00])
  expect(await amounts({ q: '1234' })).toEqual([-12_50])
  // Fewer than four digits of a card must not find all payments of the card.
  for (const q of ['12', '34', '123', '4']) expect(await amounts({ q })).toEqual([])
  for (const q of ['zoe', 'ZOE\u0308', 'cafe  ole', 'CAFE\u0301'])
    expect([q, await amounts({ q })]).toEqual([q, [-3_00]])
  expect(await amounts({ q: '12.50' })).toEqual([-12_50])
  expect(await amounts({ q: '-$12.5' })).toEqual([-12_50])
  expect(await amounts({ q: '5,000' })).toEqual([5_000_00])
  expect(await amounts({ q: 'nothing like it' })).toEqual([])
  expect(await amounts({ q: 'TXN', originIds: [odd] })).toEqual([-12_50])
  expect(await amounts({ q: `'; DROP TABLE ledger.transfer; --` })).toEqual([])
  expect(await amounts({ minMinor: 3_00, maxMinor: 12_50 })).toEqual([-3_00, -12_50])
  expect(await amounts({ from: '2026-08-05', to: '2026-08-05' })).toEqual([-12_50])
  expect(await amounts({ category: 'food' })).toEqual([-3_00])
})

test('an id that is unknown, invalid or of another account finds nothing', async () => {
  const id = await book(1, transfer(CLEARING, current, 10))
  expect(await findLine(run, current, id)).not.toBeNull()
  for (const other of [randomUUID(), '', 'x', `${id}.1`, `${id}.0`, `${id}.x`, `${id}' OR true`]) {
    expect(await findLine(run, current, other)).toBeNull()
  }
  expect(await findLine(run, friend, id)).toBeNull()
})

test('income and spending exclude moves between own accounts, and a refund reduces the spending', async () => {
  await book(1, transfer(CLEARING, current, 5_000), { category: 'income' })
  await book(2, transfer(CLEARING, current, 700), { category: 'top_up' })
  await book(3, transfer(current, savings, 1_000), { category: 'savings' })
  await book(4, transfer(current, SHOPS, 400), { category: 'food' })
  const bought = await book(5, transfer(current, SHOPS, 250), { category: 'shopping' })
  await book(6, transfer(SHOPS, current, 100), { category: 'food' })
  await book(7, transfer(current, friend, 50), { category: 'transfer' })
  await book(8, transfer(current, SHOPS, 1), { category: 'shopping' }, { legs: [], reverses: bought })
  const period = { from: new Date('2026-08-01'), to: new Date('2026-09-01') }
  expect(await flowOf(run, [current], period)).toEqual({ incomeMinor: 5_000, expensesMinor: 350, spentMinor: 300 })
  const flows = await flowsByMonth(run, [current], period)
  expect(new Map(flows.map((flow) => [flow.category, flow.outMinor - flow.inMinor]))).toEqual(
    new Map([
      ['income', -5_000n],
      ['top_up', -700n],
      ['food', 300n],
      ['shopping', 0n],
      ['transfer', 50n],
    ]),
  )
  expect(await flowOf(run, [current], { from: period.to, to: new Date('2026-10-01') })).toEqual({
    incomeMinor: 0,
    expensesMinor: 0,
    spentMinor: 0,
  })
})

test('the sum of a category in a month includes the payments up to a given one', async () => {
  await book(-5, transfer(CLEARING, current, 5_000), { category: 'income' })
  await book(-3, transfer(current, SHOPS, 9), { category: 'food' })
  const ids: string[] = []
  for (const day of [1, 4, 31]) ids.push(await book(day, transfer(current, SHOPS, 100 * day), { category: 'food' }))
  await book(31, transfer(SHOPS, current, 50), { category: 'food' })
  ids.push(await book(31, transfer(current, SHOPS, 7), { category: 'food' }))
  const other = await book(31, transfer(current, SHOPS, 1), { category: 'bills' })
  // This payment is booked after an operation of the next month, as if it was in progress when the month ended.
  await book(32, transfer(current, SHOPS, 5_00), { category: 'food' })
  ids.push(await book(31, transfer(current, SHOPS, 3), { category: 'food' }))
  const monthOf = async (id: string) => {
    const line = await findLine(run, current, id)
    if (!line?.category || line.version === null) throw new Error(`${id} is not booked`)
    return monthInCategory(run, current, line.category, { version: line.version, at: line.bookedAt })
  }
  expect(await Promise.all(ids.map(monthOf))).toEqual([
    { count: 1, spentMinor: 100 },
    { count: 2, spentMinor: 500 },
    { count: 3, spentMinor: 3_600 },
    { count: 4, spentMinor: 3_607 },
    { count: 5, spentMinor: 3_610 },
  ])
  expect(await monthOf(other)).toEqual({ count: 1, spentMinor: 1 })
})

test('the sum of a month with too many entries is omitted', async () => {
  const bookedAt = new Date(Date.UTC(2026, 7, 3))
  const detail: Detail = { category: 'food' }
  await book(1, transfer(CLEARING, current, 5_000))
  const operations = Array.from({ length: 500 }, (): Operation => {
    const id = randomUUID()
    return { id, kind: 'test', fingerprint: id, bookedAt, legs: [{ ...transfer(current, SHOPS, 1), detail }] }
  })
  await ledger.postAll(operations)
  const upTo = (version: number) => monthInCategory(run, current, 'food', { version, at: bookedAt })
  expect(await upTo(500)).toEqual({ count: 499, spentMinor: 499 })
  expect(await upTo(501)).toBeNull()
})

test('each leg of one operation has its own description, and a reversal has that of the original', async () => {
  await book(1, transfer(CLEARING, current, 1_000), { creditName: 'Employer' })
  const id = randomUUID()
  const bookedAt = new Date(Date.UTC(2026, 7, 2, 12))
  await ledger.post({
    id,
    kind: 'test',
    fingerprint: id,
    bookedAt,
    legs: [
      { ...transfer(current, SHOPS, 300), detail: { debitName: 'A shop', category: 'shopping', note: 'shoes' } },
      { ...transfer(current, SHOPS, 7), detail: { label: 'top_up.card', category: 'bills', method: 'card' } },
      transfer(current, SHOPS, 1),
    ],
  })
  await book(3, transfer(current, SHOPS, 1), {}, { legs: [], reverses: id })
  const { lines } = await listLines(run, { accountId: current, filters: {}, limit: 10 })
  const lineFields = lines.map(({ name, category, method, note }) => [
    nameOrEmpty(name),
    category,
    method?.code ?? null,
    note,
  ])
  const there = [
    ['A shop', 'shopping', null, 'shoes'],
    ['Card deposit', 'bills', 'card', null],
    ['', null, null, null],
  ]
  expect(lineFields).toEqual([...there, ...there.toReversed(), ['Employer', null, null, null]])
})

test('PostgreSQL folds texts like all other searches', async () => {
  // Scripts that both JavaScript and PostgreSQL have supported for years. The two add new Unicode letters in different
  // versions.
  const blocks = [
    [0x20, 0x52f],
    [0x590, 0x6ff],
    [0x900, 0xe7f],
    [0x1e00, 0x206f],
    [0x3040, 0x30ff],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
    [0xfb00, 0xfb4f],
    [0xff01, 0xffee],
  ] as const
  const inBlock = ([min, max]: readonly [number, number]) =>
    fc.integer({ min, max }).map((code) => String.fromCodePoint(code))
  const letter = fc
    .oneof(...blocks.map(inBlock), fc.constantFrom(...Array.from('éßẞæœøđłıİþħςσأإآٱىةیکـَ\u0301\u00A0ｶﾞ')))
    .filter((text) => !/[\u0085\u2028\u2029]/.test(text))
  const texts = fc.sample(
    fc.array(letter, { maxLength: 12 }).map((letters) => letters.join('')),
    3000,
  )
  const { rows } = await run('SELECT btrim(ledger.folded(text)) AS folded FROM unnest($1::text[]) text', [texts])
  expect(rows.map((row) => row['folded'])).toEqual(texts.map(fold))
})

test('searches, lists and sums of a long history equal a scan of every entry', async () => {
  const words = ['Olive Tree', 'Northline Rail', 'olive OIL', '50% off', 'a_b', 'Zoë & Co', 'quote " [x]']
  const codes = ['card', 'bank_transfer', 'debit_card'] as const
  const categories = ['food', 'shopping', undefined, 'savings', 'income'] as const
  await book(1, transfer(CLEARING, current, 1_000_000), { label: 'top_up.card', method: 'card', category: 'top_up' })
  const lines: {
    n: number
    amount: number
    name: string
    note: string
    method: string
    category: string
    day: number
  }[] = []
  const operations: Operation[] = []
  for (let n = 0; n < 400; n += 1) {
    const [name = '', method = 'card'] = [words[n % words.length], codes[n % codes.length]]
    const category = categories[n % categories.length]
    const [out, day, amount] = [n % 4 !== 0, 2 + ((n * 7) % 20), 1 + ((n * 37) % 900)]
    const note = n % 11 === 0 ? `note ${n}` : ''
    const detail: Detail = {
      debitName: name,
      creditName: name,
      method,
      ...(method === 'debit_card' ? { params: { lastFour: String(1000 + n) } } : {}),
      ...(category ? { category } : {}),
      ...(note ? { note } : {}),
    }
    // Some payments go to the holder's own savings: neither income nor spending.
    const other = n % 13 === 0 ? savings : SHOPS
    const leg = out ? transfer(current, other, amount) : transfer(SHOPS, current, amount)
    const id = randomUUID()
    const bookedAt = new Date(Date.UTC(2026, 7, day, 12))
    operations.push({ id, kind: 'test', fingerprint: id, bookedAt, legs: [{ ...leg, detail }] })
    const methodWords =
      method === 'debit_card' ? `debit card •••• ${1000 + n}` : method === 'card' ? 'card' : 'bank transfer'
    lines.push({ n, amount: out ? -amount : amount, name, note, method: methodWords, category: category ?? '', day })
  }
  // The batches end in the middle of a block, on its edge and past it.
  for (let from = 0, size = 1; from < operations.length; from += size, size = (size * 3) % 130 || 64) {
    const outcomes = await ledger.postAll(operations.slice(from, from + size))
    expect(outcomes.every(({ ok }) => ok)).toBe(true)
  }
  const newest = lines.toReversed()
  for (const q of [
    'olive',
    'OLIVE oil',
    '0%',
    'a_b',
    'zoë',
    '" [x',
    'note 1',
    'debit',
    '•••• 11',
    'card •••• 1002',
    '104',
    'deposit',
    'transfer',
    'nothing',
    'lastfour',
    '["',
    '3.00',
    '03',
  ]) {
    const low = q.toLowerCase()
    const amountMinor = /^\d/.test(q) && Number.isFinite(Number(q)) ? Math.round(Number(q) * 100) : null
    const match = (line: (typeof lines)[number]) =>
      [line.name, line.note].some((text) => text.toLowerCase().includes(low)) ||
      // A part of a card's digits is found only together with the words before it.
      (line.method.toLowerCase().includes(low) && (!/^\d+$/.test(low) || low.length === 4)) ||
      Math.abs(line.amount) === amountMinor
    const expected = newest.filter(match).map(({ amount }) => amount)
    const pagedAmounts: number[] = []
    let cursor: string | undefined
    do {
      const page = await listLines(run, { accountId: current, filters: { q }, limit: 40, cursor })
      pagedAmounts.push(...page.lines.map((line) => line.amountMinor))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    expect(
      pagedAmounts.filter((amount) => amount !== 1_000_000),
      q,
    ).toEqual(expected)
  }
  const both = await listLines(run, {
    accountId: current,
    filters: { q: 'olive', category: 'food', minMinor: 400 },
    limit: 100,
  })
  expect(both.lines.map((line) => line.amountMinor)).toEqual(
    newest
      .filter((line) => /olive/i.test(line.name) && line.category === 'food' && Math.abs(line.amount) >= 400)
      .map(({ amount }) => amount),
  )
  for (const [first, last] of [
    [1, 31],
    [5, 9],
    [20, 20],
  ] as const) {
    const period = { from: new Date(Date.UTC(2026, 7, first)), to: new Date(Date.UTC(2026, 7, last + 1)) }
    const counted = lines.filter(
      (one) =>
        one.day >= first && one.day <= last && one.category !== 'savings' && !(one.amount < 0 && one.n % 13 === 0),
    )
    const spending = counted.filter((line) => ['food', 'shopping'].includes(line.category))
    const otherLines = counted.filter((line) => !['food', 'shopping'].includes(line.category))
    const sum = (list: typeof lines) => list.reduce((total, line) => total + line.amount, 0)
    expect(await flowOf(run, [current], period)).toEqual({
      incomeMinor: sum(otherLines.filter((line) => line.amount > 0)),
      expensesMinor: 0 - sum(spending) - sum(otherLines.filter((line) => line.amount < 0)),
      spentMinor: 0 - sum(spending),
    })
  }
  await expect(flowOf(run, [current], { from: new Date(1), to: new Date(0) })).rejects.toThrow('whole days')
  expect((await auditBooks(run)).problems).toEqual([])
})

test('open holds are paged, counted and filtered among released ones, on both sides', async () => {
  await book(1, transfer(CLEARING, current, 10_000))
  const ids: string[] = []
  for (let day = 2; day <= 16; day += 1) {
    const id = await book(day, day % 2 ? hold(current, SHOPS, day) : hold(SHOPS, current, day), {
      debitName: 'Out',
      creditName: 'In',
    })
    if (day % 3 === 0) ids.push(id)
  }
  for (const id of ids) await book(20, { kind: 'void', holdId: id })
  const days = Array.from({ length: 15 }, (_, index) => 16 - index)
  const amount = (day: number) => (day % 2 ? -day : day)
  expect(await amounts()).toEqual([...days.map(amount), 10_000])
  expect(await amounts({ status: 'pending' })).toEqual(days.filter((day) => day % 3 !== 0).map(amount))
  expect(await amounts({ status: 'returned', q: 'in' })).toEqual([12, 6])
  expect(await accountsById(run, [current])).toMatchObject([
    { incomingMinor: days.filter((day) => day % 2 === 0 && day % 3 !== 0).reduce((sum, day) => sum + day, 0) },
  ])
  const pagedAmounts: number[] = []
  let cursor: string | undefined
  do {
    const page = await listLines(run, { accountId: current, filters: { status: 'pending' }, limit: 3, cursor })
    pagedAmounts.push(...page.lines.map((line) => line.amountMinor))
    cursor = page.nextCursor ?? undefined
  } while (cursor)
  expect(pagedAmounts).toEqual(days.filter((day) => day % 3 !== 0).map(amount))
  expect((await auditBooks(run)).problems).toEqual([])
})

test('an account’s sums are read from its own entries, for any number of other entries', async () => {
  for (let day = 1; day <= 3; day += 1) await book(day, transfer(CLEARING, current, 100))
  const otherOperations = Array.from({ length: 5_000 }, (): Operation => {
    const id = randomUUID()
    const bookedAt = new Date(Date.UTC(2026, 7, 9))
    return { id, kind: 'test', fingerprint: id, bookedAt, legs: [transfer(CLEARING, friend, 1)] }
  })
  await ledger.postAll(otherOperations)
  const owner = openPool(database.ownerUrl, { max: 1 })
  const client = await owner.connect()
  try {
    await client.query('ANALYZE ledger.transfer, ledger.account')
    const rowsRead = async (work: () => Promise<unknown>): Promise<number> => {
      await client.query('BEGIN')
      await work()
      const { rows } = await client.query(
        `SELECT sum(seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_all_tables
          WHERE relid IN (SELECT relid FROM pg_partition_tree('ledger.transfer'))`,
      )
      await client.query('ROLLBACK')
      return (rows[0] as { read: number }).read
    }
    const period = { from: new Date('2026-08-01'), to: new Date('2026-09-01') }
    expect(await rowsRead(() => flowOf(runOn(client), [current], period))).toBeLessThan(100)
    const sumUp = (): Promise<unknown> => client.query('SELECT ledger.sum_up($1, $2, $3)', [[current], [0], [64]])
    expect(await rowsRead(sumUp)).toBeLessThan(100)
  } finally {
    client.release()
    await owner.end()
  }
})
