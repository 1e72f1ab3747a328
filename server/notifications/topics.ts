import { MONEY_TOPICS, type NoticeTopic } from '#contract/notice-topics.ts'

/** What "Transaction Alerts" is above of. */
const ALERTS: readonly NoticeTopic[] = ['money', ...MONEY_TOPICS]

/** Whether a customer `wants` a notice that is `told`, as SQL: the one place that decides who hears of what. */
export const WANTED = `told.topic = 'security'
  OR wants.notifications AND told.topic <> ALL (wants.muted_topics)
     AND (wants.transaction_alerts OR told.topic NOT IN (${ALERTS.map((topic) => `'${topic}'`).join(', ')}))`
