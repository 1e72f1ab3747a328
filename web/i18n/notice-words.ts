import { i18n } from '@lingui/core'
import { type NoticeWords, wordsOfNotice } from '#contract/notice-words.ts'
import type { NoticeContent } from '#contract/notices.ts'
import type { Notice } from '#contract/notifications.ts'
import { textOf } from '#web/i18n/words.ts'

/** What a notice says in the language in force; null for one of a newer bank, of which this page has no words. */
export function noticeText({ kind, params }: Pick<Notice, 'kind' | 'params'>): NoticeWords | null {
  if (kind !== 'earlier' && !Object.hasOwn(i18n.messages, `notice.${kind}.title`)) return null
  return wordsOfNotice({ kind, params } as NoticeContent, { textOf, language: i18n.locale })
}
