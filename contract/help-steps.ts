/**
 * The steps of the help center's articles, and the advice if a step does not work. The steps name the controls by their labels
 * on the screen; `web/help/controls.ts` lists these labels. If you change a screen or a refusal, change its steps too.
 */
export const HELP_STEPS = {
  'create_card.step_1': 'In Cards, choose Create Virtual Card.',
  'create_card.step_2': 'Enter a name, and pick a Color and a Design.',
  'create_card.step_3': 'Choose Reusable and enter a Monthly Limit, or Single-Use and enter a Payment Limit.',
  'create_card.step_4': 'Enter a Starting Balance (optional) to pay with it right away, then choose Create Card.',
  'create_card.fails':
    "If the limit is above the maximum for a card, enter a lower one. If you've reached the maximum number of virtual cards, delete one that you no longer use.",
  'fund_card.step_1': 'In Cards, choose Add or Withdraw Money below the virtual card.',
  'fund_card.step_2': 'Choose Add or Withdraw, then enter the Amount.',
  'fund_card.step_3': 'Choose Add Money or Withdraw Money, and the money moves right away.',
  'fund_card.fails':
    "You can't move more than the amount shown for your account or this card. You can't add money to a single-use card that has been used, so create a new one.",
  'card_details.step_1': 'In Cards, choose Details below the card.',
  'card_details.step_2': "Confirm it's you if we ask.",
  'card_details.step_3': 'Copy what you need with the buttons beside Card Number, Expiration Date and CVV.',
  'card_details.fails':
    "If we can't confirm it's you, try one of the other ways we offer. If a merchant declines the card, check each digit: after too many wrong tries, you can't pay online with it for an hour.",
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
    'If a limit is above the maximum for a card, enter a lower one. For a larger payment, send the money from your account instead.',
  'remove_card.step_1': 'In Cards, choose Remove below your main card, or Delete below a virtual one.',
  'remove_card.step_2': 'Read what happens, then choose Remove Card or Delete Card.',
  'remove_card.step_3': 'For a new main card, choose Get a Main Card in Cards.',
  'remove_card.fails':
    'You can delete a virtual card with a pending payment once the payment is complete; until then, freeze the card. Payments with a deleted card are still listed under Past Cards.',
  'declined_payment.step_1': 'In Notifications, find Card payment declined and read the reason.',
  'declined_payment.step_2': 'Choose the notification to open the setting you can change.',
  'declined_payment.step_3': 'Choose Unfreeze, raise the limit, turn on that kind of payment, or add money.',
  'declined_payment.step_4': 'Pay again at the store.',
  'declined_payment.fails':
    "Alder cards can't be used for gambling or to get cash. If you've reached your daily limit, try again tomorrow; if the reason doesn't help, choose Email Support in Help Center.",
  'cashback.step_1': "In Cards, see what you've earned this month under Card Benefits.",
  'cashback.step_2': 'After the month ends, search Transactions for Card cashback.',
  'cashback.step_3': 'Before a trip, check in Limits and Controls that Payments Abroad is on.',
  'cashback.fails':
    'Pending and refunded payments earn no cashback, so it can be less than you expect. If a payment abroad is declined, your notification says why.',

  'verify_identity.step_1': 'In Settings, choose Verify Your Identity below your name.',
  'verify_identity.step_2': 'Under Identity Document, choose the document you have, then Upload Document.',
  'verify_identity.step_3': 'Under Take a Selfie, choose Use Camera, then Capture and Use Photo.',
  'verify_identity.step_4': 'Under Proof of Address, upload a bill or bank statement from the last three months.',
  'verify_identity.step_5': "Choose Complete Verification, and we'll tell you once someone has checked your documents.",
  'verify_identity.fails':
    "A file must be a JPEG, PNG or PDF of up to 10 MB without a password; if the camera doesn't work, upload a photo. If we couldn't verify you, read our reviewer's message and choose Get Help.",
  'passkey.step_1': 'In Security & Privacy, choose Add a Passkey.',
  'passkey.step_2': "Follow your device's instructions: it asks for your fingerprint, face or screen lock.",
  'passkey.step_3': 'Next time, choose Use Biometric when you sign in.',
  'passkey.step_4': 'To remove a passkey, choose the trash can beside it, then Remove.',
  'passkey.fails':
    'If no passkey was created, your device may already have one for Alder, or the prompt was closed; try again. If Alder no longer recognizes your passkey, sign in with your password and add a new one.',
  'two_factor.step_1': 'In Security & Privacy, turn on Two-Factor Authentication.',
  'two_factor.step_2':
    'Scan the QR code with an authenticator app, or choose Open in Your Authenticator App on this device.',
  'two_factor.step_3': 'Enter the six digits that the app shows to turn it on.',
  'two_factor.step_4': "Save your recovery codes with Copy or Download, then choose I've Saved Them.",
  'two_factor.fails':
    "If the code isn't right, enter the next one, and let your phone set its time automatically. If you've lost the app, sign in with a recovery code, then turn two-factor authentication off and on again.",
  'recovery_codes.step_1':
    'In Security & Privacy, turn on Two-Factor Authentication: your ten codes appear at the end.',
  'recovery_codes.step_2': "Choose Copy or Download, put them in a safe place, then choose I've Saved Them.",
  'recovery_codes.step_3': 'To sign in with one, choose Use a Recovery Code where we ask for six digits.',
  'recovery_codes.step_4': 'For ten new ones, choose Recovery Codes, then Get New Codes.',
  'recovery_codes.fails':
    "Used codes, and codes from before you got new ones, don't work; try another. If you have neither your codes nor your phone, sign in with a passkey, or call the number under Phone Support in Help Center.",
  'change_password.step_1': 'In Security & Privacy, choose Change Password.',
  'change_password.step_2': 'Open the link in our email within 30 minutes.',
  'change_password.step_3': 'Enter the new password twice, then choose Save Password.',
  'change_password.step_4': 'Sign in with it on each of your devices.',
  'change_password.fails':
    "If the email doesn't arrive, check your spam folder, and your address in Personal Information. If the link has expired, choose Request a New Link; if the password is too easy to guess, combine a few words.",
  'confirm_you.step_1': 'Read what we ask you to confirm, such as the amount and the recipient.',
  'confirm_you.step_2': 'Choose Use Passkey, or enter a code or your password and choose Confirm.',
  'confirm_you.step_3': 'To confirm with one touch next time, choose Add a Passkey in Security & Privacy.',
  'confirm_you.fails':
    "If we couldn't confirm it's you, choose another way, such as Use Your Password Instead. If the request isn't yours, close it and change your password.",
  'devices.step_1': 'In Security & Privacy, choose Manage Devices.',
  'devices.step_2': "Look for devices that you don't recognize, and check when they were last used.",
  'devices.step_3': 'Choose Sign Out beside one, or Sign Out All Other Devices.',
  'devices.fails':
    "If Manage Devices doesn't open a list, you're signed in on this device only. If a device that isn't yours comes back, change your password, which signs out all of them.",
  'security_activity.step_1': 'In Security & Privacy, choose Security Activity.',
  'security_activity.step_2': "Look for times and devices that aren't yours.",
  'security_activity.step_3': "If you don't recognize something, go back and choose Change Password.",
  'security_activity.step_4': "Then choose Manage Devices and sign out any device that you don't recognize.",
  'security_activity.fails':
    "If you can't tell whether something was you, change your password anyway. If money has moved too, freeze your cards and call the number under Phone Support in Help Center.",
  'transaction_alerts.step_1': 'In Security & Privacy, turn on Transaction Alerts.',
  'transaction_alerts.step_2': 'In Notification Preferences, choose among Money In, Money Out and Card Payments.',
  'transaction_alerts.step_3': 'There, turn on Push Notifications to get them while Alder is closed.',
  'transaction_alerts.fails':
    'If no alerts arrive, check that All Notifications is on in Notification Preferences. If only your device stays silent, allow notifications for Alder in its own settings.',
  'hide_balance.step_1': 'On Home, choose Hide Balance, the eye beside your balance.',
  'hide_balance.step_2': 'To see it again, choose Show Balance in the same place.',
  'hide_balance.fails':
    "Only the figures on Home are hidden: other screens, such as Transactions, still show theirs. If you see dots and you didn't hide the balance, choose Show Balance.",
  'encryption.step_1': 'In Security & Privacy, see Protected with 256-bit encryption for what we encrypt.',
  'encryption.step_2': 'Before you sign in, check that the address in your browser is ours.',
  'encryption.step_3': "Turn on Two-Factor Authentication, so that your password alone isn't enough to sign in.",
  'encryption.fails':
    "If someone claiming to be Alder asks for your password or a code, don't give it to them. If you already have, choose Change Password, then look at Security Activity.",
  'download_data.step_1': 'In Security & Privacy, choose Download My Data.',
  'download_data.step_2': "Confirm it's you if we ask.",
  'download_data.step_3': 'Find the file alder-data.json among your downloads.',
  'download_data.fails':
    "If the file doesn't download, allow downloads for Alder in your browser and try again. If you only need your payments, as a PDF or a spreadsheet, choose Statements in Settings.",

  'update_details.step_1': 'In Personal Information, choose Edit, the pencil at the top.',
  'update_details.step_2': 'Change what is out of date, then choose Save Changes.',
  'update_details.step_3': "Confirm it's you if we ask.",
  'update_details.step_4': 'To keep everything as it was, choose Discard Changes instead.',
  'update_details.fails':
    "If we can't accept something you entered, the reason is below the field, such as an invalid phone number or postcode. If a new name needs checking, choose Verify Your Identity in Settings.",
  'change_email.step_1': 'In Personal Information, choose Edit, the pencil at the top.',
  'change_email.step_2': 'Enter the new address as your Email, then choose Save Changes.',
  'change_email.step_3': 'Open the link in the email to your old address, and choose Confirm Email.',
  'change_email.step_4': 'Do the same with the email to your new address.',
  'change_email.fails':
    'The links work for 24 hours; after that, enter and save the new address again. If you can no longer read emails to your old address, call the number under Phone Support in Help Center.',
  'confirm_phone.step_1': "In Personal Information, look below Phone Number: if it says Confirmed, you're done.",
  'confirm_phone.step_2': "If not, choose Confirm, and we'll text you a code.",
  'confirm_phone.step_3': 'Enter its six digits within 10 minutes; we check them automatically.',
  'confirm_phone.fails':
    "If no text arrives, check the number, then choose Send a New Code. If we can't send texts right now, try later; until then, people can send you money by email.",
  'language.step_1': 'In Settings, choose Language.',
  'language.step_2': 'Choose your language in the list.',
  'language.fails':
    "Each language is listed by its own name, so you can find yours even if you can't read the screen. For a receipt in your new language, download it again.",
  'dark_mode.step_1': 'In Settings, turn Dark Mode on or off.',
  'dark_mode.step_2': 'To have Alder follow your device, turn on Use Device Setting.',
  'dark_mode.fails':
    'If Alder turns dark or light by itself, Use Device Setting is on. Each device keeps its own setting, so change it on your other devices, too.',
  'notifications.step_1': 'In Notification Preferences, turn on All Notifications.',
  'notifications.step_2': 'Turn each kind on or off, such as Card Payments, Requests or Savings.',
  'notifications.step_3': 'To hear from us while Alder is closed, turn on Push Notifications.',
  'notifications.fails':
    "If a switch won't turn on, first turn on the one above it: All Notifications or Transaction Alerts. Notifications about your security can't be turned off.",
  'push.step_1': 'On an iPhone or iPad, add Alder to your Home Screen and open it from there.',
  'push.step_2': 'In Notification Preferences, turn on Push Notifications.',
  'push.step_3': 'Allow notifications when your device asks.',
  'push.fails':
    "If it says that they're blocked, allow notifications for this site in your browser's settings, then come back. If they're on and none arrive, check that your device isn't silencing them.",
  'offline.step_1': "While you're online, open the screens you need most, such as Cards and Transactions.",
  'offline.step_2': 'Without a connection, open Alder as usual: it shows what it last loaded.',
  'offline.step_3': "Once you're online again, everything updates automatically.",
  'offline.fails':
    "If a screen isn't on your device yet, it opens as soon as you're back online. A payment that you start without a connection is sent once you're back online, if you keep its screen open.",
  'premium.step_1': 'In Rewards, choose Upgrade Now.',
  'premium.step_2': 'Check the price, then confirm to pay for the first month.',
  'premium.step_3': 'To cancel it, choose Cancel Premium, then choose it again to confirm.',
  'premium.step_4': 'If you change your mind before it ends, choose Keep Premium.',
  'premium.fails':
    "If you don't have enough money for it, add some and try again. If we can't collect a monthly payment, Rewards says when we'll try again, and your points aren't doubled until then.",
  'close_account.step_1': 'Move your money out with Send Money, or from Payment Methods to another bank.',
  'close_account.step_2': 'Sell what you have in Invest and Crypto, and repay what you owe in Loans.',
  'close_account.step_3': 'In Security & Privacy, choose Download My Data if you want a copy.',
  'close_account.step_4': 'Choose Close My Account, read what happens, and choose it again.',
  'close_account.fails':
    "If something is left, such as money, coins or a loan, the message says so and takes you there. If we're still looking into a payment you reported, wait until that's decided.",

  'send_money.step_1': 'In Send Money, enter the Amount and the Recipient, or choose one of your Recent Contacts.',
  'send_money.step_2': 'Add a note if you like, then choose Send Money.',
  'send_money.step_3': 'For someone new, or more than $1,000, check the recipient and the amount, then choose Confirm.',
  'send_money.step_4': 'Choose View to see the payment, or Undo where we offer it.',
  'send_money.fails':
    "If it's more than you have, add money; if it's over your daily limit, try again tomorrow or verify your identity. Once another customer has received money, we can't take it back, so ask for it in Request Money.",
  'send_to_anyone.step_1': 'In Send Money, enter their email or phone number as the Recipient, and send.',
  'send_to_anyone.step_2': 'We email them a link; for a phone number, open the payment and choose Share Link.',
  'send_to_anyone.step_3': 'In Transactions, open the payment to see whether it is still Waiting to be accepted.',
  'send_to_anyone.step_4': 'To take it back, choose Cancel there, then Cancel Payment.',
  'send_to_anyone.fails':
    "If their link doesn't work, open the payment, choose Copy Link and send it to them again. If you can no longer cancel, someone has accepted the money, or it's already back in your account.",
  'schedule_payment.step_1': 'In Send Money, enter the Amount and the Recipient.',
  'schedule_payment.step_2': 'Choose Later, Weekly or Monthly, then the date.',
  'schedule_payment.step_3': 'If it repeats, choose when it ends: Never, On a Date or After a number of payments.',
  'schedule_payment.step_4': "Choose Schedule Payment, then check the payment if it's to someone new.",
  'schedule_payment.fails':
    "The date must be between today and two years from now. If there isn't enough money on the day, we'll try again, and you'll see when under Scheduled in Send Money.",
  'change_scheduled.step_1': 'In Send Money, choose the payment under Scheduled.',
  'change_scheduled.step_2': 'Choose Edit, make your changes, then choose Save Changes.',
  'change_scheduled.step_3': 'To skip one payment, choose Skip Next, then Skip Payment.',
  'change_scheduled.step_4': 'To end it, choose Cancel, then Cancel Payment.',
  'change_scheduled.fails':
    "If it has just changed, check what it says now and try again. If it's no longer under Scheduled, it has ended: its payments are in Transactions.",
  'contacts.step_1': 'In Send Money, choose someone under Recent Contacts to fill in the Recipient.',
  'contacts.step_2': 'Choose See All to search the whole list.',
  'contacts.step_3': 'Choose the star beside a name to keep it at the top.',
  'contacts.step_4': 'Choose the trash can beside a name, then Remove, to take it off the list.',
  'contacts.fails':
    "If you can't find someone, try another part of their name, email or phone number. People you've never paid aren't contacts yet, so enter their email or phone number once.",
  'request_money.step_1': 'In Request Money, enter the Amount, then an email or phone number in From.',
  'request_money.step_2': 'Choose Request Money to ask that person.',
  'request_money.step_3': 'To ask anyone, leave From empty and choose Share a Link, then Copy Link or Share Link.',
  'request_money.step_4': 'Under Sent, open a request to choose Send a Reminder or Cancel Request.',
  'request_money.fails':
    "You can remind someone once a day; a request expires after 14 days, but you can ask again. If we can't accept the email or phone number, check it; a phone number needs its area code.",
  'answer_request.step_1': "In Request Money, open the request under Received, or one from people you don't know.",
  'answer_request.step_2': 'Choose the button with the amount to pay it all, or Pay a Part to enter less.',
  'answer_request.step_3': 'To pay nothing, choose Decline, then Decline Request.',
  'answer_request.step_4': 'To stop more requests from them, choose Block or Report.',
  'answer_request.fails':
    'If you can no longer pay it, it was already paid, declined or canceled, or has expired; ask for a new one. If you blocked someone by mistake, choose Unblock under Blocked.',
  'split_bill.step_1': 'In Split Bill, enter the Total Amount.',
  'split_bill.step_2': 'Choose people under Split With, or choose Add Someone Else.',
  'split_bill.step_3': 'Choose to split it Equally, By amount or By percent.',
  'split_bill.step_4': "Choose Split Bill, and we'll send each person a request for their share.",
  'split_bill.step_5': 'To see who has paid, open it under Your Bills.',
  'split_bill.fails':
    "If the shares don't add up, enter less for someone; whatever is left of the total is your own share. If someone won't pay, open the bill and choose Cancel Unpaid Shares.",
  'groups.step_1': 'In Split Bill, choose New Group.',
  'groups.step_2': 'Enter a name, choose the people, then choose Create Group.',
  'groups.step_3': 'Once someone has joined, open the group and choose Add a Bill I Paid.',
  'groups.step_4': 'Choose Settle Up to send a request to everyone who owes money.',
  'groups.fails':
    "If you can't add a bill, no one has joined yet, so ask the others to open Split Bill and choose Join. You can leave a group only once it's settled up.",
  'add_money.step_1': 'In Add Money, enter the Amount and choose a Payment Method.',
  'add_money.step_2': 'Choose Add Money, then follow the payment in Transactions until it arrives.',
  'add_money.step_3': 'To get paid from outside Alder, choose Account Details on Home, in Cards or in Add Money.',
  'add_money.step_4': 'Give others your numbers with Share or Copy All, or choose Download Letter for an employer.',
  'add_money.fails':
    "If a payment method isn't available, choose another, or get paid with your account and routing numbers. If a transfer doesn't arrive, check both numbers with the sender; we send back any transfer that we can't credit.",
  'link_account.step_1': 'In Payment Methods, choose Link New Account.',
  'link_account.step_2': 'Enter the Bank Name, Routing Number and Account Number, then choose Link Account.',
  'link_account.step_3': 'When both deposits are in the other account, choose Manage beside its name.',
  'link_account.step_4': 'Enter the First Deposit and the Second Deposit, then choose Verify.',
  'link_account.fails':
    "You have three tries and ten days; after that, choose Remove Account and link it again. If a number isn't valid, copy it from your other bank's app or from a check.",
  'move_out.step_1': 'In Payment Methods, choose Manage beside the verified account.',
  'move_out.step_2': 'Choose Move Money Out and enter the Amount.',
  'move_out.step_3': "Choose Move Money, and confirm it's you if we ask.",
  'move_out.step_4': "Follow it in Transactions, where it's pending until it arrives.",
  'move_out.fails':
    "If you don't see Move Money Out, verify the account first, or link a bank account: cards and wallets can't receive it. If your other bank sends the money back, a notification says why.",
  'direct_debits.step_1':
    'In Payment Methods, look under Direct Debits, and choose Approve or Decline for a new request.',
  'direct_debits.step_2': 'Choose a company to see what it collects and when.',
  'direct_debits.step_3': 'To stop it, choose Cancel Direct Debit, then choose it again to confirm.',
  'direct_debits.step_4': 'To get a payment back, choose Claim Back beside it, then choose it again to confirm.',
  'direct_debits.fails':
    "If you don't see Claim Back, the eight weeks are over or nothing was collected, so ask the company. If a payment wasn't made, add money or arrange another way to pay it.",
  'report_payment.step_1': 'In Transactions, open the card payment.',
  'report_payment.step_2': "If you didn't make it, choose Freeze Card first.",
  'report_payment.step_3': "Choose Report a Problem, then choose what's wrong.",
  'report_payment.step_4': 'Tell us what happened, then choose Report.',
  'report_payment.step_5': 'Open the payment again to see our answer, or to choose Withdraw Dispute.',
  'report_payment.fails':
    "A pending payment can be reported once it's complete. If you still don't see Report a Problem, the payment is too old or wasn't made by card, so choose Email Support in Help Center.",
  'receipts.step_1': 'In Transactions, open the payment.',
  'receipts.step_2': 'Choose Download Receipt for a PDF, or Share to send its details.',
  'receipts.step_3': "To keep the store's own receipt there, choose Add a Receipt.",
  'receipts.step_4': 'To remember something about it, choose Add a Note: only you can see it.',
  'receipts.fails':
    "If the PDF doesn't download, allow downloads for Alder in your browser and try again; for many payments together, choose Statements. Your own receipt must be a JPEG, PNG or PDF of up to 10 MB.",
} as const
