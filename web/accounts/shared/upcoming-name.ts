import { t } from '@lingui/core/macro'
import { COIN_NAMES } from '#contract/crypto-terms.ts'
import type { Coin, Fund } from '#contract/markets.ts'
import type { UpcomingPayment } from '#contract/upcoming.ts'
import { fundText } from '#web/markets/shared/fund-text.ts'

/** Returns the name of the payee or the purpose of an upcoming payment, in the reader's language. */
export function upcomingName({ kind, name }: Pick<UpcomingPayment, 'kind' | 'name'>): string {
  if (kind === 'loan') return t({ message: 'Loan installment', comment: 'A payment' })
  if (kind === 'investment') return fundText(name as Fund)
  if (kind === 'recurring_buy') return COIN_NAMES[name as Coin]
  return name
}
