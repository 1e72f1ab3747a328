import { MONEY_TOPICS, type NoticeTopicChoice } from '#contract/notice-topics.ts'
import type { NoticeKind } from '#contract/notifications.ts'

/**
 * What a kind of notice is about, which decides who gets it. `security`: everybody, for it may be the only way they learn
 * of it. All else: customers who have not switched notices off, nor this topic; and where money moved, nor "Transaction
 * Alerts". `money` is of money that is no topic of its own.
 */
export type NoticeTopic = 'security' | 'money' | NoticeTopicChoice

/** What "Transaction Alerts" is above of. */
const ALERTS: readonly NoticeTopic[] = ['money', ...MONEY_TOPICS]

/** Whether a customer `wants` a notice that is `told`, as SQL: the one place that decides who hears of what. */
export const WANTED = `told.topic = 'security'
  OR wants.notifications AND told.topic <> ALL (wants.muted_topics)
     AND (wants.transaction_alerts OR told.topic NOT IN (${ALERTS.map((topic) => `'${topic}'`).join(', ')}))`

/** The notices that a slice tells, under names of its own. */
export type SliceNotices = Readonly<Record<string, { kind: NoticeKind; topic: NoticeTopic }>>

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    notices?: SliceNotices
  }
}
