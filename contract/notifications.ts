import { z } from 'zod'
import { instant } from '#contract/common.ts'
import { NOTICE_TOPICS } from '#contract/notice-topics.ts'

/** A notice as its customer receives it. `createdAt` and `readAt` are in business time. */
export const notice = z.object({
  id: z.string(),
  kind: z.string(),
  params: z.record(z.string(), z.unknown()),
  createdAt: instant,
  readAt: instant.nullable(),
})
export type Notice = z.infer<typeof notice>

/** A page of a customer's notices, the newest first. */
export const noticePage = z.object({
  notices: z.array(notice),
  nextCursor: z.string().nullable(),
})

export const unreadNotices = z.object({ unread: z.int() })

/**
 * A request to mark notices as read. `upTo` is the id of the newest notice that the customer saw. Later notices stay unread.
 */
export const markReadRequest = z.strictObject({ upTo: z.uuid() })

const topics = z.record(z.enum(NOTICE_TOPICS), z.boolean())

export const noticePreferences = z.object({ notifications: z.boolean(), transactionAlerts: z.boolean(), topics })

export const noticePreferenceChange = z.strictObject({
  notifications: z.boolean().optional(),
  transactionAlerts: z.boolean().optional(),
  topics: z.partialRecord(z.enum(NOTICE_TOPICS), z.boolean()).optional(),
})
