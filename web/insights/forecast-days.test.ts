import { expect, test } from 'vitest'
import type { CashFlowForecast } from '#contract/analytics.ts'
import { listForecastDays } from '#web/insights/forecast-days.ts'

const rent = { kind: 'recurring' as const, name: 'Rent', amountMinor: -900_00, dueOn: '2026-08-30' }
const directDebit = { kind: 'direct_debit' as const, name: 'Energy', amountMinor: -50_00, dueOn: '2026-08-28' }
const salary = { kind: 'income' as const, name: 'Harbor Studio', amountMinor: 3_500_00, dueOn: '2026-08-31' }
const FORECAST: CashFlowForecast = {
  asset: 'USD',
  onDate: '2026-08-31',
  expectedBalanceMinor: 1_000_00 + 3_500_00 - 900_00 - 50_00 - 100_00,
  incomeMinor: 3_500_00,
  outgoingMinor: 1_050_00,
  everydayMinor: 100_00,
  expected: [directDebit, rent, salary],
  errorMinor: null,
  replayedMonths: 0,
}

test('a forecast goes from today’s balance to that of the last day', () => {
  const days = listForecastDays(FORECAST, '2026-08-28')
  expect(days).toEqual([
    { day: '2026-08-28', balanceMinor: 1_000_00, expected: [] },
    { day: '2026-08-29', balanceMinor: 1_000_00 - 50_00 - 33_33, expected: [directDebit] },
    { day: '2026-08-30', balanceMinor: 1_000_00 - 950_00 - 66_67, expected: [rent] },
    { day: '2026-08-31', balanceMinor: FORECAST.expectedBalanceMinor, expected: [salary] },
  ])
})

test('the last day has no forecast', () => {
  expect(listForecastDays({ ...FORECAST, expected: [] }, '2026-08-31')).toEqual([])
})
