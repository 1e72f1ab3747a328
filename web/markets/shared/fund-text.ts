import type { Fund } from '#contract/markets.ts'
import type { Label } from '#contract/wording.ts'
import { textOf } from '#web/i18n/words.ts'

const LABELS: Record<Fund, Label> = {
  FUND_CONSERVATIVE: 'fund.conservative',
  FUND_BALANCED: 'fund.balanced',
  FUND_AGGRESSIVE: 'fund.aggressive',
}

/** What a fund is called. */
export const fundText = (fund: Fund): string => textOf('label', LABELS[fund])
