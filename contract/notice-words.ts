import { formatAmount } from '#contract/money.ts'
import { type Notice, NOTICE_PARAMS, type NoticeContent, type NoticeKind } from '#contract/notifications.ts'
import { reasonSaid } from '#contract/said.ts'
import type { TextOf } from '#contract/texts.ts'

export type NoticeWords = { title: string; message: string }

/** What words are made with: the texts of a language, and its code. */
type Speaker = { textOf: TextOf; language: string }

function wordsOfContent({ kind, params }: NoticeContent, { textOf, language }: Speaker): NoticeWords {
  if (kind === 'earlier') return params
  const title = textOf('notice', `${kind}.title`)
  if ((kind === 'kyc_rejected' || kind === 'kyc_again') && params.reason)
    return {
      title,
      message: textOf('notice', `${kind}.message_with_reason`, {
        reason: reasonSaid(textOf, params.reason),
      }),
    }
  const amount = 'amountMinor' in params ? formatAmount(params.amountMinor, params.asset, { language }) : ''
  const date = 'dueOn' in params ? dayInWords(params.dueOn, language) : ''
  return { title, message: textOf('notice', `${kind}.message`, { ...params, amount, date }) }
}

/** 'September 7', as the language says it. */
function dayInWords(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(day))
}

/** A notice as it is kept, in words; null for one that this version does not know. */
export function noticeWords({ kind, params }: Pick<Notice, 'kind' | 'params'>, speaker: Speaker): NoticeWords | null {
  if (!Object.hasOwn(NOTICE_PARAMS, kind)) return null
  const read = NOTICE_PARAMS[kind as NoticeKind].safeParse(params)
  return read.success ? wordsOfContent({ kind, params: read.data } as NoticeContent, speaker) : null
}
