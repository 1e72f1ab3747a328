import type { NoticeKind } from '#contract/notifications.ts'

/**
 * What a kind of notice is about, which decides who gets it. `security`: everybody, for it may be the only way they learn
 * of it. `money`: customers who have switched off neither notices nor "Transaction Alerts". `news`: customers who have not
 * switched notices off.
 */
export type NoticeTopic = 'security' | 'money' | 'news'

/** The notices that a slice tells, under names of its own. */
export type SliceNotices = Readonly<Record<string, { kind: NoticeKind; topic: NoticeTopic }>>

declare module '#server/platform/slice.ts' {
  interface SliceParts {
    notices?: SliceNotices
  }
}
