import { afterAll, beforeAll, expect, test } from 'vitest'
import { COINS } from '#contract/markets.ts'
import { readValueHistory } from '#server/crypto/figures/history.ts'
import { readOverview } from '#server/crypto/figures/overview.ts'
import { taxLots } from '#server/crypto/figures/tax-lots.ts'
import { listTrades } from '#server/crypto/trading/trades.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { auditBooks } from '#server/ledger/audit.ts'
import { runOn } from '#server/platform/db/run.ts'
import { openSampleCustomer } from '#server/sample/sample-customer.ts'
import { testClock, testDeps, type TestDeps } from '#server/test/bank.ts'

const clock = testClock()
let bank: TestDeps

beforeAll(async () => {
  bank = await testDeps({ clock })
})
afterAll(() => bank.close())

test.each(['2026-08-28T09:41:00.000Z', '2027-11-15T09:41:00.000Z'])(
  'a sample customer of %s has some of each coin, and one coin has fallen',
  async (now) => {
    clock.set(new Date(now))
    const { deps } = bank
    const customer = await openSampleCustomer(deps)
    const { holdings, totalMinor } = await readOverview(deps, customer)
    expect(holdings.map(({ asset, amountMinor }) => [asset, amountMinor > 0])).toEqual(
      COINS.map((coin) => [coin, true]),
    )
    expect(totalMinor).toBe(holdings.reduce((sum, { valueMinor }) => sum + (valueMinor ?? 0), 0))
    expect(totalMinor).toBeGreaterThan(2_000_00)
    expect(totalMinor).toBeLessThan(30_000_00)
    const { trades } = await listTrades(deps, customer.id, { limit: 100 })
    // The balances are the sums of the trades.
    const accounts = await accountsOf(runOn(deps.pool), customer.id)
    for (const coin of COINS) {
      const boughtMinor = trades
        .filter(({ asset }) => asset === coin)
        .reduce((sum, trade) => sum + trade.amountMinor, 0)
      expect(accounts.find(({ asset }) => asset === coin)?.balanceMinor).toBe(boughtMinor)
    }
    expect(holdings.reduce((sum, { costMinor }) => sum + costMinor, 0)).toBe(7_000_00)
    const { points } = await readValueHistory(deps, customer.id, 'all')
    expect(points.at(-1)?.valueMinor).toBe(totalMinor)
    expect(points[0]?.valueMinor).toBeGreaterThan(2_000_00)
    const year = Number(trades.at(-1)?.bookedAt.slice(0, 4))
    const lots = await taxLots(deps, customer.id, year + 1)
    expect(lots.split('\r\n')).toHaveLength(trades.length + 2)
    expect((await auditBooks(runOn(deps.pool))).problems).toEqual([])
  },
)
