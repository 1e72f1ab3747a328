/**
 * The texts of the help center's articles, in English. Each article describes this app: if you change a screen or a rule,
 * change its article too. A title has up to six words; a body has one or two sentences.
 */
export const HELP_TEXTS = {
  'create_card.title': 'Create a virtual card',
  'create_card.body':
    "In Cards, choose Create Virtual Card, and give it a name, a design and a limit. It's ready right away: Reusable for as long as you like, or Single-Use for one payment.",
  'fund_card.title': 'Put money on a virtual card',
  'fund_card.body':
    'You can only spend the money you put on a virtual card. Choose Add or Withdraw Money below the card to move money between it and your account right away.',
  'card_details.title': "See your card's number",
  'card_details.body':
    "Choose Details below a card to see its number, expiration date and CVV. We may ask you to confirm it's you, and we hide them again after a minute.",
  'freeze_card.title': 'Freeze a lost card',
  'freeze_card.body':
    "If you can't find your card, choose Freeze: from that moment, new payments are declined. When it turns up, you can unfreeze it in the same place.",
  'card_limits.title': "Set a card's limits",
  'card_limits.body':
    'In Limits and Controls, you set how much you can spend with a card per payment and per month. You can also turn off online payments, contactless payments and payments abroad.',
  'remove_card.title': 'Remove or replace a card',
  'remove_card.body':
    'Removing your main card stops it for good, and you can get a new one with a new number. Deleting a virtual card returns its money to your account.',
  'declined_payment.title': 'When a card payment is declined',
  'declined_payment.body':
    "A card payment can be declined because the card is frozen, a limit is reached or there isn't enough money. The notification says why and takes you to the setting.",
  'cashback.title': 'Cashback and payments abroad',
  'cashback.body':
    'You earn cashback on every card payment, paid into your account after the month ends. We add no foreign transaction fees when you pay abroad.',

  'verify_identity.title': 'Verify your identity',
  'verify_identity.body':
    "Upload an identity document, take a selfie and add proof of address. Until we've verified your identity, your daily limit may be lower.",
  'passkey.title': 'Sign in with a passkey',
  'passkey.body':
    'Add a passkey, and your fingerprint, face or screen lock signs you in without a password. You can add one on each of your devices, and remove any of them.',
  'two_factor.title': 'Turn on two-factor authentication',
  'two_factor.body':
    "Turn on Two-Factor Authentication and add Alder to an authenticator app. From then on, you'll also need the six-digit code from the app to sign in with your password.",
  'recovery_codes.title': 'Keep your recovery codes',
  'recovery_codes.body':
    'Two-factor authentication comes with ten recovery codes. Each works once in place of a code from your authenticator app, so keep them somewhere you can reach without your phone.',
  'change_password.title': 'Change your password',
  'change_password.body':
    "Choose Change Password, and we'll email you a link that works once and expires after 30 minutes. When you save your new password, you're signed out on all your devices.",
  'confirm_you.title': 'Why we ask you to confirm',
  'confirm_you.body':
    'Before some steps, such as moving money to another bank, we may ask for your passkey, a code or your password. That protects your money if someone else picks up your phone.',
  'devices.title': "See where you're signed in",
  'devices.body':
    "Devices lists where you're signed in, and when each device was last used. Sign out any device that you don't recognize, or all your other devices together.",
  'security_activity.title': 'Check your security activity',
  'security_activity.body':
    "Security Activity lists sign-ins and changes to your account, newest first. If you don't recognize something, change your password right away.",
  'transaction_alerts.title': 'Get alerts when money moves',
  'transaction_alerts.body':
    'With Transaction Alerts on, we notify you when money moves, such as when you get paid or pay by card. You always get messages about the safety of your account.',
  'hide_balance.title': 'Hide your balance',
  'hide_balance.body':
    'If someone can see your screen, choose Hide Balance, beside the balance on Home, to replace the figures with dots. Choose Show Balance to see them again.',
  'encryption.title': 'How we protect your data',
  'encryption.body':
    'We protect your identity documents and the setup key of your authenticator app with 256-bit encryption. We never store your password itself.',
  'download_data.title': 'Download your data',
  'download_data.body':
    "Download My Data gives you everything we keep about you as one file, from your details to your payments. We may ask you to confirm it's you first.",

  'update_details.title': 'Update your personal information',
  'update_details.body':
    'Choose Edit in Personal Information, make your changes and save them. If you change your name, we may need to verify your identity again.',
  'change_email.title': 'Change your email',
  'change_email.body':
    "Enter your new email in Personal Information, and we'll email both the old and the new address. It changes once you open the link in both emails.",
  'confirm_phone.title': 'Confirm your phone number',
  'confirm_phone.body':
    "Once your phone number is confirmed, people can send you money with it. If yours isn't, confirm it in Personal Information with a code that we text you.",
  'language.title': 'Choose your language',
  'language.body':
    'Choose a language in Settings. The app, your emails and receipts switch right away, and we remember your choice when you sign in on another device.',
  'dark_mode.title': 'Turn on Dark Mode',
  'dark_mode.body':
    'Dark Mode in Settings is easier on the eyes at night. We remember your choice on this device; until you choose, Alder follows your device.',
  'notifications.title': 'Choose your notifications',
  'notifications.body':
    'Choose what we notify you about, such as money in and out, card payments, requests and savings. Notifications about the safety of your account are always on.',
  'push.title': 'Get notifications on your device',
  'push.body':
    'Turn on Push Notifications to hear from us while Alder is closed. On an iPhone or iPad, add Alder to your Home Screen first.',
  'offline.title': 'Use Alder without a connection',
  'offline.body':
    "If you've used Alder recently, it opens without a connection and shows what it last loaded. To send or move money, you need to be online.",
  'premium.title': 'Upgrade to Premium, or cancel it',
  'premium.body':
    "Premium doubles the points you earn from the moment you upgrade. It renews every month until you cancel, and you keep it to the end of the month you've paid for.",
  'close_account.title': 'Close your account',
  'close_account.body':
    "First move your money out, sell your investments and coins, and repay what you've borrowed. Then choose Close My Account: your cards, passkeys and password stop working for good.",

  'send_money.title': 'Send money',
  'send_money.body':
    "Enter an amount and the recipient's email or phone number, and check the payment once more if it's large or to someone new. If they're with Alder, the money arrives right away.",
  'send_to_anyone.title': 'Send to someone without Alder',
  'send_to_anyone.body':
    "If the recipient isn't with Alder, they can accept the money with a link within seven days. You can cancel until then, and if no one accepts it, it comes back to you.",
  'schedule_payment.title': 'Schedule a payment',
  'schedule_payment.body':
    'When you send money, choose Later, Weekly or Monthly, and the date of the first payment. If a payment falls on a weekend or federal holiday, it goes out on the next business day.',
  'change_scheduled.title': 'Change a scheduled payment',
  'change_scheduled.body':
    'Your scheduled payments are listed on Send Money. Open one to edit it, skip its next payment or cancel it; payments that were already made stay as they are.',
  'contacts.title': 'Find and manage your contacts',
  'contacts.body':
    "Everyone you've sent money to becomes a contact. Choose one to fill in the recipient, or open the whole list to search it, add favorites and remove people.",
  'request_money.title': 'Request money',
  'request_money.body':
    'Ask someone by email or phone number, or share a link that anyone can pay. They can pay all at once or in parts, and you can send a reminder.',
  'answer_request.title': 'Answer a money request',
  'answer_request.body':
    "Requests you receive are listed on Request Money: pay all or part of one, or decline it. You can also block the person who sent it, and we won't tell them.",
  'split_bill.title': 'Split a bill',
  'split_bill.body':
    'Enter the total, choose people, and split it equally, by amount or by percent. We send each person a request for their share, and you can see who has paid.',
  'groups.title': 'Share bills in a group',
  'groups.body':
    'Create a group for a household or a trip, and add what each of you pays. Settle Up then works out the fewest payments and requests them for you.',
  'add_money.title': 'Add money to your account',
  'add_money.body':
    'Enter an amount and choose a payment method; each one shows how long it takes. For your salary or a transfer from another bank, give the account number and routing number in Account Details.',
  'link_account.title': 'Link an account at another bank',
  'link_account.body':
    "Enter its routing and account numbers, and we'll send it two deposits of less than $1 each. Enter their amounts to show us that the account is yours.",
  'move_out.title': 'Move money to another bank',
  'move_out.body':
    "Link and verify the other account first, then choose Manage and Move Money Out. The money leaves your account right away, and we'll tell you when it arrives.",
  'direct_debits.title': 'Approve or cancel direct debits',
  'direct_debits.body':
    'A company can collect from your account only once you approve it. You can cancel at any time, and claim a payment back within eight weeks.',
  'report_payment.title': 'Report a card payment problem',
  'report_payment.body':
    "Open the card payment in Transactions and choose Report a Problem. We'll look into it, and we may credit the amount to your account until we decide.",
  'receipts.title': 'Download or share a receipt',
  'receipts.body':
    "Open a payment in Transactions and choose Download Receipt for a PDF, or Share for its details. You can keep a photo of the store's receipt and a private note with it, too.",
} as const

export type ArticleId = keyof typeof HELP_TEXTS extends `${infer Id}.${'title' | 'body'}` ? Id : never
export const ARTICLE_IDS = Object.keys(HELP_TEXTS)
  .filter((key) => key.endsWith('.title'))
  .map((key) => key.slice(0, -'.title'.length)) as [ArticleId, ...ArticleId[]]
