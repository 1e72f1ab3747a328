import { i18n } from '@lingui/core'
import { type NoticeWords, wordsOfNotice } from '#contract/render-notice.ts'
import type { NoticeContent } from '#contract/notices.ts'
import type { Notice } from '#contract/notifications.ts'
import { textOf } from '#web/i18n/words.ts'

/**
 * Returns the texts of a notice in the current language; null for a kind from a newer server, which this page has no texts for.
 */
export function noticeText({ kind, params }: Pick<Notice, 'kind' | 'params'>): NoticeWords | null {
  if (kind !== 'earlier' && !Object.hasOwn(i18n.messages, `notice.${kind}.title`)) return null
  return wordsOfNotice({ kind, params } as NoticeContent, { textOf, language: i18n.locale })
}
