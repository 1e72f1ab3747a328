import { t } from '@lingui/core/macro'
import type { Asset } from '#contract/money.ts'
import { money } from '#web/i18n/formats.ts'
import { amountFaults, readMinor } from '#web/lib/amounts.ts'
import type { Fault } from '#web/lib/form.ts'

/** What is wrong with a limit that was typed. If it is above `mostMinor`, the bank's own limit, the text names that. */
export function limitFaults<Field>(field: Field, text: string, mostMinor: number, asset: Asset): Fault<Field>[] {
  const found = amountFaults(field, text, { tooLarge: 'card_limit_too_high' })
  const isTooHigh = found.length > 0 ? found[0]?.code === 'card_limit_too_high' : readMinor(text) > mostMinor
  if (!isTooHigh) return found
  const most = money(mostMinor, asset)
  return [{ field, code: 'card_limit_too_high', text: t`A card can spend up to ${most}` }]
}
