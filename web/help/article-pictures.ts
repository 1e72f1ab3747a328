import type { ArticleId } from '#contract/help-texts.ts'
import { paths } from '#web/lib/paths.ts'

/** A screen that can be opened by its address, and the English name of the control at which an article's steps begin. */
export type ArticlePicture = {
  path: string
  /** A text on the screen, or null without a control to highlight. */
  control: string | null
}

const on = (path: string, control: string | null = null): ArticlePicture => ({ path, control })

/** The screen and the control that each article's picture shows. */
export const PICTURES: Readonly<Record<ArticleId, ArticlePicture>> = {
  create_card: on(paths.cards, 'Create Virtual Card'),
  fund_card: on(paths.cards, 'Add or Withdraw Money'),
  card_details: on(paths.cards, 'Details'),
  freeze_card: on(paths.cards, 'Freeze'),
  card_limits: on(paths.cards, 'Limits and Controls'),
  remove_card: on(paths.cards, 'Remove'),
  declined_payment: on(paths.notifications),
  cashback: on(paths.cards, 'Card Benefits'),

  verify_identity: on(paths.settings, 'Verify Your Identity'),
  passkey: on(paths.securityPrivacy, 'Add a Passkey'),
  two_factor: on(paths.securityPrivacy, 'Two-Factor Authentication'),
  recovery_codes: on(paths.securityPrivacy, 'Two-Factor Authentication'),
  change_password: on(paths.securityPrivacy, 'Change Password'),
  confirm_you: on(paths.securityPrivacy, 'Add a Passkey'),
  devices: on(paths.securityPrivacy, 'Manage Devices'),
  security_activity: on(paths.securityPrivacy, 'Security Activity'),
  transaction_alerts: on(paths.securityPrivacy, 'Transaction Alerts'),
  hide_balance: on(paths.dashboard, 'Hide Balance'),
  encryption: on(paths.securityPrivacy, 'Protected with 256-bit encryption'),
  download_data: on(paths.securityPrivacy, 'Download My Data'),

  update_details: on(paths.personalInfo, 'Edit'),
  change_email: on(paths.personalInfo, 'Edit'),
  confirm_phone: on(paths.personalInfo, 'Phone Number'),
  language: on(paths.settings, 'Language'),
  dark_mode: on(paths.settings, 'Dark Mode'),
  notifications: on(paths.notificationPreferences, 'All Notifications'),
  push: on(paths.notificationPreferences, 'Push Notifications'),
  offline: on(paths.dashboard),
  premium: on(paths.rewards, 'Upgrade Now'),
  close_account: on(paths.securityPrivacy, 'Close My Account'),

  send_money: on(paths.transfer, 'Amount'),
  send_to_anyone: on(paths.transfer, 'Recipient'),
  schedule_payment: on(paths.transfer, 'Later'),
  change_scheduled: on(paths.transfer),
  contacts: on(paths.transfer, 'Recent Contacts'),
  request_money: on(paths.request, 'From'),
  answer_request: on(paths.request),
  split_bill: on(paths.splitBill, 'Total Amount'),
  groups: on(paths.splitBill, 'New Group'),
  add_money: on(paths.addMoney, 'Payment Method'),
  link_account: on(paths.paymentMethods, 'Link New Account'),
  move_out: on(paths.paymentMethods, 'Manage'),
  direct_debits: on(paths.paymentMethods, 'Direct Debits'),
  report_payment: on(paths.transactions),
  receipts: on(paths.transactions),
}
