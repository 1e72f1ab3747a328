import type { ArticleId } from '#contract/help-texts.ts'
import type { HelpTopic } from '#web/help/shared/topics.ts'
import { paths } from '#web/lib/paths.ts'

/** An article's topic and the path of its screen. Its texts are in contract/help-texts.ts and contract/help-steps.ts. */
export type Article = { id: ArticleId; topic: HelpTopic; path: string }

/** The articles of each topic in their displayed order, with the screen of each. */
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

/** The related articles of each article, the closest first. */
export const RELATED: Readonly<Record<ArticleId, readonly ArticleId[]>> = {
  create_card: ['fund_card', 'card_limits', 'card_details'],
  fund_card: ['create_card', 'add_money', 'declined_payment'],
  card_details: ['confirm_you', 'freeze_card', 'create_card'],
  freeze_card: ['remove_card', 'report_payment', 'declined_payment'],
  card_limits: ['declined_payment', 'freeze_card', 'create_card'],
  remove_card: ['freeze_card', 'create_card'],
  declined_payment: ['card_limits', 'fund_card', 'freeze_card'],
  cashback: ['premium', 'card_limits'],

  verify_identity: ['update_details', 'confirm_phone', 'encryption'],
  passkey: ['two_factor', 'devices', 'change_password'],
  two_factor: ['recovery_codes', 'passkey', 'confirm_you'],
  recovery_codes: ['two_factor', 'passkey'],
  change_password: ['passkey', 'two_factor', 'devices'],
  confirm_you: ['passkey', 'two_factor'],
  devices: ['security_activity', 'change_password', 'passkey'],
  security_activity: ['devices', 'change_password', 'report_payment'],
  transaction_alerts: ['notifications', 'push', 'security_activity'],
  hide_balance: ['dark_mode', 'devices'],
  encryption: ['download_data', 'confirm_you', 'verify_identity'],
  download_data: ['encryption', 'close_account'],

  update_details: ['change_email', 'confirm_phone', 'verify_identity'],
  change_email: ['update_details', 'change_password'],
  confirm_phone: ['update_details', 'send_money'],
  language: ['dark_mode', 'notifications'],
  dark_mode: ['language', 'hide_balance'],
  notifications: ['push', 'transaction_alerts'],
  push: ['notifications', 'transaction_alerts'],
  offline: ['push', 'send_money'],
  premium: ['cashback', 'notifications'],
  close_account: ['move_out', 'download_data'],

  send_money: ['send_to_anyone', 'schedule_payment', 'contacts'],
  send_to_anyone: ['send_money', 'request_money'],
  schedule_payment: ['change_scheduled', 'send_money'],
  change_scheduled: ['schedule_payment', 'direct_debits'],
  contacts: ['send_money', 'request_money'],
  request_money: ['answer_request', 'split_bill', 'send_money'],
  answer_request: ['request_money', 'send_money'],
  split_bill: ['groups', 'request_money'],
  groups: ['split_bill', 'request_money'],
  add_money: ['link_account', 'move_out', 'fund_card'],
  link_account: ['add_money', 'move_out', 'confirm_you'],
  move_out: ['link_account', 'add_money', 'confirm_you'],
  direct_debits: ['report_payment', 'change_scheduled'],
  report_payment: ['freeze_card', 'direct_debits', 'receipts'],
  receipts: ['report_payment', 'send_money'],
}
