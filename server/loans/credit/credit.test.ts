import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Category } from '#contract/categories.ts'
import { LOAN_TERMS, repaymentsOf } from '#contract/loan-terms.ts'
import { createCustomer } from '#server/identity/customers/customers.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { runOn } from '#server/platform/db/run.ts'
import { type CreditFigures, readCreditFigures } from '#server/loans/credit/credit-figures.ts'
import { assessCredit } from '#server/loans/credit/credit-limit.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import { testDeps } from '#server/test/bank.ts'

const SOLID: CreditFigures = {
  today: '2026-08-28',
  incomeMinor: 3_500_00,
  spendingMinor: 1_500_00,
  openedOn: '2026-01-01',
  otherDebtMinor: 0,
  bufferMinor: 20_000_00,
}

test('the sample history has a score of 742, good, and a limit of $50,000', async () => {
  const { deps, close } = await testDeps()
  try {
    const customer = await openSampleCustomer(deps)
    const figures = await readCreditFigures(runOn(deps.pool), customer, deps.clock.businessNow(), 0)
    expect(figures).toMatchObject({ incomeMinor: 3_535_33, spendingMinor: 1_543_19, openedOn: '2026-01-01' })
    expect(assessCredit(figures)).toMatchObject({ score: 742, band: 'good', limitMinor: 50_000_00, reasons: [] })
  } finally {
    await close()
  }
})

type Move = [day: string, category: Category, amountMinor: number]

/**
 * Returns the figures of a customer who made these moves (positive is money in) and got a salary of $3,000 for three months.
 */
async function figuresAfter(moves: readonly Move[]): Promise<CreditFigures> {
  const { deps, close } = await testDeps()
  try {
    const customer = await createCustomer(deps, { fullName: 'Ann Lee', email: 'ann@example.com' })
    const [current, outside] = [customer.currentAccountId, bankAccount('ach_clearing')]
    const salaries = ['05', '06', '07'].map((month): Move => [`2026-${month}-02`, 'income', 3_000_00])
    for (const [day, category, signedMinor] of [...salaries, ...moves].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const [debit, credit] = signedMinor > 0 ? [outside, current] : [current, outside]
      const detail = { debitName: 'Ben', creditName: 'Ben', category }
      const leg = { kind: 'transfer', debit, credit, amountMinor: Math.abs(signedMinor), detail } as const
      const bookedAt = new Date(day)
      await deps.ledger.post({ id: randomUUID(), kind: 'test', fingerprint: 'test', bookedAt, legs: [leg] })
    }
    return await readCreditFigures(runOn(deps.pool), customer, deps.clock.businessNow(), 0)
  } finally {
    await close()
  }
}

describe('money sent in a circle', () => {
  const profile = { incomeMinor: 3_000_00, spendingMinor: 0, bufferMinor: 9_000_00 }
  const X = 20_000_00

  test('does not count: the figures equal those of a salary alone', async () => {
    expect(await figuresAfter([])).toMatchObject(profile)
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
      'through another bank',
      ['05', '06', '07'].flatMap((month): Move[] => [
        [`2026-${month}-10`, 'income', X],
        [`2026-${month}-20`, 'payout', -X],
      ]),
    ],
    [
      'across the end of a month',
      [
        ['2026-07-31', 'transfer', X],
        ['2026-08-01', 'transfer', -X],
      ],
    ],
    ['just now, from a friend', [['2026-08-28', 'transfer', X]]],
    ['just now, from another account', [['2026-08-28', 'top_up', X]]],
  ])('%s does not improve the figures', async (_how, moves) => {
    const { incomeMinor, spendingMinor, bufferMinor } = await figuresAfter(moves)
    expect(incomeMinor).toBeLessThanOrEqual(profile.incomeMinor)
    expect(spendingMinor).toBeGreaterThanOrEqual(profile.spendingMinor)
    expect(bufferMinor).toBeLessThanOrEqual(profile.bufferMinor)
  })

  test('that came once is not a steady income, and money sent to people is spending', async () => {
    expect(await figuresAfter([['2026-07-31', 'income', X]])).toMatchObject({ incomeMinor: 3_500_00 })
    expect(await figuresAfter([['2026-06-10', 'transfer', -300_00]])).toMatchObject({ spendingMinor: 100_00 })
  })
})

test('without data, the scores are the lowest, there is no loan, and the earliest date of a loan is shown', () => {
  const nobody = { ...SOLID, incomeMinor: 0, spendingMinor: 0, openedOn: null, bufferMinor: 0 }
  const { score, band, limitMinor, reasons } = assessCredit(nobody)
  expect({ score, band, limitMinor }).toEqual({ score: 400, band: 'poor', limitMinor: 0 })
  expect(reasons[0]).toEqual({ code: 'account_age', haveMinor: null, needMinor: null, enoughOn: '2026-11-26' })
})

test('spending is not a reason without an income, and only a young account gets the date at which it is old enough', () => {
  const idle: CreditFigures = { ...SOLID, incomeMinor: 0, spendingMinor: 500_00 }
  expect(assessCredit(idle).reasons.map(({ code }) => code)).toEqual(['income', 'account_age'])
  expect(assessCredit(idle).reasons.find(({ code }) => code === 'account_age')?.enoughOn).toBe(null)
  const young = assessCredit({ ...idle, openedOn: '2026-08-01' }).reasons
  expect(young[0]).toMatchObject({ code: 'account_age', enoughOn: '2026-10-30' })
})

test('a young account gets no loan, and gets one a day later', () => {
  const rich = { ...SOLID, incomeMinor: 20_000_00, bufferMinor: 90_000_00 }
  expect(assessCredit({ ...rich, openedOn: '2026-05-31' }).limitMinor).toBe(0)
  expect(assessCredit({ ...rich, openedOn: '2026-05-30' }).limitMinor).toBe(50_000_00)
})

test('the limit is a step with an affordable installment, and the next step is not affordable', () => {
  for (let incomeMinor = 1_000_00; incomeMinor < 6_000_00; incomeMinor += 137_77) {
    const figures = { ...SOLID, incomeMinor, spendingMinor: Math.floor(incomeMinor / 3) }
    const { limitMinor, band } = assessCredit(figures)
    if (limitMinor === 0) continue
    const maxInstallmentMinor = Math.floor(
      (incomeMinor * { poor: 0, fair: 20, good: 30, very_good: 35, excellent: 40 }[band]) / 100,
    )
    expect(limitMinor % LOAN_TERMS.stepMinor).toBe(0)
    expect(repaymentsOf(limitMinor, 60).instalmentMinor).toBeLessThanOrEqual(maxInstallmentMinor)
    if (limitMinor < LOAN_TERMS.mostMinor)
      expect(repaymentsOf(limitMinor + LOAN_TERMS.stepMinor, 60).instalmentMinor).toBeGreaterThan(maxInstallmentMinor)
  }
})

test('resolving a reason as advised brings the next band or all of its points', () => {
  const weak: CreditFigures = { ...SOLID, incomeMinor: 2_000_00, spendingMinor: 1_700_00, bufferMinor: 900_00 }
  const before = assessCredit(weak)
  expect(before.band).toBe('poor')
  expect(before.reasons).toHaveLength(3)
  for (const { code, needMinor, enoughOn } of before.reasons) {
    expect(enoughOn).toBe(null)
    if (code === 'account_age') continue
    const changed: CreditFigures = {
      ...weak,
      ...(code === 'spending' && { spendingMinor: needMinor ?? 0 }),
      ...(code === 'income' && { incomeMinor: needMinor ?? 0 }),
      ...(code === 'buffer' && { bufferMinor: needMinor ?? 0 }),
    }
    const after = assessCredit(changed)
    const factor = after.factors.find((candidate) => candidate.code === code)
    expect(after.score >= 600 || factor?.points === factor?.mostPoints).toBe(true)
  }
})
