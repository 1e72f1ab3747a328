import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findRecentCounterparties } from '#server/ledger/recent-counterparties.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { flowsByMonth, monthInCategory, spendingFlows } from '#server/ledger/flows.ts'
import { findLine, type Line, type LineFilters, listLines } from '#server/ledger/statement.ts'
import type { AccountId, Leg, Operation } from '#server/ledger/types.ts'
import type { Run } from '#server/platform/db/run.ts'
import { type TestLedger, testLedger } from '#server/test/ledger.ts'
import { tries } from '../../scripts/test-effort.ts'

/**
 * The property: reads over many periods return the same rows, order and cursors as reads over one period. This holds for
 * customers whose rows are new, old or both, and when periods end between two pages.
 */

const SHOPS = bankAccount('card_scheme')
const CLEARING = bankAccount('ach_clearing')
const CATEGORIES = ['food', 'transport', 'income'] as const

let onePeriod: TestLedger
let manyPeriods: TestLedger
let owner: pg.Client

beforeAll(async () => {
  ;[onePeriod, manyPeriods] = await Promise.all([testLedger(), testLedger()])
  owner = new pg.Client({ connectionString: manyPeriods.database.ownerUrl })
  await owner.connect()
  await owner.query(`SET lock_timeout = '10s'`)
})
afterAll(async () => {
  await owner.end()
  await Promise.all([onePeriod.closeProved(), manyPeriods.closeProved()])
})

const next = (): Promise<unknown> => owner.query('SELECT ledger.begin_period()')

/** Opens the same accounts in both banks: a holder's current and savings accounts, and another holder's current account. */
async function open(holderId: string): Promise<[AccountId, AccountId, AccountId]> {
  const accounts = [
    { holderId, code: 'current', asset: 'USD' },
    { holderId, code: 'savings', asset: 'USD' },
    { holderId: randomUUID(), code: 'current', asset: 'USD' },
  ] as const
  const [ids, otherIds] = [
    await openAccounts(onePeriod.run, [...accounts]),
    await openAccounts(manyPeriods.run, [...accounts]),
  ]
  expect(ids).toEqual(otherIds)
  return ids as [AccountId, AccountId, AccountId]
}

let minute = 0
function operation(legs: Leg[], more: Partial<Operation> = {}): Operation {
  minute += 1
  const bookedAt = new Date(Date.UTC(2026, 6, 1) + minute * 3_600_000)
  return { id: randomUUID(), kind: 'test', fingerprint: 'test', bookedAt, legs, ...more }
}

async function book(booked: Operation): Promise<void> {
  for (const bank of [onePeriod, manyPeriods])
    expect((await bank.ledger.postAll([booked]))[0]).toMatchObject({ ok: true })
}

type Step = { what: 'in' | 'shop' | 'own' | 'friend' | 'hold' | 'post' | 'void' | 'many' | 'period'; size: number }
const step = fc.record<Step>({
  what: fc.constantFrom('in', 'shop', 'own', 'friend', 'hold', 'hold', 'post', 'void', 'many', 'period', 'period'),
  size: fc.integer({ min: 1, max: 90 }),
})

/** Performs the steps in both banks, and ends periods in only one of them. Returns the operations' ids. */
async function take(
  steps: readonly Step[],
  [current, savings, friend]: [AccountId, AccountId, AccountId],
): Promise<string[]> {
  const ids: string[] = []
  const holds: string[] = []
  const run = async (leg: Leg): Promise<string> => {
    const booked = operation([leg])
    await book(booked)
    ids.push(booked.id)
    return booked.id
  }
  const move = (debit: AccountId, credit: AccountId, amountMinor: number): Leg => {
    const category = CATEGORIES[amountMinor % 3] ?? 'food'
    return { kind: 'transfer', debit, credit, amountMinor, detail: { debitName: `Shop ${amountMinor % 7}`, category } }
  }
  await run(move(CLEARING, current, 1_000_000))
  for (const { what: kind, size } of steps) {
    if (kind === 'period') await next()
    else if (kind === 'in') await run(move(CLEARING, current, size))
    else if (kind === 'shop') await run(move(current, SHOPS, size))
    else if (kind === 'own') await run(move(current, savings, size))
    else if (kind === 'friend') await run(move(current, friend, size))
    else if (kind === 'many') for (let index = 0; index < size; index += 1) await run(move(current, SHOPS, 1 + index))
    else if (kind === 'hold') {
      const [debit, credit] = size % 2 ? [current, SHOPS] : [CLEARING, current]
      holds.push(await run({ ...move(debit, credit, size), kind: 'hold' } as Leg))
    } else {
      const holdId = holds.splice(size % Math.max(1, holds.length), 1)[0]
      if (holdId !== undefined) ids.push(await run({ kind, holdId }))
    }
  }
  return ids
}

const FILTERS: LineFilters[] = [
  {},
  { q: 'shop 3' },
  { q: 'nothing like it' },
  { q: 'shop', originIds: [randomUUID()] },
  { category: 'food' },
  { category: 'bills' },
  { minMinor: 60 },
  { status: 'pending' },
  { status: 'returned' },
  { status: 'completed', maxMinor: 20 },
]

type Read = { lines: Line[]; cursors: (string | null)[] }

/** Reads all pages, one after the other, and runs `between` between two pages. */
async function readAll(
  run: Run,
  query: { accountId: AccountId; filters: LineFilters; limit: number },
  between?: () => Promise<unknown>,
): Promise<Read> {
  const pagedLines: Read = { lines: [], cursors: [] }
  for (let cursor: string | undefined; pagedLines.cursors.length < 200;) {
    const page = await listLines(run, { ...query, cursor })
    pagedLines.lines.push(...page.lines)
    pagedLines.cursors.push(page.nextCursor)
    if (page.nextCursor === null) return pagedLines
    cursor = page.nextCursor
    if (pagedLines.cursors.length === 2) await between?.()
  }
  return pagedLines
}

const MONTHS = { from: new Date('2026-06-01T00:00Z'), to: new Date('2027-03-01T00:00Z') }

async function otherResults(
  run: Run,
  holderId: string,
  accounts: [AccountId, AccountId, AccountId],
  ids: string[],
): Promise<unknown> {
  const [current, savings, friend] = accounts
  const { rows } = await run('SELECT version FROM ledger.account WHERE id = $1', [current])
  const version = rows[0]?.['version'] as number
  const flows = await flowsByMonth(run, accounts, MONTHS)
  return {
    lines: await Promise.all([...ids, randomUUID()].map((id) => findLine(run, current, id))),
    savings: await findLine(run, savings, ids[0] ?? ''),
    flows: flows.toSorted((a, b) => (a.month + a.category < b.month + b.category ? -1 : 1)),
    spending: await spendingFlows(run, holderId, [MONTHS]),
    months: await Promise.all(
      [version, Math.ceil(version / 2)].map((upTo) =>
        monthInCategory(run, current, 'food', { version: upTo, at: new Date('2026-07-20T00:00Z') }),
      ),
    ),
    dealt: await findRecentCounterparties(run, current, [friend]),
  }
}

test('every read gives the same result over many periods as over one', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 3 }),
      async (steps, limit, older) => {
        const holderId = randomUUID()
        const accounts = await open(holderId)
        const ids = await take(steps, accounts)
        // Customers whose rows are all in old periods.
        for (let ended = 0; ended < older; ended += 1) await next()
        const [accountId] = accounts
        for (const filters of FILTERS) {
          const query = { accountId, filters, limit }
          const between = filters.category === 'food' || filters.q === 'shop 3' ? next : undefined
          expect(await readAll(manyPeriods.run, query, between)).toEqual(await readAll(onePeriod.run, query))
        }
        const some = ids.filter((_, at) => at % Math.ceil(ids.length / 12) === 0)
        expect(await otherResults(manyPeriods.run, holderId, accounts, some)).toEqual(
          await otherResults(onePeriod.run, holderId, accounts, some),
        )
      },
    ),
    { numRuns: tries(12) },
  )
})

/** Records the text of each statement and runs it. */
const noting = (texts: string[]): Run => {
  return (text, values) => {
    texts.push(text)
    return manyPeriods.run(text, values)
  }
}

test('a read whose rows are all in the last two periods queries only those', async () => {
  const holderId = randomUUID()
  const accounts = await open(holderId)
  const [current] = accounts
  for (let period = 0; period < 4; period += 1) await next()
  const hold: Step = { what: 'hold', size: 31 }
  const ids = await take([{ what: 'many', size: 90 }, hold, { what: 'own', size: 3 }], accounts)
  await next()
  const texts: string[] = []
  for (const filters of FILTERS) await listLines(noting(texts), { accountId: current, filters, limit: 20 })
  for (const id of ids.slice(-3)) expect(await findLine(noting(texts), current, id)).not.toBeNull()
  await flowsByMonth(noting(texts), accounts, MONTHS)
  await spendingFlows(noting(texts), holderId, [MONTHS])
  await monthInCategory(noting(texts), current, 'food', { version: 80, at: new Date('2026-07-20T00:00Z') })

  const [period] = (await owner.query<{ number: number }>('SELECT max(number) AS number FROM ledger.period')).rows
  const newest = period?.number ?? 0
  for (const text of new Set(texts)) {
    const { rows } = await manyPeriods.run(`EXPLAIN (GENERIC_PLAN) ${text}`)
    const plan = rows.map((row) => row['QUERY PLAN'] as string).join('\n')
    const scannedPeriods = [...plan.matchAll(/ on transfer_(\d+)/g)].map(([, number]) => Number(number))
    expect(
      scannedPeriods.filter((number) => number < newest - 1),
      text,
    ).toEqual([])
  }
})
