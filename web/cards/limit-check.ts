import { t } from '@lingui/core/macro'
import type { Asset } from '#contract/money.ts'
import { money } from '#web/i18n/formats.ts'
import { amountErrors, parseMinor } from '#web/lib/amounts.ts'
import type { FormError } from '#web/lib/form.ts'

/**
 * Returns the errors of a typed limit. If the limit is above `mostMinor`, the bank's own limit, the text of the error contains
 * the bank's limit.
 */
export function limitErrors<Field>(field: Field, text: string, mostMinor: number, asset: Asset): FormError<Field>[] {
  const errors = amountErrors(field, text, { tooLarge: 'card_limit_too_high' })
  const isTooHigh = errors.length > 0 ? errors[0]?.code === 'card_limit_too_high' : parseMinor(text) > mostMinor
  if (!isTooHigh) return errors
  const most = money(mostMinor, asset)
  return [{ field, code: 'card_limit_too_high', text: t`The highest limit you can set is ${most}` }]
}
