/**
 * What a customer may switch off. The security of the account is not among them: it may be the only way they learn of
 * something.
 */
export const NOTICE_TOPICS = [
  'money_in',
  'money_out',
  'cards',
  'requests',
  'savings',
  'investing',
  'statements',
  'news',
] as const
export type NoticeTopicChoice = (typeof NOTICE_TOPICS)[number]

/**
 * What a kind of notice is about, which decides who gets it. `security`: everybody, for it may be the only way they learn
 * of it. All else: customers who have not switched notices off, nor this topic; and where money moved, nor "Transaction
 * Alerts". `money` is of money that is no topic of its own.
 */
export type NoticeTopic = 'security' | 'money' | NoticeTopicChoice

/** Those that the switch for transaction alerts turns all at once. */
export const MONEY_TOPICS = ['money_in', 'money_out', 'cards'] as const satisfies NoticeTopicChoice[]

/**
 * What a customer wants to hear of. `notifications` is the switch above all others, `transactionAlerts` the one above
 * those of money; a topic keeps what it was set to while a switch above it is off.
 */
export type NoticePreferences = {
  notifications: boolean
  transactionAlerts: boolean
  topics: Record<NoticeTopicChoice, boolean>
}

/** What is left out stays as it is. */
export type NoticePreferenceChange = {
  notifications?: boolean | undefined
  transactionAlerts?: boolean | undefined
  topics?: Partial<Record<NoticeTopicChoice, boolean>> | undefined
}
