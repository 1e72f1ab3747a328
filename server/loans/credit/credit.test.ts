import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Category } from '#contract/categories.ts'
import { LOAN_TERMS, repaymentsOf } from '#contract/loan-terms.ts'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { runOn } from '#server/platform/db/run.ts'
import { type Figures, figuresOf } from '#server/loans/credit/figures.ts'
import { assess } from '#server/loans/credit/limit.ts'
import { openSampleCustomer } from '#server/sample/story.ts'
import { testDeps } from '#server/test/bank.ts'

const SOLID: Figures = {
  today: '2026-08-28',
  incomeMinor: 3_500_00,
  spendingMinor: 1_500_00,
  openedOn: '2026-01-01',
  otherDebtMinor: 0,
  bufferMinor: 20_000_00,
}

test('the story: 742, good, and up to $50,000', async () => {
  const { deps, close } = await testDeps()
  try {
    const customer = await openSampleCustomer(deps)
    const figures = await figuresOf(runOn(deps.pool), customer, deps.clock.businessNow(), 0)
    expect(figures).toMatchObject({ incomeMinor: 3_535_33, spendingMinor: 1_543_19, openedOn: '2026-01-01' })
    expect(assess(figures)).toMatchObject({ score: 742, band: 'good', limitMinor: 50_000_00, reasons: [] })
  } finally {
    await close()
  }
})

type Move = [day: string, category: Category, amountMinor: number]

/** The figures of somebody who moved money as told (in above zero), beside a salary of $3,000 for three months. */
async function figuresAfter(moves: readonly Move[]): Promise<Figures> {
  const { deps, close } = await testDeps()
  try {
    const customer = await createCustomer(deps, { fullName: 'Ann Lee', email: 'ann@example.com' })
    const [own, outside] = [customer.currentAccountId, bankAccount('ach_clearing')]
    const salaries = ['05', '06', '07'].map((month): Move => [`2026-${month}-02`, 'income', 3_000_00])
    for (const [day, category, signedMinor] of [...salaries, ...moves].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const [debit, credit] = signedMinor > 0 ? [outside, own] : [own, outside]
      const detail = { debitName: 'Ben', creditName: 'Ben', category }
      const leg = { kind: 'transfer', debit, credit, amountMinor: Math.abs(signedMinor), detail } as const
      const bookedAt = new Date(day)
      await deps.ledger.post({ id: randomUUID(), kind: 'test', fingerprint: 'test', bookedAt, legs: [leg] })
    }
    return await figuresOf(runOn(deps.pool), customer, deps.clock.businessNow(), 0)
  } finally {
    await close()
  }
}

describe('money sent round in a circle', () => {
  const plain = { incomeMinor: 3_000_00, spendingMinor: 0, bufferMinor: 9_000_00 }
  const X = 20_000_00

  test('is none: the figures of a salary alone', async () => {
    expect(await figuresAfter([])).toMatchObject(plain)
  })

  test.each<[string, Move[]]>([
    [
      'between two people',
      ['05', '06', '07'].flatMap((month): Move[] => [
        [`2026-${month}-10`, 'transfer', X],
        [`2026-${month}-20`, 'transfer', -X],
      ]),
    ],
    [
      'by way of another bank',
      ['05', '06', '07'].flatMap((month): Move[] => [
        [`2026-${month}-10`, 'income', X],
        [`2026-${month}-20`, 'payout', -X],
      ]),
    ],
    [
      'over the end of a month',
      [
        ['2026-07-31', 'transfer', X],
        ['2026-08-01', 'transfer', -X],
      ],
    ],
    ['just now, from a friend', [['2026-08-28', 'transfer', X]]],
    ['just now, from another account', [['2026-08-28', 'top_up', X]]],
  ])('%s makes no figure better', async (_how, moves) => {
    const { incomeMinor, spendingMinor, bufferMinor } = await figuresAfter(moves)
    expect(incomeMinor).toBeLessThanOrEqual(plain.incomeMinor)
    expect(spendingMinor).toBeGreaterThanOrEqual(plain.spendingMinor)
    expect(bufferMinor).toBeLessThanOrEqual(plain.bufferMinor)
  })

  test('or that came once is no steady income; what went to people is spending', async () => {
    expect(await figuresAfter([['2026-07-31', 'income', X]])).toMatchObject({ incomeMinor: 3_500_00 })
    expect(await figuresAfter([['2026-06-10', 'transfer', -300_00]])).toMatchObject({ spendingMinor: 100_00 })
  })
})

test('nothing known: the lowest scores, no loan, and a date from which there may be one', () => {
  const nobody = { ...SOLID, incomeMinor: 0, spendingMinor: 0, openedOn: null, bufferMinor: 0 }
  const { score, band, limitMinor, reasons } = assess(nobody)
  expect({ score, band, limitMinor }).toEqual({ score: 400, band: 'poor', limitMinor: 0 })
  expect(reasons[0]).toEqual({ code: 'account_age', haveMinor: null, needMinor: null, enoughOn: '2026-11-26' })
})

test('spending is no reason without an income, and only a young account is told when it is old enough', () => {
  const idle: Figures = { ...SOLID, incomeMinor: 0, spendingMinor: 500_00 }
  expect(assess(idle).reasons.map(({ code }) => code)).toEqual(['income', 'account_age'])
  expect(assess(idle).reasons.find(({ code }) => code === 'account_age')?.enoughOn).toBe(null)
  const young = assess({ ...idle, openedOn: '2026-08-01' }).reasons
  expect(young[0]).toMatchObject({ code: 'account_age', enoughOn: '2026-10-30' })
})

test('a young account is lent nothing, whatever else is so; a day later it is', () => {
  const rich = { ...SOLID, incomeMinor: 20_000_00, bufferMinor: 90_000_00 }
  expect(assess({ ...rich, openedOn: '2026-05-31' }).limitMinor).toBe(0)
  expect(assess({ ...rich, openedOn: '2026-05-30' }).limitMinor).toBe(50_000_00)
})

test('the limit is a step whose instalment is affordable, and the next step is not', () => {
  for (let incomeMinor = 1_000_00; incomeMinor < 6_000_00; incomeMinor += 137_77) {
    const figures = { ...SOLID, incomeMinor, spendingMinor: Math.floor(incomeMinor / 3) }
    const { limitMinor, band } = assess(figures)
    if (limitMinor === 0) continue
    const most = Math.floor((incomeMinor * { poor: 0, fair: 20, good: 30, very_good: 35, excellent: 40 }[band]) / 100)
    expect(limitMinor % LOAN_TERMS.stepMinor).toBe(0)
    expect(repaymentsOf(limitMinor, 60).instalmentMinor).toBeLessThanOrEqual(most)
    if (limitMinor < LOAN_TERMS.mostMinor)
      expect(repaymentsOf(limitMinor + LOAN_TERMS.stepMinor, 60).instalmentMinor).toBeGreaterThan(most)
  }
})

test('each reason, once it is changed as told, brings the next band or all of its points', () => {
  const weak: Figures = { ...SOLID, incomeMinor: 2_000_00, spendingMinor: 1_700_00, bufferMinor: 900_00 }
  const before = assess(weak)
  expect(before.band).toBe('poor')
  expect(before.reasons).toHaveLength(3)
  for (const { code, needMinor, enoughOn } of before.reasons) {
    expect(enoughOn).toBe(null)
    if (code === 'account_age') continue
    const changed: Figures = {
      ...weak,
      ...(code === 'spending' && { spendingMinor: needMinor ?? 0 }),
      ...(code === 'income' && { incomeMinor: needMinor ?? 0 }),
      ...(code === 'buffer' && { bufferMinor: needMinor ?? 0 }),
    }
    const after = assess(changed)
    const factor = after.factors.find((one) => one.code === code)
    expect(after.score >= 600 || factor?.points === factor?.mostPoints).toBe(true)
  }
})
