import { FUND_LABELS, type Fund } from '#contract/markets.ts'
import { textOf } from '#web/i18n/words.ts'

/** Returns the name of a fund. */
export const fundText = (fund: Fund): string => textOf('label', FUND_LABELS[fund])
