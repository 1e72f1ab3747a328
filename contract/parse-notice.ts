import { z } from 'zod'
import { FACTS } from '#contract/notice-facts.ts'
import { type NoticeWords, wordsOfNotice } from '#contract/render-notice.ts'
import { type NoticeContent, NOTICES } from '#contract/notices.ts'
import type { Notice } from '#contract/notifications.ts'

const PARAMS = new Map(
  Object.entries(NOTICES).map(([kind, [, , , , ...facts]]) => [
    kind,
    z.object(Object.assign({}, ...facts.map((fact) => FACTS[fact])) as z.ZodRawShape),
  ]),
)

/** Parses a stored notice. Returns null if this version does not have the kind, or if the parameters do not fit the kind. */
export function parseNotice({ kind, params }: Pick<Notice, 'kind' | 'params'>): NoticeContent | null {
  const parsedParams = PARAMS.get(kind)?.safeParse(params)
  return parsedParams?.success ? ({ kind, params: parsedParams.data } as unknown as NoticeContent) : null
}

/** Returns the title and the message of a stored notice; null if `parseNotice` returns null. */
export function noticeWords(
  notice: Pick<Notice, 'kind' | 'params'>,
  speaker: Parameters<typeof wordsOfNotice>[1],
): NoticeWords | null {
  const content = parseNotice(notice)
  return content && wordsOfNotice(content, speaker)
}
