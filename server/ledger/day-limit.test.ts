import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, type Run, runIn } from '#server/platform/db/run.ts'
import { openDb } from '#server/platform/db/pools.ts'
import { openAccounts } from '#server/ledger/accounts.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { createLedger } from '#server/ledger/ledger.ts'
import type { AccountId, DayLimit, Ledger, Leg, Operation, PostingOutcome } from '#server/ledger/types.ts'
import { type TestLedger, testLedger } from '#server/test/ledger.ts'
import { runAsOwner, type TestDatabase } from '#server/test/database.ts'

let database: TestDatabase
let pool: pg.Pool
let run: Run
let ledger: Ledger
let closeProved: TestLedger['closeProved']

beforeAll(async () => {
  ;({ database, pool, run, ledger, closeProved } = await testLedger())
})
afterAll(() => closeProved())

const CLEARING = bankAccount('ach_clearing')
const DAYS = ['2026-08-28', '2026-08-29', '2026-08-30']

type Ask = { kind: 'transfer' | 'hold'; direction: DayLimit['direction']; day: string; amountMinor: number }

function ask(account: AccountId, { kind, direction, day, amountMinor }: Ask, mostMinor: number): Operation {
  const id = randomUUID()
  const [debit, credit] = direction === 'in' ? [CLEARING, account] : [account, CLEARING]
  const leg: Leg = { kind, debit, credit, amountMinor, dayLimit: { accountId: account, direction, mostMinor } }
  return { id, kind: 'test', fingerprint: id, bookedAt: new Date(`${day}T23:59:59.999Z`), legs: [leg] }
}

async function open(count: number, fundedMinor: number): Promise<AccountId[]> {
  const holders = Array.from(
    { length: count },
    () => ({ holderId: randomUUID(), code: 'current', asset: 'USD' }) as const,
  )
  const ids = await openAccounts(run, holders)
  for (const credit of ids) {
    const id = randomUUID()
    const legs: Leg[] = [{ kind: 'transfer', debit: CLEARING, credit, amountMinor: fundedMinor }]
    await ledger.post({ id, kind: 'test', fingerprint: id, bookedAt: new Date(0), legs })
  }
  return ids
}

const codeOf = (outcome: PostingOutcome | undefined): string =>
  outcome === undefined ? 'none' : outcome.ok ? 'booked' : outcome.refusal

const used = async (id: AccountId) =>
  (await run('SELECT used_day::text AS day, used_in_minor, used_out_minor FROM ledger.account WHERE id = $1', [id]))
    .rows[0]

test('a batch counts the same as single operations, by days and directions', async () => {
  const operations = fc.array(
    fc.record({
      kind: fc.constantFrom('transfer' as const, 'hold' as const),
      direction: fc.constantFrom('in' as const, 'out' as const),
      day: fc.constantFrom(...DAYS),
      amountMinor: fc.integer({ min: 1, max: 70_00 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(operations, async (some) => {
      // The day of an account never goes back: after a later day has begun, an operation of an earlier day counts to the later
      // day.
      const inOrder = some.toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
      const [together = 0, alone = 0] = await open(2, 10_000_00)
      const batch = await ledger.postAll(inOrder.map((amountMinor) => ask(together, amountMinor, 100_00)))
      const single: PostingOutcome[] = []
      for (const amountMinor of inOrder) single.push(...(await ledger.postAll([ask(alone, amountMinor, 100_00)])))
      expect(batch.map(codeOf)).toEqual(single.map(codeOf))
      let day = ''
      let sums = { in: 0, out: 0 }
      const expected = inOrder.map((amountMinor) => {
        if (amountMinor.day > day) [day, sums] = [amountMinor.day, { in: 0, out: 0 }]
        if (sums[amountMinor.direction] + amountMinor.amountMinor > 100_00) return 'day_limit_reached'
        sums[amountMinor.direction] += amountMinor.amountMinor
        return 'booked'
      })
      expect(batch.map(codeOf)).toEqual(expected)
      const usage = (await used(alone)) as { day: string; used_in_minor: number; used_out_minor: number }
      if (usage.day === day) expect([usage.used_in_minor, usage.used_out_minor]).toEqual([sums.in, sums.out])
    }),
    { numRuns: 30 },
  )
})

test('many simultaneous operations, through two ledgers and open transactions, do not exceed the limit', async () => {
  const other = createLedger({ url: database.appUrl })
  const db = openDb(pool)
  const [account = 0] = await open(1, 10_000_00)
  const today = { direction: 'out', day: '2026-08-28', amountMinor: 10_00 } as const
  const answers = await Promise.all(
    Array.from({ length: 60 }, async (_, turn) => {
      const operation = ask(account, { ...today, kind: turn % 2 ? 'hold' : 'transfer' }, 100_00)
      if (turn % 3 < 2) return codeOf((await (turn % 3 ? ledger : other).postAll([operation]))[0])
      return inTransaction(db, async (trx) => ledger.postWithin(runIn(trx), [operation])).then(
        () => 'booked',
        (error: { code: string; field: string }) => `${error.code} ${error.field}`,
      )
    }),
  )
  await other.close()
  expect(answers.filter((answer) => answer === 'booked')).toHaveLength(10)
  expect(new Set(answers)).toEqual(new Set(['booked', 'day_limit_reached', 'day_limit_reached amountMinor']))
  expect(await used(account)).toEqual({ day: '2026-08-28', used_in_minor: 0, used_out_minor: 100_00 })
})

test('money on one account counts toward the limit of another', async () => {
  const [main = 0, card = 0] = await open(2, 1_000_00)
  const today = { direction: 'out', kind: 'transfer', day: '2026-08-28', amountMinor: 60_00 } as const
  const charge = ask(card, today, 100_00)
  charge.legs = charge.legs.map((leg) => ({
    ...leg,
    ...('dayLimit' in leg ? { dayLimit: { accountId: main, direction: 'out', mostMinor: 100_00 } } : {}),
  }))
  const outcomes = await ledger.postAll([charge, ask(main, today, 100_00), ask(card, today, 100_00)])
  expect(outcomes.map(codeOf)).toEqual(['booked', 'day_limit_reached', 'booked'])
  expect(await used(main)).toEqual({ day: '2026-08-28', used_in_minor: 0, used_out_minor: 60_00 })
})

test('refused, repeated and returned operations do not use the limit', async () => {
  const [account = 0] = await open(1, 50_00)
  const today = { direction: 'out', kind: 'transfer', day: '2026-08-28' } as const
  const tooMuch = ask(account, { ...today, amountMinor: 50_01 }, 100_00)
  const fits = ask(account, { ...today, amountMinor: 50_00 }, 100_00)
  const outcomes = await ledger.postAll([tooMuch, fits, fits])
  expect(outcomes.map(codeOf)).toEqual(['insufficient_funds', 'booked', 'booked'])
  expect(await used(account)).toEqual({ day: '2026-08-28', used_in_minor: 0, used_out_minor: 50_00 })
  const over = ask(account, { ...today, direction: 'in', amountMinor: 100_01 }, 100_00)
  await expect(ledger.post(over)).rejects.toMatchObject({ code: 'day_limit_reached', field: 'amountMinor' })
  // The refusal is not stored, because the same request may be within tomorrow's limit.
  const later = { ...over, bookedAt: new Date('2026-08-29T00:00:00Z') }
  const [leg] = later.legs
  if (leg?.kind === 'transfer' && leg.dayLimit) leg.dayLimit.mostMinor = 200_00
  expect((await ledger.post(later)).replayed).toBe(false)
})

test('the audit finds counts below the moved amount, and the serving role cannot write the counts', async () => {
  const [account = 0] = await open(1, 50_00)
  await ledger.post(ask(account, { direction: 'out', kind: 'hold', day: '2026-08-28', amountMinor: 1_00 }, 100_00))
  await expect(run('UPDATE ledger.account SET used_out_minor = 0 WHERE id = $1', [account])).rejects.toThrow(
    'permission denied',
  )
  const spoil = (minor: number) =>
    runAsOwner(database.ownerUrl, 'UPDATE ledger.account SET used_out_minor = $2 WHERE id = $1', [account, minor])
  await spoil(99)
  const { problems } = await auditBooks(run)
  expect(problems).toEqual([expect.stringContaining(`account ${account}, 2026-08-28: 0 in, 100 out`)])
  await spoil(100)
})
