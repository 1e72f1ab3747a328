import { intlLocale } from '#contract/languages.ts'
import { formatAmount } from '#contract/money.ts'
import type { NoticeContent } from '#contract/notices.ts'
import { reasonSaid } from '#contract/said.ts'
import type { TextOf } from '#contract/texts.ts'
import { formatKilograms } from '#contract/weights.ts'

export type NoticeWords = { title: string; message: string }

/** What words are made with: the texts of a language, and its code. */
type Speaker = { textOf: TextOf; language: string }

/** What a notice says. */
export function wordsOfNotice({ kind, params }: NoticeContent, { textOf, language }: Speaker): NoticeWords {
  if (kind === 'earlier') return params
  const title = textOf('notice', `${kind}.title`)
  if ((kind === 'kyc_rejected' || kind === 'kyc_again') && params.reason)
    return {
      title,
      message: textOf('notice', `${kind}.message_with_reason`, {
        reason: reasonSaid(textOf, params.reason),
      }),
    }
  const reason = kind === 'card_declined' ? { reason: declineSaid(params, { textOf, language }) } : {}
  const amount = 'amountMinor' in params ? formatAmount(params.amountMinor, params.asset, { language }) : ''
  const weight = 'grams' in params ? formatKilograms(params.grams, language) : ''
  const before = 'beforeMinor' in params ? formatAmount(params.beforeMinor, params.asset, { language }) : ''
  const date = 'dueOn' in params ? dayInWords(params.dueOn, language) : ''
  const month = 'month' in params ? monthInWords(params.month, language) : ''
  const values = { ...params, ...reason, amount, before, weight, date, month }
  return { title, message: textOf('notice', `${kind}.message`, values) }
}

type Declined = Extract<NoticeContent, { kind: 'card_declined' }>['params']

function declineSaid({ reason, mostMinor, asset }: Declined, { textOf, language }: Speaker): string {
  const most = mostMinor === undefined ? {} : { most: formatAmount(mostMinor, asset, { language, short: true }) }
  return textOf('decline_reason', reason, most)
}

/** 'September 7', as the language says it. */
function dayInWords(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(day))
}

/** 'August 2026', as the language says it; `month`: YYYY-MM. */
function monthInWords(month: string, language: string): string {
  const format = new Intl.DateTimeFormat(intlLocale(language), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01`))
}
