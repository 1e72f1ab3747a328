import { z } from 'zod'
import { instant } from '#contract/common.ts'
import { NOTICE_TOPICS } from '#contract/notice-topics.ts'

/** A notice as its customer gets it. Both times are business times. */
export const notice = z.object({
  id: z.string(),
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  createdAt: instant,
  readAt: instant.nullable(),
})
export type Notice = z.infer<typeof notice>

/** A page of a customer's notices, newest first. */
export const noticePage = z.object({
  notices: z.array(notice),
  nextCursor: z.string().nullable(),
})

export const unreadNotices = z.object({ unread: z.int() })

/** `upTo`: the newest notice that was seen. One that came after it stays unread. */
export const readRequest = z.strictObject({ upTo: z.uuid() })

const topics = z.record(z.enum(NOTICE_TOPICS), z.boolean())

export const noticePreferences = z.object({ notifications: z.boolean(), transactionAlerts: z.boolean(), topics })

export const noticePreferenceChange = z.strictObject({
  notifications: z.boolean().optional(),
  transactionAlerts: z.boolean().optional(),
  topics: z.partialRecord(z.enum(NOTICE_TOPICS), z.boolean()).optional(),
})
