import type { NoticeKind } from '#contract/notices.ts'

type Part = `${Exclude<NoticeKind, 'earlier'>}.${'title' | 'message'}`

/** The texts of notices, in English. contract/render-notice.ts fills in their parameters. */
export const NOTICE_TEXTS = {
  'payment_received.title': 'Payment received',
  'payment_received.message': 'You received {amount} from {name}.',
  'payment_claimed.title': 'Payment accepted',
  'payment_claimed.message': '{name} accepted the {amount} you sent.',
  'payment_expired.title': 'Payment returned',
  'payment_expired.message': "{name} didn't accept your {amount} in time. It's back in your account.",
  'request_received.title': 'Money request',
  'request_received.message': '{name} requested {amount}.',
  'request_from_stranger.title': 'Request from someone new',
  'request_from_stranger.message': "{name} requested {amount}. You haven't sent each other money before.",
  'request_reminder.title': 'Reminder',
  'request_reminder.message': '{name} is still waiting for {amount}.',
  'request_paid.title': 'Request paid',
  'request_paid.message':
    '{paid, select, part {{name} paid {amount} toward your request.} other {{name} paid {amount}. Your request is paid in full.}}',
  'request_declined.title': 'Request declined',
  'request_declined.message': '{name} declined your request for {amount}.',
  'request_expired.title': 'Request expired',
  'request_expired.message': 'Your request for {amount} has expired.',
  'card_payment.title': 'Card payment',
  'card_payment.message': 'You paid {amount} at {name}.',
  'card_declined.title': 'Card payment declined',
  'card_declined.message': '{amount} at {name} was declined. {reason}',
  'card_refunded.title': 'Card refund',
  'card_refunded.message': '{name} refunded {amount} to your card.',
  'card_renewed.title': 'Card renewed',
  'card_renewed.message':
    'Your card ending in {lastFour} has a new expiration date and security code. The old ones work until {date}.',
  'cashback_paid.title': 'Cashback received',
  'cashback_paid.message': 'You earned {amount} cashback on your card payments last month.',
  'top_up_settled.title': 'Money added',
  'top_up_settled.message':
    '{method, select, card {{amount} from your card is now in your account.} bank {{amount} from your bank is now in your account.} other {{amount} from your wallet is now in your account.}}',
  'top_up_failed.title': 'Money not added',
  'top_up_failed.message':
    "{method, select, card {{amount} from your card didn't arrive. You can try again.} bank {{amount} from your bank didn't arrive. You can try again.} other {{amount} from your wallet didn't arrive. You can try again.}}",
  'top_up_returned.title': 'Deposit returned',
  'top_up_returned.message':
    '{method, select, card {The {amount} you added from your card was returned to it.} bank {The {amount} you added from your bank was returned to it.} other {The {amount} you added from your wallet was returned to it.}}',
  'transfer_recalled.title': 'Transfer reversed',
  'transfer_recalled.message': "{name}'s bank reversed its transfer of {amount} to you.",
  'transfer_sent_back.title': 'Transfer sent back',
  'transfer_sent_back.message':
    "{limit, select, unverified_limit {We sent {amount} back to {name}. Until your identity is verified, you can't receive that much.} other {We sent {amount} back to {name}. It would have taken your balance over the maximum.}}",
  'owed.title': 'You owe Alder money',
  'owed.message':
    "{cause, select, card_payment {You paid more at {name} than you had. You owe us {amount}.} top_up_returned {A deposit was returned after you had spent it. You owe us {amount}.} dispute {We reversed our credit for a dispute after you had spent it. You owe us {amount}.} transfer_recalled {{name}'s bank reversed a transfer after you had spent the money. You owe us {amount}.} other {Payments that earned cashback were refunded. You owe us {amount}.}} We'll take it from the next money you receive.",
  'owed_collected.title': 'Paid back',
  'owed_collected.message':
    "{left, select, none {We collected the {amount} you owed us. You don't owe us anything anymore.} other {We collected {amount} of what you owe us.}}",
  'account_verified.title': 'Account verified',
  'account_verified.message':
    "{name} is verified. You can add money from it and move money to it. If this wasn't you, remove it and change your password.",
  'payout_settled.title': 'Withdrawal complete',
  'payout_settled.message': 'Your {amount} has arrived at {name}.',
  'payout_returned.title': 'Withdrawal returned',
  'payout_returned.message':
    "{reason, select, account_closed {{name} couldn't accept your {amount} because the account is closed. It's back in your account.} name_mismatch {{name} couldn't accept your {amount} because the account holder's name doesn't match. It's back in your account.} account_not_found {{name} couldn't accept your {amount} because it couldn't find the account. It's back in your account.} other {{name} couldn't accept your {amount}. It's back in your account.}}",
  'mandate_requested.title': 'Direct debit request',
  'mandate_requested.message': '{name} would like to collect payments by direct debit. Approve or decline the request.',
  'debit_announced.title': 'Upcoming direct debit',
  'debit_announced.message': '{name} will collect {amount} on {date}.',
  'debit_collected.title': 'Direct debit',
  'debit_collected.message': '{name} collected {amount}.',
  'debit_unpaid.title': 'Direct debit not paid',
  'debit_unpaid.message':
    "{reason, select, insufficient_funds {{name} couldn't collect {amount} because you didn't have enough money.} limit {{name} couldn't collect {amount} because it would have taken you over your limit.} other {{name} couldn't collect {amount}.}}",
  'goal_move_skipped.title': 'Monthly savings skipped',
  'goal_move_skipped.message':
    "There wasn't enough in your account to move {amount} to {name}. We'll try again next month.",
  'goal_unlocking.title': 'Goal will be unlocked',
  'goal_unlocking.message':
    "You asked to unlock {name} early. You can withdraw from it in 24 hours. If this wasn't you, keep it locked in Savings.",
  'dispute_credited.title': "We're looking into it",
  'dispute_credited.message': 'We credited {amount} to your account while we look into your payment at {name}.',
  'dispute_upheld.title': 'Dispute decided in your favor',
  'dispute_upheld.message': 'Your refund of {amount} from {name} is final.',
  'dispute_rejected.title': 'Dispute declined',
  'dispute_rejected.message': "We couldn't get back the {amount} you paid at {name}. Open the payment to read why.",
  'loan_offered.title': 'Your loan is approved',
  'loan_offered.message': 'You can borrow {amount}. Accept the offer within 14 days.',
  'loan_refused.title': "We can't offer you this loan",
  'loan_refused.message': "We can't lend you {amount}. See why, and what could change our decision.",
  'loan_offer_expired.title': 'Loan offer expired',
  'loan_offer_expired.message': 'Your offer of {amount} has expired. You can apply again.',
  'loan_disbursed.title': 'Loan paid out',
  'loan_disbursed.message':
    "Your loan of {amount} is in your account. You have 14 days to cancel it. If you didn't accept it, contact us right away.",
  'loan_instalment_short.title': 'Loan installment not paid',
  'loan_instalment_short.message':
    "There wasn't enough in your account for the {amount} installment due on {date}. We'll try again every business day. After 10 days, a late fee is added.",
  'loan_late.title': 'Your loan is late',
  'loan_late.message':
    'The installment due on {date} is more than 10 days late, so we charged a late fee of {amount}. You can pay it at any time.',
  'loan_repaid.title': 'Loan repaid',
  'loan_repaid.message': 'You have repaid your loan of {amount} in full.',
  'kyc_approved.title': 'Identity verified',
  'kyc_approved.message': 'Thank you. Your documents were approved.',
  'kyc_rejected.title': 'Identity not verified',
  'kyc_rejected.message': "We couldn't verify your identity.",
  'kyc_rejected.message_with_reason': "We couldn't verify your identity. {reason}",
  'kyc_again.title': 'New documents needed',
  'kyc_again.message': 'We need new documents to verify your identity.',
  'kyc_again.message_with_reason': 'We need new documents to verify your identity. {reason}',
  'scheduled_sent.title': 'Scheduled payment sent',
  'scheduled_sent.message': 'We sent {amount} to {name}, as you scheduled.',
  'scheduled_delayed.title': 'Scheduled payment waiting',
  'scheduled_delayed.message':
    "{reason, select, funds {You don't have enough money to send {amount} to {name}. We'll try again for two business days.} other {We couldn't send {amount} to {name} yet. We'll try again for two business days.}}",
  'scheduled_skipped.title': 'Scheduled payment skipped',
  'scheduled_skipped.message':
    "{reason, select, funds {There wasn't enough money to send {amount} to {name}, so we skipped this payment.} other {We couldn't send {amount} to {name}, so we skipped this payment.}}",
  'bill_group_invited.title': 'Group invitation',
  'bill_group_invited.message': '{name} invited you to share bills in {groupName}.',
  'premium_short.title': 'Premium not renewed yet',
  'premium_short.message': "There wasn't enough in your account to pay {amount} for Premium. We'll try again tomorrow.",
  'premium_ended.title': 'Premium has ended',
  'premium_ended.message': 'Your points are no longer doubled. You can upgrade again at any time.',
  'friend_joined.title': 'Your friend has joined',
  'friend_joined.message': 'A friend you invited is now verified. Your points are in Rewards.',
  'investment_update.title': 'Investment update',
  'investment_update.message':
    '{update, select, other {You can now choose from three portfolios, from low to high risk.}}',
  'crypto_order_filled.title': 'Order filled',
  'crypto_order_filled.message':
    '{side, select, buy {You bought {name} for {amount}.} other {You sold {name} for {amount}.}}',
  'crypto_order_expired.title': 'Order expired',
  'crypto_order_expired.message':
    '{side, select, buy {Your order to buy {name} has expired. The money is available again.} other {Your order to sell {name} has expired. Your coins are available again.}}',
  'crypto_bought.title': 'Recurring buy',
  'crypto_bought.message': 'We bought {amount} of {name}, as you scheduled.',
  'crypto_buy_skipped.title': 'Recurring buy skipped',
  'crypto_buy_skipped.message':
    "{reason, select, funds {There wasn't enough money to buy {name} for {amount}, so we skipped this purchase.} paused {Trading was paused, so we didn't buy {name} for {amount} this time.} other {We couldn't buy {name} for {amount}, so we skipped this purchase.}}",
  'investment_filled.title': 'Order filled',
  'investment_filled.message':
    '{side, select, buy {You invested {amount} in {fund, select, FUND_CONSERVATIVE {Conservative Growth} FUND_BALANCED {Balanced Portfolio} other {Aggressive Growth}}.} other {You sold units of {fund, select, FUND_CONSERVATIVE {Conservative Growth} FUND_BALANCED {Balanced Portfolio} other {Aggressive Growth}}. {amount} is in your account.}}',
  'investment_cancelled.title': 'Order canceled',
  'investment_cancelled.message':
    "{side, select, buy {We couldn't fill your order for {fund, select, FUND_CONSERVATIVE {Conservative Growth} FUND_BALANCED {Balanced Portfolio} other {Aggressive Growth}}, so we canceled it. Your money is back in your account.} other {We couldn't fill your order to sell {fund, select, FUND_CONSERVATIVE {Conservative Growth} FUND_BALANCED {Balanced Portfolio} other {Aggressive Growth}}, so we canceled it. You still have your units.}}",
  'investment_skipped.title': 'Recurring investment skipped',
  'investment_skipped.message':
    "{reason, select, funds {There wasn't enough in your account to invest {amount} in {fund, select, FUND_CONSERVATIVE {Conservative Growth} FUND_BALANCED {Balanced Portfolio} other {Aggressive Growth}}, so we skipped this investment.} unsuitable {{fund, select, FUND_CONSERVATIVE {Conservative Growth} FUND_BALANCED {Balanced Portfolio} other {Aggressive Growth}} is riskier than your answers suggest, so we skipped this investment.} other {We couldn't invest {amount} in {fund, select, FUND_CONSERVATIVE {Conservative Growth} FUND_BALANCED {Balanced Portfolio} other {Aggressive Growth}}, so we skipped this investment.}}",
  'carbon_offset.title': 'Footprint offset',
  'carbon_offset.message': 'You offset {weight} of CO₂ for {amount}. Your certificate is {certificate}.',
  'statement_ready.title': 'Statement ready',
  'statement_ready.message': 'Your statement for {month} is ready.',
  'budget_near.title': 'Budget nearly used',
  'budget_near.message':
    "You've spent 80% of your {amount} budget for {category, select, food {Food & Dining} shopping {Shopping} transport {Transport} entertainment {Entertainment} bills {Bills} other {Other}} this month.",
  'budget_spent.title': 'Budget used up',
  'budget_spent.message':
    "You've spent all of your {amount} budget for {category, select, food {Food & Dining} shopping {Shopping} transport {Transport} entertainment {Entertainment} bills {Bills} other {Other}} this month.",
  'price_raised.title': 'Price increase',
  'price_raised.message': '{name} now charges {amount}, up from {before}.',
  'new_feature.title': 'New feature',
  'new_feature.message':
    "{feature, select, other {Send money to anyone, even if they don't have an Alder account yet.}}",
} as const satisfies Record<Part | `${'kyc_rejected' | 'kyc_again'}.message_with_reason`, string>
