import type { ArticleId } from '#contract/help-texts.ts'
import { paths } from '#web/lib/paths.ts'

/** A screen that can be opened by its address, and the English name of the control at which an article's steps begin. */
export type ArticlePicture = {
  path: string
  /** A text on the screen, or null without a control to highlight. */
  control: string | null
}

const pictureAt = (path: string, control: string | null = null): ArticlePicture => ({ path, control })

/** The screen and the control that each article's picture shows. */
export const PICTURES: Readonly<Record<ArticleId, ArticlePicture>> = {
  create_card: pictureAt(paths.cards, 'Create Virtual Card'),
  fund_card: pictureAt(paths.cards, 'Add or Withdraw Money'),
  card_details: pictureAt(paths.cards, 'Details'),
  freeze_card: pictureAt(paths.cards, 'Freeze'),
  card_limits: pictureAt(paths.cards, 'Limits and Controls'),
  remove_card: pictureAt(paths.cards, 'Remove'),
  declined_payment: pictureAt(paths.notifications),
  cashback: pictureAt(paths.cards, 'Card Benefits'),

  verify_identity: pictureAt(paths.settings, 'Verify Your Identity'),
  passkey: pictureAt(paths.securityPrivacy, 'Add a Passkey'),
  two_factor: pictureAt(paths.securityPrivacy, 'Two-Factor Authentication'),
  recovery_codes: pictureAt(paths.securityPrivacy, 'Two-Factor Authentication'),
  change_password: pictureAt(paths.securityPrivacy, 'Change Password'),
  confirm_you: pictureAt(paths.securityPrivacy, 'Add a Passkey'),
  devices: pictureAt(paths.securityPrivacy, 'Manage Devices'),
  security_activity: pictureAt(paths.securityPrivacy, 'Security Activity'),
  transaction_alerts: pictureAt(paths.securityPrivacy, 'Transaction Alerts'),
  hide_balance: pictureAt(paths.dashboard, 'Hide Balance'),
  encryption: pictureAt(paths.securityPrivacy, 'Protected with 256-bit encryption'),
  download_data: pictureAt(paths.securityPrivacy, 'Download My Data'),

  update_details: pictureAt(paths.personalInfo, 'Edit'),
  change_email: pictureAt(paths.personalInfo, 'Edit'),
  confirm_phone: pictureAt(paths.personalInfo, 'Phone Number'),
  language: pictureAt(paths.settings, 'Language'),
  dark_mode: pictureAt(paths.settings, 'Dark Mode'),
  notifications: pictureAt(paths.notificationPreferences, 'All Notifications'),
  push: pictureAt(paths.notificationPreferences, 'Push Notifications'),
  offline: pictureAt(paths.dashboard),
  premium: pictureAt(paths.rewards, 'Upgrade Now'),
  close_account: pictureAt(paths.securityPrivacy, 'Close My Account'),

  send_money: pictureAt(paths.transfer, 'Amount'),
  send_to_anyone: pictureAt(paths.transfer, 'Recipient'),
  schedule_payment: pictureAt(paths.transfer, 'Later'),
  change_scheduled: pictureAt(paths.transfer),
  contacts: pictureAt(paths.transfer, 'Recent Contacts'),
  request_money: pictureAt(paths.request, 'From'),
  answer_request: pictureAt(paths.request),
  split_bill: pictureAt(paths.splitBill, 'Total Amount'),
  groups: pictureAt(paths.splitBill, 'New Group'),
  add_money: pictureAt(paths.addMoney, 'Payment Method'),
  link_account: pictureAt(paths.paymentMethods, 'Link New Account'),
  move_out: pictureAt(paths.paymentMethods, 'Manage'),
  direct_debits: pictureAt(paths.paymentMethods, 'Direct Debits'),
  report_payment: pictureAt(paths.transactions),
  receipts: pictureAt(paths.transactions),
}
