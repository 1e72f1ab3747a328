import type { NoticeKind } from '#contract/notifications.ts'

/**
 * What a kind of notice is about, which decides who hears of it. `security`: everybody, for it may be the only way they
 * hear of it. `money`: who has not switched off "Transaction Alerts". `news`: who has not switched notices off at all,
 * which those about money need too.
 */
export type NoticeTopic = 'security' | 'money' | 'news'

/** The notices that a slice tells, under names of its own. */
export type SliceNotices = Readonly<Record<string, { kind: NoticeKind; topic: NoticeTopic }>>
