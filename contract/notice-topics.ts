/**
 * The notices that a customer can switch off. Security notices cannot be switched off, because they may be the only sign of a
 * problem.
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
 * The topic of a kind of notice, which determines the customers who receive it. Every customer receives `security` notices,
 * because they may be the only sign of a problem. A customer receives other notices unless the customer has switched off all
 * notices or the topic. Notices about money also require that "Transaction Alerts" is on. `money` is the topic of notices about
 * money that have no topic of their own.
 */
export type NoticeTopic = 'security' | 'money' | NoticeTopicChoice

/** The topics that the switch "Transaction Alerts" controls, in addition to `money`. */
export const MONEY_TOPICS = ['money_in', 'money_out', 'cards'] as const satisfies NoticeTopicChoice[]

/**
 * A customer's notice settings. `notifications` is the main switch. `transactionAlerts` is the switch for all topics about
 * money. While one of these switches is off, each topic keeps its own setting.
 */
export type NoticePreferences = {
  notifications: boolean
  transactionAlerts: boolean
  topics: Record<NoticeTopicChoice, boolean>
}

/** A change of the notice settings. If a field is missing, its setting stays the same. */
export type NoticePreferenceChange = {
  notifications?: boolean | undefined
  transactionAlerts?: boolean | undefined
  topics?: Partial<Record<NoticeTopicChoice, boolean>> | undefined
}
