import { type NoticeWords, wordsOfNotice } from '#contract/notice-words.ts'
import { type Notice, NOTICE_PARAMS, type NoticeContent, type NoticeKind } from '#contract/notifications.ts'

/** A notice as it is kept, read; null for one that this version does not know. */
export function readNotice({ kind, params }: Pick<Notice, 'kind' | 'params'>): NoticeContent | null {
  if (!Object.hasOwn(NOTICE_PARAMS, kind)) return null
  const read = NOTICE_PARAMS[kind as NoticeKind].safeParse(params)
  return read.success ? ({ kind, params: read.data } as NoticeContent) : null
}

/** A notice as it is kept, in words; null for one that this version does not know. */
export function noticeWords(
  notice: Pick<Notice, 'kind' | 'params'>,
  speaker: Parameters<typeof wordsOfNotice>[1],
): NoticeWords | null {
  const content = readNotice(notice)
  return content && wordsOfNotice(content, speaker)
}
