import { MONEY_TOPICS, type NoticeTopic } from '#contract/notice-topics.ts'

/** The topics that the switch "Transaction Alerts" covers. */
const ALERTS: readonly NoticeTopic[] = ['money', ...MONEY_TOPICS]

/** The SQL condition for whether a customer `wants` a notice that is `told`. All filters of notices use this condition. */
export const IS_WANTED = `told.topic = 'security'
  OR wants.notifications AND told.topic <> ALL (wants.muted_topics)
     AND (wants.transaction_alerts OR told.topic NOT IN (${ALERTS.map((topic) => `'${topic}'`).join(', ')}))`
