import { useLingui } from '@lingui/react/macro'
import type { Asset } from '#contract/money.ts'
import { type Fault, faults } from '#web/lib/form.ts'
import { readAmount } from '#web/ui/amount-text.ts'

/** What is wrong with the text of an amount. */
export function useAmountCheck() {
  const { t } = useLingui()
  return <Field extends string>(field: Field, text: string, asset: Asset): Fault<Field>[] => {
    const { state } = readAmount(text, asset)
    return faults<Field>(
      state === 'empty' && { field, code: 'amount_invalid', text: t`Enter an amount` },
      state === 'too_large' && { field, code: 'amount_too_large' },
      state === 'invalid' && { field, code: 'amount_invalid' },
    )
  }
}
