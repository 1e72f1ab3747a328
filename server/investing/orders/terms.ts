import type { Fund } from '#contract/markets.ts'
import type { Label } from '#contract/wording.ts'
import type { Detail } from '#server/ledger/types.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What an order of so many US cents costs: rounded up to the cent, in the bank's favour, and at least the least fee. */
export function feeOf({ policy }: Pick<Deps, 'policy'>, amountMinor: number): number {
  const { feeBps, feeLeastMinor } = policy.investing
  return Math.max(feeLeastMinor, Number((BigInt(amountMinor) * BigInt(feeBps) + 9_999n) / 10_000n))
}

/** What is paid out for units that sell for so much, and the fee, which is never more than that. US cents. */
export function payoutOf(deps: Pick<Deps, 'policy'>, proceedsMinor: number): { feeMinor: number; payoutMinor: number } {
  const feeMinor = Math.min(proceedsMinor, feeOf(deps, proceedsMinor))
  return { feeMinor, payoutMinor: proceedsMinor - feeMinor }
}

const LABELS = {
  FUND_CONSERVATIVE: 'fund.conservative',
  FUND_BALANCED: 'fund.balanced',
  FUND_AGGRESSIVE: 'fund.aggressive',
} as const satisfies Record<Fund, Label>

/** What statements say of money and units that move for a fund. */
export const fundDetail = (fund: Fund): Detail => ({
  label: LABELS[fund],
  category: 'investing',
  method: 'own_accounts',
})
