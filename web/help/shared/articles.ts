import type { ArticleId } from '#contract/help-texts.ts'
import type { HelpTopic } from '#web/help/shared/topics.ts'
import { paths } from '#web/lib/paths.ts'

/** What an article is about, and the screen that it speaks of. Its words are in `contract/help-texts.ts`. */
export type Article = { id: ArticleId; topic: HelpTopic; path: string }

/** By topic, in the order they are listed in: each article, and its screen. */
const BY_TOPIC = {
  cards: {
    create_card: paths.cards,
    fund_card: paths.cards,
    card_details: paths.cards,
    freeze_card: paths.cards,
    card_limits: paths.cards,
    remove_card: paths.cards,
    declined_payment: paths.notifications,
    cashback: paths.cards,
  },
  security: {
    verify_identity: paths.kyc,
    passkey: paths.securityPrivacy,
    two_factor: paths.securityPrivacy,
    recovery_codes: paths.securityPrivacy,
    change_password: paths.securityPrivacy,
    confirm_you: paths.securityPrivacy,
    devices: paths.devices,
    security_activity: paths.securityActivity,
    transaction_alerts: paths.securityPrivacy,
    hide_balance: paths.dashboard,
    encryption: paths.securityPrivacy,
    download_data: paths.securityPrivacy,
  },
  account: {
    update_details: paths.personalInfo,
    change_email: paths.personalInfo,
    confirm_phone: paths.personalInfo,
    language: paths.language,
    dark_mode: paths.settings,
    notifications: paths.notificationPreferences,
    push: paths.notificationPreferences,
    offline: paths.dashboard,
    premium: paths.rewards,
    close_account: paths.securityPrivacy,
  },
  payments: {
    send_money: paths.transfer,
    send_to_anyone: paths.transfer,
    schedule_payment: paths.transfer,
    change_scheduled: paths.transfer,
    contacts: paths.transfer,
    request_money: paths.request,
    answer_request: paths.request,
    split_bill: paths.splitBill,
    groups: paths.splitBill,
    add_money: paths.addMoney,
    link_account: paths.paymentMethods,
    move_out: paths.paymentMethods,
    direct_debits: paths.paymentMethods,
    report_payment: paths.transactions,
    receipts: paths.transactions,
  },
} as const satisfies Record<HelpTopic, Partial<Record<ArticleId, string>>>

export const ARTICLES: readonly Article[] = Object.entries(BY_TOPIC).flatMap(([topic, articles]) =>
  Object.entries(articles).map(([id, path]) => ({ id: id as ArticleId, topic: topic as HelpTopic, path })),
)

export const articlesAbout = (topic: HelpTopic): readonly Article[] =>
  ARTICLES.filter((article) => article.topic === topic)

export const articleOf = (id: string | null): Article | null => ARTICLES.find((article) => article.id === id) ?? null
