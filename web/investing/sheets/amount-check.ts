import { useQuery } from '@tanstack/react-query'
import type { Investments } from '#contract/investing.ts'
import { ORDER_LEAST_MINOR } from '#contract/investment-terms.ts'
import type { Fund } from '#contract/markets.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { isMismatch } from '#web/investing/sheets/mismatch.tsx'
import { faults, type Fault } from '#web/lib/form.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'

/** What the customer can spend; undefined until it is known. */
export const useAvailable = (): number | undefined => useQuery(dashboardQuery).data?.account.availableMinor

type Values = { amount: string; accepts: string }

/** What is wrong with an amount that is invested in a fund. A plan may be for more than there is today. */
export function useAmountFaults(data: Investments, { isPlan }: { isPlan: boolean }) {
  const available = useAvailable()
  return ({ amount, accepts }: Values, fund: Fund): Fault<keyof Values>[] => {
    const amountMinor = readMinor(amount)
    const read = amountMinor > 0
    return [
      ...amountFaults<keyof Values>('amount', amount),
      ...faults<keyof Values>(
        amountMinor > data.orderMostMinor && { field: 'amount', code: 'amount_too_large' },
        read && amountMinor < ORDER_LEAST_MINOR && { field: 'amount', code: 'investment_too_small' },
        !isPlan &&
          read &&
          available !== undefined &&
          amountMinor > available && { field: 'amount', code: 'insufficient_funds' },
        isMismatch(data, fund) && accepts !== 'yes' && { field: 'accepts', code: 'unsuitable_fund' },
      ),
    ]
  }
}
