import { FUND_LABELS, type Fund } from '#contract/markets.ts'
import type { Detail } from '#server/ledger/types.ts'
import { feeOf } from '#server/markets/fee.ts'
import type { Deps } from '#server/platform/deps.ts'

/** What is paid out for units that sell for so much, and the fee, which is never more than that. US cents. */
export function payoutOf(
  { policy }: Pick<Deps, 'policy'>,
  proceedsMinor: number,
): { feeMinor: number; payoutMinor: number } {
  const feeMinor = Math.min(proceedsMinor, feeOf(policy.investing, proceedsMinor))
  return { feeMinor, payoutMinor: proceedsMinor - feeMinor }
}

/** What statements say of money and units that move for a fund. */
export const fundDetail = (fund: Fund): Detail => ({
  label: FUND_LABELS[fund],
  category: 'investing',
  method: 'own_accounts',
})
