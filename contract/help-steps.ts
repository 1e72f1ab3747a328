/**
 * What the help center's articles say to do, step by step, and what to do where it doesn't work. What stands on a screen is named as
 * the screen says it; `web/help/controls.ts` lists those names. If you change a screen or a refusal, change its steps too.
 */
export const HELP_STEPS = {
  'create_card.step_1': 'In Cards, choose Create Virtual Card.',
  'create_card.step_2': 'Enter a name, and pick a Color and a Design.',
  'create_card.step_3': 'Choose Reusable and enter a Monthly Limit, or Single-Use and enter a Payment Limit.',
  'create_card.step_4': 'Enter a Starting Balance (optional) to pay with it right away, then choose Create Card.',
  'create_card.fails':
    "If the limit is more than a card can spend, enter a smaller one. If you've reached the maximum number of virtual cards, delete one that you no longer use.",
  'fund_card.step_1': 'In Cards, choose Add or Withdraw Money below the virtual card.',
  'fund_card.step_2': 'Choose Add or Withdraw, then enter the Amount.',
  'fund_card.step_3': 'Choose Add Money or Withdraw Money, and the money moves right away.',
  'fund_card.fails':
    "You can't move more than what's shown below the amount as in your account or on this card. A single-use card that has made its payment takes no more money, so create a new one.",
  'card_details.step_1': 'In Cards, choose Details below the card.',
  'card_details.step_2': "Confirm it's you if we ask.",
  'card_details.step_3': 'Copy what you need with the buttons beside Card Number, Expiry Date and CVV.',
  'card_details.fails':
    "If we can't confirm it's you, try another of the ways we offer. If a shop refuses the card, check each digit: after too many wrong tries, it can't pay online for an hour.",
  'freeze_card.step_1': 'In Cards, choose Freeze below the card.',
  'freeze_card.step_2': 'Check that the picture of the card says Frozen.',
  'freeze_card.step_3': 'When you find the card, choose Unfreeze in the same place.',
  'freeze_card.step_4': "If it's gone for good, choose Remove, or Delete for a virtual card.",
  'freeze_card.fails':
    "If you can't get online to freeze it, call the number under Phone Support in Help Center. Payments made before you froze it still go through; once one is complete, you can report it.",
  'card_limits.step_1': 'In Cards, choose Limits and Controls below the card.',
  'card_limits.step_2': 'Enter a new Limit per Payment or Limit per Month, then choose Save Limits.',
  'card_limits.step_3':
    'Turn Online Payments or Payments Abroad on or off; your main card has Contactless Payments too.',
  'card_limits.fails':
    'If a limit is more than a card can spend, enter a smaller one. For a larger payment, send the money from your account instead.',
  'remove_card.step_1': 'In Cards, choose Remove below your main card, or Delete below a virtual one.',
  'remove_card.step_2': 'Read what happens, then choose Remove Card or Delete Card.',
  'remove_card.step_3': 'For a new main card, choose Get a Main Card in Cards.',
  'remove_card.fails':
    "A virtual card with a pending payment can be deleted once that's complete, so freeze it until then. What a deleted card paid is still listed under Past Cards.",
  'declined_payment.step_1': 'In Notifications, find Card payment declined and read the reason.',
  'declined_payment.step_2': 'Choose the notification: it opens what you can change.',
  'declined_payment.step_3': 'Choose Unfreeze, raise the limit, turn the kind of payment on, or add money.',
  'declined_payment.step_4': 'Pay again at the shop.',
  'declined_payment.fails':
    "Alder cards can't pay for gambling or buy cash, and a daily limit starts again tomorrow. If the reason doesn't help you, choose Email Support in Help Center.",
  'cashback.step_1': "In Cards, see what you've earned this month under Card Benefits.",
  'cashback.step_2': 'After the month ends, search Transactions for Card cashback.',
  'cashback.step_3': 'Before a trip, check in Limits and Controls that Payments Abroad is on.',
  'cashback.fails':
    'Payments that are pending or were refunded earn no cashback, so it can be less than you expect. If a payment abroad is declined, your notification says why.',

  'verify_identity.step_1': 'In Settings, choose Verify Your Identity below your name.',
  'verify_identity.step_2': 'Under Identity Document, choose what you have, then Upload Document.',
  'verify_identity.step_3': 'Under Take a Selfie, choose Use Camera, then Capture and Use Photo.',
  'verify_identity.step_4': 'Under Proof of Address, upload a bill or bank statement from the last three months.',
  'verify_identity.step_5': 'Choose Complete Verification, and we tell you once someone has checked them.',
  'verify_identity.fails':
    "A file must be a JPEG, PNG or PDF of up to 10 MB without a password; if the camera doesn't work, upload a photo. If we couldn't verify you, read our reviewer's message and choose Get Help.",
  'passkey.step_1': 'In Security & Privacy, choose Add a Passkey.',
  'passkey.step_2': 'Follow your device: it asks for your fingerprint, face or screen lock.',
  'passkey.step_3': 'Next time, choose Use Biometric when you sign in.',
  'passkey.step_4': 'To remove a passkey, choose the bin beside it, then Remove.',
  'passkey.fails':
    "If no passkey was created, your device may already have one for Alder, or its question was closed: try again. If Alder doesn't know your passkey any more, sign in with your password and add a new one.",
  'two_factor.step_1': 'In Security & Privacy, turn on Two-Factor Authentication.',
  'two_factor.step_2':
    'Scan the QR code with an authenticator app, or choose Open in Your Authenticator App on this device.',
  'two_factor.step_3': 'Enter the six digits that the app shows, and it turns on.',
  'two_factor.step_4': "Keep your recovery codes with Copy or Download, then choose I've Saved Them.",
  'two_factor.fails':
    "If the code isn't right, enter the next one, and let your phone set its time automatically. If you've lost the app, sign in with a recovery code, then turn this off and on again.",
  'recovery_codes.step_1': 'In Security & Privacy, turn on Two-Factor Authentication: your ten codes come last.',
  'recovery_codes.step_2': "Choose Copy or Download, put them in a safe place, then choose I've Saved Them.",
  'recovery_codes.step_3': 'To sign in with one, choose Use a Recovery Code where we ask for six digits.',
  'recovery_codes.step_4': 'For ten new ones, choose Recovery Codes, then Get New Codes.',
  'recovery_codes.fails':
    "A code that was used, or is from before you got new ones, doesn't work: try another. If you have neither codes nor your phone, sign in with a passkey, or call the number under Phone Support in Help Center.",
  'change_password.step_1': 'In Security & Privacy, choose Change Password.',
  'change_password.step_2': 'Open the link in our email within 30 minutes.',
  'change_password.step_3': 'Enter the new password twice, then choose Save Password.',
  'change_password.step_4': 'Sign in with it on each of your devices.',
  'change_password.fails':
    "If the email doesn't come, look among your spam, and check your address in Personal Information. If the link has expired, choose Request a New Link; if the password is too easy to guess, put a few words together.",
  'confirm_you.step_1': 'Read what we ask you to confirm, such as the amount and who gets it.',
  'confirm_you.step_2': 'Choose Use Passkey, or enter a code or your password and choose Confirm.',
  'confirm_you.step_3': 'To make it one touch next time, choose Add a Passkey in Security & Privacy.',
  'confirm_you.fails':
    "If we couldn't confirm it's you, choose another way, such as Use Your Password Instead. If you didn't start what we ask about, close it and change your password.",
  'devices.step_1': 'In Security & Privacy, choose Manage Devices.',
  'devices.step_2': "Look for devices that you don't recognize, and when they were last used.",
  'devices.step_3': 'Choose Sign Out beside one, or Sign Out All Other Devices.',
  'devices.fails':
    "If Manage Devices doesn't open a list, you're signed in on this device only. If a device that isn't yours comes back, change your password, which signs out all of them.",
  'security_activity.step_1': 'In Security & Privacy, choose Security Activity.',
  'security_activity.step_2': "Look for times and devices that aren't yours.",
  'security_activity.step_3': "If something wasn't you, go back and choose Change Password.",
  'security_activity.step_4': "Then choose Manage Devices and sign out what you don't recognize.",
  'security_activity.fails':
    "If you can't tell whether something was you, change your password anyway. If money has moved too, freeze your cards and call the number under Phone Support in Help Center.",
  'transaction_alerts.step_1': 'In Security & Privacy, turn on Transaction Alerts.',
  'transaction_alerts.step_2': 'In Notification Preferences, choose among Money In, Money Out and Card Payments.',
  'transaction_alerts.step_3': 'There, turn on Push Notifications to get them while Alder is closed.',
  'transaction_alerts.fails':
    'If no alerts come, check that All Notifications is on in Notification Preferences. If only your device stays silent, allow notifications for Alder in its own settings.',
  'hide_balance.step_1': 'On Home, choose Hide Balance, the eye beside your balance.',
  'hide_balance.step_2': 'To see it again, choose Show Balance in the same place.',
  'hide_balance.fails':
    "Only the figures on Home are hidden: other screens, such as Transactions, still show theirs. If the balance is dots and you didn't hide it, choose Show Balance.",
  'encryption.step_1': 'In Security & Privacy, see Protected with 256-bit encryption for what we encrypt.',
  'encryption.step_2': 'Before you sign in, check that the address in your browser is ours.',
  'encryption.step_3': 'Turn on Two-Factor Authentication, so that your password alone opens nothing.',
  'encryption.fails':
    'If someone asks for your password or a code in our name, tell them nothing. If you already have, choose Change Password, then look at Security Activity.',
  'download_data.step_1': 'In Security & Privacy, choose Download My Data.',
  'download_data.step_2': "Confirm it's you if we ask.",
  'download_data.step_3': 'Find the file alder-data.json among your downloads.',
  'download_data.fails':
    'If no file comes, allow downloads for Alder in your browser and try again. If you only need your payments, as a PDF or a spreadsheet, choose Statements in Settings.',

  'update_details.step_1': 'In Personal Information, choose Edit, the pencil at the top.',
  'update_details.step_2': 'Change what is out of date, then choose Save Changes.',
  'update_details.step_3': "Confirm it's you if we ask.",
  'update_details.step_4': 'To keep everything as it was, choose Discard Changes instead.',
  'update_details.fails':
    "A field that we can't accept says why, such as an invalid phone number or postcode. If a new name needs checking, choose Verify Your Identity in Settings.",
  'change_email.step_1': 'In Personal Information, choose Edit, the pencil at the top.',
  'change_email.step_2': 'Enter the new address as your Email, then choose Save Changes.',
  'change_email.step_3': 'Open the link in the email to your old address, and choose Confirm Email.',
  'change_email.step_4': 'Do the same with the email to your new address.',
  'change_email.fails':
    "The links work for 24 hours; after that, enter and save the new address again. If you can't read emails to your old address any more, call the number under Phone Support in Help Center.",
  'confirm_phone.step_1': 'In Personal Information, look below Phone Number: if it says Confirmed, all is done.',
  'confirm_phone.step_2': 'If not, choose Confirm, and we text you a code.',
  'confirm_phone.step_3': 'Enter its six digits within 10 minutes, and we check them right away.',
  'confirm_phone.fails':
    "If no text comes, check the number, then choose Send a New Code. If we can't send texts right now, try later; until then, people can send you money by email.",
  'language.step_1': 'In Settings, choose Language.',
  'language.step_2': 'Choose your language in the list.',
  'language.fails':
    "Each language is listed by its own name, so you find yours even if you can't read the screen. For a receipt in your new language, download it again.",
  'dark_mode.step_1': 'In Settings, turn Dark Mode on or off.',
  'dark_mode.step_2': 'To have Alder look as your device does, turn on Use Device Setting.',
  'dark_mode.fails':
    'If Alder turns dark or light by itself, Use Device Setting is on. If your choice is gone on another device, make it there too: each device keeps its own.',
  'notifications.step_1': 'In Notification Preferences, turn on All Notifications.',
  'notifications.step_2': 'Turn each kind on or off, such as Card Payments, Requests or Savings.',
  'notifications.step_3': 'To hear from us while Alder is closed, turn on Push Notifications.',
  'notifications.fails':
    "If you can't turn on a kind, the switch above it is off: turn on All Notifications or Transaction Alerts first. Notifications about your security can't be turned off.",
  'push.step_1': 'On an iPhone or iPad, add Alder to your Home Screen and open it from there.',
  'push.step_2': 'In Notification Preferences, turn on Push Notifications.',
  'push.step_3': 'Choose to allow notifications when your device asks.',
  'push.fails':
    "If it says that they're blocked, allow notifications for this site in your browser's settings, then come back. If it's on and nothing comes, check that your device isn't silencing them.",
  'offline.step_1': "While you're online, open the screens you need most, such as Cards and Transactions.",
  'offline.step_2': 'Without a connection, open Alder as usual: it shows what it last loaded.',
  'offline.step_3': "Once you're online again, everything is brought up to date by itself.",
  'offline.fails':
    "If a screen isn't on your device yet, it opens by itself as soon as you're back online. A payment that you start without a connection is sent once there is one, if you keep its screen open.",
  'premium.step_1': 'In Rewards, choose Upgrade Now.',
  'premium.step_2': 'Check the price, then confirm to pay for the first month.',
  'premium.step_3': 'To cancel it, choose Cancel Premium, and once more to confirm.',
  'premium.step_4': 'If you change your mind before it ends, choose Keep Premium.',
  'premium.fails':
    "If you don't have enough money for it, add some and try again. If we can't collect a month, Rewards says when we try again, and your points aren't doubled until then.",
  'close_account.step_1': 'Move your money out with Send Money, or from Payment Methods to another bank.',
  'close_account.step_2': 'Sell what you have in Invest and Crypto, and repay what you owe in Loans.',
  'close_account.step_3': 'In Security & Privacy, choose Download My Data if you want a copy.',
  'close_account.step_4': 'Choose Close My Account, read what happens, and choose it again.',
  'close_account.fails':
    "If something is left, the message says what, such as money, coins or a loan, and leads you there. If we're still looking into a payment you reported, wait until that's decided.",

  'send_money.step_1': 'In Send Money, enter the Amount and the Recipient, or choose one of your Recent Contacts.',
  'send_money.step_2': 'Add a note if you like, then choose Send Money.',
  'send_money.step_3': 'For someone new, or more than $1,000, check the address and the amount, then choose Confirm.',
  'send_money.step_4': 'Choose View to see the payment, or Undo where we offer it.',
  'send_money.fails':
    "If it's more than you have, add money; if it's over your daily limit, try again tomorrow or verify your identity. What another customer has received is theirs, so ask for it back in Request Money.",
  'send_to_anyone.step_1': 'In Send Money, enter their email or phone number as the Recipient, and send.',
  'send_to_anyone.step_2': 'We email them a link; for a phone number, open the payment and choose Share Link.',
  'send_to_anyone.step_3': 'In Transactions, open the payment to see whether it is still Waiting to be accepted.',
  'send_to_anyone.step_4': 'To take it back, choose Cancel there, then Cancel Payment.',
  'send_to_anyone.fails':
    "If their link doesn't work, open the payment, choose Copy Link and send it to them again. If you can't cancel any more, someone has accepted the money, or it's already back in your account.",
  'schedule_payment.step_1': 'In Send Money, enter the Amount and the Recipient.',
  'schedule_payment.step_2': 'Choose Later, Weekly or Monthly, then the date.',
  'schedule_payment.step_3': 'If it repeats, choose when it ends: Never, On a Date or After a number of payments.',
  'schedule_payment.step_4': 'Choose Schedule Payment, and check it if you pay someone new.',
  'schedule_payment.fails':
    "The date must be between today and two years from now. If there isn't enough money on the day, we try again, and the payment under Scheduled in Send Money says when.",
  'change_scheduled.step_1': 'In Send Money, choose the payment under Scheduled.',
  'change_scheduled.step_2': 'Choose Edit, make your changes, then choose Save Changes.',
  'change_scheduled.step_3': 'To leave out one payment, choose Skip Next, then Skip Payment.',
  'change_scheduled.step_4': 'To end it, choose Cancel, then Cancel Payment.',
  'change_scheduled.fails':
    "If it has just changed, check what it says now and try again. If it isn't under Scheduled any more, it has ended: what it paid is in Transactions.",
  'contacts.step_1': 'In Send Money, choose someone under Recent Contacts to fill in the Recipient.',
  'contacts.step_2': 'Choose See All to search the whole list.',
  'contacts.step_3': 'Choose the star beside a name to keep it at the top.',
  'contacts.step_4': 'Choose the bin beside a name, then Remove, to take it off the list.',
  'contacts.fails':
    "If you can't find someone, try another part of their name, email or phone number. People you've never paid aren't contacts yet: enter their email or phone number once.",
  'request_money.step_1': 'In Request Money, enter the Amount, then an email or phone number in From.',
  'request_money.step_2': 'Choose Request Money to ask that person.',
  'request_money.step_3': 'To ask anyone, leave From empty and choose Share a Link, then Copy Link or Share Link.',
  'request_money.step_4': 'Under Sent, open a request to choose Send a Reminder or Cancel Request.',
  'request_money.fails':
    "You can remind someone once a day, and a request expires after 14 days: then ask again. If we can't accept the address, check it; a phone number needs its area code.",
  'answer_request.step_1': "In Request Money, open the request under Received, or from people you don't know.",
  'answer_request.step_2': 'Choose the button with the amount to pay it all, or Pay a Part to enter less.',
  'answer_request.step_3': 'To pay nothing, choose Decline, then Decline Request.',
  'answer_request.step_4': 'To stop more requests from them, choose Block or Report.',
  'answer_request.fails':
    "If you can't pay it any more, it was already paid, declined or cancelled, or has expired: ask them to send a new one. If you blocked someone by mistake, choose Unblock under Blocked.",
  'split_bill.step_1': 'In Split Bill, enter the Total Amount.',
  'split_bill.step_2': 'Choose people under Split With, or choose Add Someone Else.',
  'split_bill.step_3': 'Choose to split it Equally, By amount or By percent.',
  'split_bill.step_4': 'Choose Split Bill, and we ask everyone for their share.',
  'split_bill.step_5': 'See who has paid by opening it under Your Bills.',
  'split_bill.fails':
    "If the shares don't add up, enter less for someone: what's left of the total is your own share. If someone won't pay, open the bill and choose Cancel What Isn't Paid.",
  'groups.step_1': 'In Split Bill, choose New Group.',
  'groups.step_2': 'Enter a name, choose the people, then choose Create Group.',
  'groups.step_3': 'Once someone has joined, open the group and choose Add a Bill I Paid.',
  'groups.step_4': 'Choose Settle Up to ask everyone who owes money.',
  'groups.fails':
    "If you can't add a bill, nobody has joined yet: ask them to open Split Bill and choose Join. You can leave a group only once it's settled up.",
  'add_money.step_1': 'In Add Money, enter the Amount and choose a Payment Method.',
  'add_money.step_2': 'Choose Add Money, and follow it in Transactions until it arrives.',
  'add_money.step_3': 'To be paid from outside, choose Account Details on Home, in Cards or in Add Money.',
  'add_money.step_4': 'Give others your numbers with Share or Copy All, or choose Download Letter for an employer.',
  'add_money.fails':
    "If a payment method isn't available, choose another, or be paid by your account and routing number. If a transfer doesn't arrive, compare both numbers with the sender: what we can't credit goes back to them.",
  'link_account.step_1': 'In Payment Methods, choose Link New Account.',
  'link_account.step_2': 'Enter the Bank Name, Routing Number and Account Number, then choose Link Account.',
  'link_account.step_3': 'When both deposits are in the other account, choose Manage beside its name.',
  'link_account.step_4': 'Enter the First Deposit and the Second Deposit, then choose Verify.',
  'link_account.fails':
    "You have three tries and ten days; after that, choose Remove Account and link it again. If a number isn't valid, copy it from your other bank's app or from a check.",
  'move_out.step_1': 'In Payment Methods, choose Manage beside the verified account.',
  'move_out.step_2': 'Choose Move Money Out and enter the Amount.',
  'move_out.step_3': "Choose Move Money, and confirm it's you if we ask.",
  'move_out.step_4': 'Follow it in Transactions, where it is pending until it arrives.',
  'move_out.fails':
    "If there's no Move Money Out, verify the account first, or link a bank account: cards and wallets can't receive it. If your other bank sends the money back, a notification says why.",
  'direct_debits.step_1':
    'In Payment Methods, look under Direct Debits, and choose Approve or Decline for a new request.',
  'direct_debits.step_2': 'Choose a company to see what it collects and when.',
  'direct_debits.step_3': 'To stop it, choose Cancel Direct Debit, and once more to confirm.',
  'direct_debits.step_4': 'To get a payment back, choose Claim Back beside it, and once more to confirm.',
  'direct_debits.fails':
    "If there's no Claim Back, the eight weeks are over or nothing was collected: ask the company. If a payment wasn't made, add money or arrange another way to pay it.",
  'report_payment.step_1': 'In Transactions, open the card payment.',
  'report_payment.step_2': "If you didn't make it, choose Freeze Card first.",
  'report_payment.step_3': "Choose Report a Problem, then what's wrong.",
  'report_payment.step_4': 'Say what happened, then choose Report.',
  'report_payment.step_5': 'Open the payment again to see our answer, or to choose Withdraw Dispute.',
  'report_payment.fails':
    "A pending payment can be reported once it's complete. If there's still no Report a Problem, it's too long ago or not a card payment: choose Email Support in Help Center.",
  'receipts.step_1': 'In Transactions, open the payment.',
  'receipts.step_2': 'Choose Download Receipt for a PDF, or Share to send its details.',
  'receipts.step_3': "To keep the shop's own receipt there, choose Add a Receipt.",
  'receipts.step_4': 'To remember something about it, choose Add a Note: only you can see it.',
  'receipts.fails':
    'If no PDF comes, allow downloads for Alder in your browser and try again; for many payments together, choose Statements. Your own receipt must be a JPEG, PNG or PDF of up to 10 MB.',
} as const
