import type { HELP_STEPS } from '#contract/help-steps.ts'
import type { HELP_TEXTS } from '#contract/help-texts.ts'

/**
 * The names of controls in each text of an article, in English as on the screens. The names of the app and of devices are left
 * out.
 */
export const HELP_CONTROLS: Readonly<
  Partial<Record<keyof typeof HELP_TEXTS | keyof typeof HELP_STEPS, readonly string[]>>
> = {
  'create_card.body': ['Cards', 'Create Virtual Card', 'Reusable', 'Single-Use'],
  'create_card.step_1': ['Cards', 'Create Virtual Card'],
  'create_card.step_2': ['Color', 'Design'],
  'create_card.step_3': ['Reusable', 'Monthly Limit', 'Single-Use', 'Payment Limit'],
  'create_card.step_4': ['Starting Balance (optional)', 'Create Card'],

  'fund_card.body': ['Add or Withdraw Money'],
  'fund_card.step_1': ['Cards', 'Add or Withdraw Money'],
  'fund_card.step_2': ['Add', 'Withdraw', 'Amount'],
  'fund_card.step_3': ['Add Money', 'Withdraw Money'],

  'card_details.body': ['Details'],
  'card_details.step_1': ['Cards', 'Details'],
  'card_details.step_3': ['Card Number', 'Expiration Date'],

  'freeze_card.body': ['Freeze'],
  'freeze_card.step_1': ['Cards', 'Freeze'],
  'freeze_card.step_2': ['Frozen'],
  'freeze_card.step_3': ['Unfreeze'],
  'freeze_card.step_4': ['Remove', 'Delete'],
  'freeze_card.fails': ['Phone Support', 'Help Center'],

  'card_limits.body': ['Limits and Controls'],
  'card_limits.step_1': ['Cards', 'Limits and Controls'],
  'card_limits.step_2': ['Limit per Payment', 'Limit per Month', 'Save Limits'],
  'card_limits.step_3': ['Online Payments', 'Payments Abroad', 'Contactless Payments'],

  'remove_card.step_1': ['Cards', 'Remove', 'Delete'],
  'remove_card.step_2': ['Remove Card', 'Delete Card'],
  'remove_card.step_3': ['Get a Main Card', 'Cards'],
  'remove_card.fails': ['Past Cards'],

  'declined_payment.step_1': ['Notifications', 'Card payment declined'],
  'declined_payment.step_3': ['Unfreeze'],
  'declined_payment.fails': ['Email Support', 'Help Center'],

  'cashback.step_1': ['Cards', 'Card Benefits'],
  'cashback.step_2': ['Transactions', 'Card cashback'],
  'cashback.step_3': ['Limits and Controls', 'Payments Abroad'],

  'verify_identity.step_1': ['Settings', 'Verify Your Identity'],
  'verify_identity.step_2': ['Identity Document', 'Upload Document'],
  'verify_identity.step_3': ['Take a Selfie', 'Use Camera', 'Capture', 'Use Photo'],
  'verify_identity.step_4': ['Proof of Address'],
  'verify_identity.step_5': ['Complete Verification'],
  'verify_identity.fails': ['Get Help'],

  'passkey.step_1': ['Security & Privacy', 'Add a Passkey'],
  'passkey.step_3': ['Use Biometric'],
  'passkey.step_4': ['Remove'],

  'two_factor.body': ['Two-Factor Authentication'],
  'two_factor.step_1': ['Security & Privacy', 'Two-Factor Authentication'],
  'two_factor.step_2': ['Open in Your Authenticator App'],
  'two_factor.step_4': ['Copy', 'Download', "I've Saved Them"],

  'recovery_codes.step_1': ['Security & Privacy', 'Two-Factor Authentication'],
  'recovery_codes.step_2': ['Copy', 'Download', "I've Saved Them"],
  'recovery_codes.step_3': ['Use a Recovery Code'],
  'recovery_codes.step_4': ['Recovery Codes', 'Get New Codes'],
  'recovery_codes.fails': ['Phone Support', 'Help Center'],

  'change_password.body': ['Change Password'],
  'change_password.step_1': ['Security & Privacy', 'Change Password'],
  'change_password.step_3': ['Save Password'],
  'change_password.fails': ['Personal Information', 'Request a New Link'],

  'confirm_you.step_2': ['Use Passkey', 'Confirm'],
  'confirm_you.step_3': ['Add a Passkey', 'Security & Privacy'],
  'confirm_you.fails': ['Use Your Password Instead'],

  'devices.step_1': ['Security & Privacy', 'Manage Devices'],
  'devices.step_3': ['Sign Out', 'Sign Out All Other Devices'],
  'devices.fails': ['Manage Devices'],

  'security_activity.body': ['Security Activity'],
  'security_activity.step_1': ['Security & Privacy', 'Security Activity'],
  'security_activity.step_3': ['Change Password'],
  'security_activity.step_4': ['Manage Devices'],
  'security_activity.fails': ['Phone Support', 'Help Center'],

  'transaction_alerts.body': ['Transaction Alerts'],
  'transaction_alerts.step_1': ['Security & Privacy', 'Transaction Alerts'],
  'transaction_alerts.step_2': ['Notification Preferences', 'Money In', 'Money Out', 'Card Payments'],
  'transaction_alerts.step_3': ['Push Notifications'],
  'transaction_alerts.fails': ['All Notifications', 'Notification Preferences'],

  'hide_balance.body': ['Hide Balance', 'Home', 'Show Balance'],
  'hide_balance.step_1': ['Home', 'Hide Balance'],
  'hide_balance.step_2': ['Show Balance'],
  'hide_balance.fails': ['Home', 'Transactions', 'Show Balance'],

  'encryption.step_1': ['Security & Privacy', 'Protected with 256-bit encryption'],
  'encryption.step_3': ['Two-Factor Authentication'],
  'encryption.fails': ['Change Password', 'Security Activity'],

  'download_data.body': ['Download My Data'],
  'download_data.step_1': ['Security & Privacy', 'Download My Data'],
  'download_data.fails': ['Statements', 'Settings'],

  'update_details.body': ['Edit', 'Personal Information'],
  'update_details.step_1': ['Personal Information', 'Edit'],
  'update_details.step_2': ['Save Changes'],
  'update_details.step_4': ['Discard Changes'],
  'update_details.fails': ['Verify Your Identity', 'Settings'],

  'change_email.body': ['Personal Information'],
  'change_email.step_1': ['Personal Information', 'Edit'],
  'change_email.step_2': ['Email', 'Save Changes'],
  'change_email.step_3': ['Confirm Email'],
  'change_email.fails': ['Phone Support', 'Help Center'],

  'confirm_phone.body': ['Personal Information'],
  'confirm_phone.step_1': ['Personal Information', 'Phone Number', 'Confirmed'],
  'confirm_phone.step_2': ['Confirm'],
  'confirm_phone.fails': ['Send a New Code'],

  'language.body': ['Settings'],
  'language.step_1': ['Settings', 'Language'],

  'dark_mode.body': ['Dark Mode', 'Settings'],
  'dark_mode.step_1': ['Settings', 'Dark Mode'],
  'dark_mode.step_2': ['Use Device Setting'],
  'dark_mode.fails': ['Use Device Setting'],

  'notifications.step_1': ['Notification Preferences', 'All Notifications'],
  'notifications.step_2': ['Card Payments', 'Requests', 'Savings'],
  'notifications.step_3': ['Push Notifications'],
  'notifications.fails': ['All Notifications', 'Transaction Alerts'],

  'push.body': ['Push Notifications'],
  'push.step_2': ['Notification Preferences', 'Push Notifications'],

  'offline.step_1': ['Cards', 'Transactions'],

  'premium.step_1': ['Rewards', 'Upgrade Now'],
  'premium.step_3': ['Cancel Premium'],
  'premium.step_4': ['Keep Premium'],
  'premium.fails': ['Rewards'],

  'close_account.body': ['Close My Account'],
  'close_account.step_1': ['Send Money', 'Payment Methods'],
  'close_account.step_2': ['Invest', 'Crypto', 'Loans'],
  'close_account.step_3': ['Security & Privacy', 'Download My Data'],
  'close_account.step_4': ['Close My Account'],

  'send_money.step_1': ['Send Money', 'Amount', 'Recipient', 'Recent Contacts'],
  'send_money.step_2': ['Send Money'],
  'send_money.step_3': ['Confirm'],
  'send_money.step_4': ['View', 'Undo'],
  'send_money.fails': ['Request Money'],

  'send_to_anyone.step_1': ['Send Money', 'Recipient'],
  'send_to_anyone.step_2': ['Share Link'],
  'send_to_anyone.step_3': ['Transactions', 'Waiting to be accepted'],
  'send_to_anyone.step_4': ['Cancel', 'Cancel Payment'],
  'send_to_anyone.fails': ['Copy Link'],

  'schedule_payment.body': ['Later', 'Weekly', 'Monthly'],
  'schedule_payment.step_1': ['Send Money', 'Amount', 'Recipient'],
  'schedule_payment.step_2': ['Later', 'Weekly', 'Monthly'],
  'schedule_payment.step_3': ['Never', 'On a Date', 'After'],
  'schedule_payment.step_4': ['Schedule Payment'],
  'schedule_payment.fails': ['Scheduled', 'Send Money'],

  'change_scheduled.body': ['Send Money'],
  'change_scheduled.step_1': ['Send Money', 'Scheduled'],
  'change_scheduled.step_2': ['Edit', 'Save Changes'],
  'change_scheduled.step_3': ['Skip Next', 'Skip Payment'],
  'change_scheduled.step_4': ['Cancel', 'Cancel Payment'],
  'change_scheduled.fails': ['Scheduled', 'Transactions'],

  'contacts.step_1': ['Send Money', 'Recent Contacts', 'Recipient'],
  'contacts.step_2': ['See All'],
  'contacts.step_4': ['Remove'],

  'request_money.step_1': ['Request Money', 'Amount', 'From'],
  'request_money.step_2': ['Request Money'],
  'request_money.step_3': ['From', 'Share a Link', 'Copy Link', 'Share Link'],
  'request_money.step_4': ['Sent', 'Send a Reminder', 'Cancel Request'],

  'answer_request.body': ['Request Money'],
  'answer_request.step_1': ['Request Money', 'Received'],
  'answer_request.step_2': ['Pay a Part'],
  'answer_request.step_3': ['Decline', 'Decline Request'],
  'answer_request.step_4': ['Block or Report'],
  'answer_request.fails': ['Unblock', 'Blocked'],

  'split_bill.step_1': ['Split Bill', 'Total Amount'],
  'split_bill.step_2': ['Split With', 'Add Someone Else'],
  'split_bill.step_3': ['Equally', 'By amount', 'By percent'],
  'split_bill.step_4': ['Split Bill'],
  'split_bill.step_5': ['Your Bills'],
  'split_bill.fails': ['Cancel Unpaid Shares'],

  'groups.body': ['Settle Up'],
  'groups.step_1': ['Split Bill', 'New Group'],
  'groups.step_2': ['Create Group'],
  'groups.step_3': ['Add a Bill I Paid'],
  'groups.step_4': ['Settle Up'],
  'groups.fails': ['Split Bill', 'Join'],

  'add_money.body': ['Account Details'],
  'add_money.step_1': ['Add Money', 'Amount', 'Payment Method'],
  'add_money.step_2': ['Add Money', 'Transactions'],
  'add_money.step_3': ['Account Details', 'Home', 'Cards', 'Add Money'],
  'add_money.step_4': ['Share', 'Copy All', 'Download Letter'],

  'link_account.step_1': ['Payment Methods', 'Link New Account'],
  'link_account.step_2': ['Bank Name', 'Routing Number', 'Account Number', 'Link Account'],
  'link_account.step_3': ['Manage'],
  'link_account.step_4': ['First Deposit', 'Second Deposit', 'Verify'],
  'link_account.fails': ['Remove Account'],

  'move_out.body': ['Manage', 'Move Money Out'],
  'move_out.step_1': ['Payment Methods', 'Manage'],
  'move_out.step_2': ['Move Money Out', 'Amount'],
  'move_out.step_3': ['Move Money'],
  'move_out.step_4': ['Transactions'],
  'move_out.fails': ['Move Money Out'],

  'direct_debits.step_1': ['Payment Methods', 'Direct Debits', 'Approve', 'Decline'],
  'direct_debits.step_3': ['Cancel Direct Debit'],
  'direct_debits.step_4': ['Claim Back'],
  'direct_debits.fails': ['Claim Back'],

  'report_payment.body': ['Transactions', 'Report a Problem'],
  'report_payment.step_1': ['Transactions'],
  'report_payment.step_2': ['Freeze Card'],
  'report_payment.step_3': ['Report a Problem'],
  'report_payment.step_4': ['Report'],
  'report_payment.step_5': ['Withdraw Dispute'],
  'report_payment.fails': ['Report a Problem', 'Email Support', 'Help Center'],

  'receipts.body': ['Transactions', 'Download Receipt', 'Share'],
  'receipts.step_1': ['Transactions'],
  'receipts.step_2': ['Download Receipt', 'Share'],
  'receipts.step_3': ['Add a Receipt'],
  'receipts.step_4': ['Add a Note'],
  'receipts.fails': ['Statements'],
}
