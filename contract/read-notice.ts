import { z } from 'zod'
import { FACTS } from '#contract/notice-facts.ts'
import { type NoticeWords, wordsOfNotice } from '#contract/notice-words.ts'
import { type NoticeContent, NOTICES } from '#contract/notices.ts'
import type { Notice } from '#contract/notifications.ts'

const PARAMS = new Map(
  Object.entries(NOTICES).map(([kind, [, , , , ...facts]]) => [
    kind,
    z.object(Object.assign({}, ...facts.map((fact) => FACTS[fact])) as z.ZodRawShape),
  ]),
)

/** A notice as it is kept, read; null for one that this version does not know. */
export function readNotice({ kind, params }: Pick<Notice, 'kind' | 'params'>): NoticeContent | null {
  const read = PARAMS.get(kind)?.safeParse(params)
  return read?.success ? ({ kind, params: read.data } as unknown as NoticeContent) : null
}

/** A notice as it is kept, in words; null for one that this version does not know. */
export function noticeWords(
  notice: Pick<Notice, 'kind' | 'params'>,
  speaker: Parameters<typeof wordsOfNotice>[1],
): NoticeWords | null {
  const content = readNotice(notice)
  return content && wordsOfNotice(content, speaker)
}
