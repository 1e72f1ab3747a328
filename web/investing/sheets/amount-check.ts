import { useQuery } from '@tanstack/react-query'
import type { Investments } from '#contract/investing.ts'
import { MIN_ORDER_MINOR } from '#contract/investment-terms.ts'
import type { Fund } from '#contract/markets.ts'
import { dashboardQuery } from '#web/accounts/queries.ts'
import { isMismatch } from '#web/investing/sheets/mismatch.tsx'
import { formErrors, type FormError } from '#web/lib/form.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'

/** Returns the balance that the customer can spend, or undefined until it loads. */
export const useAvailable = (): number | undefined => useQuery(dashboardQuery).data?.account.availableMinor

type Values = { amount: string; accepts: string }

/** Returns the errors of an amount to invest. A plan's amount may exceed today's balance. */
export function useAmountErrors(data: Investments, { isPlan }: { isPlan: boolean }) {
  const available = useAvailable()
  return ({ amount, accepts }: Values, fund: Fund): FormError<keyof Values>[] => {
    const amountMinor = parseMinor(amount)
    const hasAmount = amountMinor > 0
    return [
      ...amountErrors<keyof Values>('amount', amount),
      ...formErrors<keyof Values>(
        amountMinor > data.orderMostMinor && { field: 'amount', code: 'amount_too_large' },
        hasAmount && amountMinor < MIN_ORDER_MINOR && { field: 'amount', code: 'investment_too_small' },
        !isPlan &&
          hasAmount &&
          available !== undefined &&
          amountMinor > available && { field: 'amount', code: 'insufficient_funds' },
        isMismatch(data, fund) && accepts !== 'yes' && { field: 'accepts', code: 'unsuitable_fund' },
      ),
    ]
  }
}
