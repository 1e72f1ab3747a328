import { FUND_LABELS, type Fund } from '#contract/markets.ts'
import type { Detail } from '#server/ledger/types.ts'
import { feeOf } from '#server/markets/fee.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Divides the proceeds of a sale into the payout and the fee, in US cents. The fee is never more than the proceeds. */
export function payoutOf(
  { policy }: Pick<Deps, 'policy'>,
  proceedsMinor: number,
): { feeMinor: number; payoutMinor: number } {
  const feeMinor = Math.min(proceedsMinor, feeOf(policy.investing, proceedsMinor))
  return { feeMinor, payoutMinor: proceedsMinor - feeMinor }
}

/** Returns the text of statement lines about a fund. */
export const fundDetail = (fund: Fund): Detail => ({
  label: FUND_LABELS[fund],
  category: 'investing',
  method: 'own_accounts',
})
