import { intlLocale } from '#contract/languages.ts'
import { formatAmount } from '#contract/money.ts'
import type { NoticeContent } from '#contract/notices.ts'
import { reasonTextIn } from '#contract/code-texts.ts'
import type { TextOf } from '#contract/texts.ts'
import { formatKilograms } from '#contract/weights.ts'

export type NoticeWords = { title: string; message: string }

/** A language and its texts. */
type Speaker = { textOf: TextOf; language: string }

/** Returns the title and the message of a notice in a language. */
export function wordsOfNotice({ kind, params }: NoticeContent, { textOf, language }: Speaker): NoticeWords {
  if (kind === 'earlier') return params
  const title = textOf('notice', `${kind}.title`)
  if ((kind === 'kyc_rejected' || kind === 'kyc_again') && params.reason)
    return {
      title,
      message: textOf('notice', `${kind}.message_with_reason`, {
        reason: reasonTextIn(textOf, params.reason),
      }),
    }
  const reason = kind === 'card_declined' ? { reason: declineText(params, { textOf, language }) } : {}
  const amount = 'amountMinor' in params ? formatAmount(params.amountMinor, params.asset, { language }) : ''
  const weight = 'grams' in params ? formatKilograms(params.grams, language) : ''
  const amountBefore = 'beforeMinor' in params ? formatAmount(params.beforeMinor, params.asset, { language }) : ''
  const date = 'dueOn' in params ? dayInWords(params.dueOn, language) : ''
  const month = 'month' in params ? monthInWords(params.month, language) : ''
  const values = { ...params, ...reason, amount, before: amountBefore, weight, date, month }
  return { title, message: textOf('notice', `${kind}.message`, values) }
}

type DeclineParams = Extract<NoticeContent, { kind: 'card_declined' }>['params']

function declineText({ reason, mostMinor, asset }: DeclineParams, { textOf, language }: Speaker): string {
  const limitParams = mostMinor === undefined ? {} : { most: formatAmount(mostMinor, asset, { language, short: true }) }
  return textOf('decline_reason', reason, limitParams)
}

/** Returns a day such as 'September 7' in the language. */
function dayInWords(day: string, language: string): string {
  return new Intl.DateTimeFormat(intlLocale(language), { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  )
}

/** Returns a month such as 'August 2026' in the language. `month` is YYYY-MM. */
function monthInWords(month: string, language: string): string {
  const format = new Intl.DateTimeFormat(intlLocale(language), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.format(new Date(`${month}-01`))
}
