/** The words of notices, in English; contract/notice-words.ts puts them together. */
export const NOTICE_TEXTS = {
  'payment_received.title': 'Payment received',
  'payment_received.message': 'You received {amount} from {name}.',
  'payment_claimed.title': 'Payment accepted',
  'payment_claimed.message': '{name} accepted your {amount}.',
  'payment_expired.title': 'Payment returned',
  'payment_expired.message': "{name} didn't accept your {amount} in time. It's back in your account.",
  'card_payment.title': 'Card payment',
  'card_payment.message': 'You paid {amount} at {name}.',
  'card_declined.title': 'Card payment declined',
  'card_declined.message':
    "{reason, select, card_frozen {{amount} at {name} was declined because your card is frozen. Unfreeze it to pay.} card_removed {{amount} at {name} was declined because this card was removed. Pay with another card.} card_expired {{amount} at {name} was declined because your card has expired.} online_locked {{amount} at {name} was declined. Card details were entered wrong too many times, so this card can't pay online for an hour.} wrong_expiry {{amount} at {name} was declined because the expiry date was wrong. If that wasn't you, freeze your card.} wrong_cvv {{amount} at {name} was declined because the security code was wrong. If that wasn't you, freeze your card.} single_use_spent {{amount} at {name} was declined because this single-use card was already used.} not_verified {{amount} at {name} was declined. Verify your identity to pay by card.} blocked_category {{amount} at {name} was declined. Alder cards can't be used for gambling or cash-like purchases.} abroad_off {{amount} at {name} was declined because payments abroad are off for your card. Turn them on to pay.} online_off {{amount} at {name} was declined because online payments are off for your card. Turn them on to pay.} contactless_off {{amount} at {name} was declined because contactless payments are off for your card. Turn them on, or insert your card.} payment_limit {{amount} at {name} was declined because it's over your card's limit for one payment. Raise the limit to pay.} month_limit {{amount} at {name} was declined because it would take your card over its monthly limit. Raise the limit to pay.} day_limit {{amount} at {name} was declined because it would take you over your daily limit. Please try again tomorrow.} insufficient_funds {{amount} at {name} was declined because there isn't enough money. Add money to pay.} other {{amount} at {name} was declined.}}",
  'card_refunded.title': 'Card refund',
  'card_refunded.message': '{name} refunded {amount} to your card.',
  'cashback_paid.title': 'Cashback received',
  'cashback_paid.message': 'You earned {amount} cashback on your card payments last month.',
  'top_up_settled.title': 'Money added',
  'top_up_settled.message':
    '{method, select, card {{amount} from your card is now in your account.} bank {{amount} from your bank is now in your account.} other {{amount} from your wallet is now in your account.}}',
  'top_up_failed.title': 'Money not added',
  'top_up_failed.message':
    "{method, select, card {{amount} from your card didn't arrive. You can try again.} bank {{amount} from your bank didn't arrive. You can try again.} other {{amount} from your wallet didn't arrive. You can try again.}}",
  'top_up_returned.title': 'Top-up returned',
  'top_up_returned.message':
    '{method, select, card {The {amount} you added from your card was returned to it.} bank {The {amount} you added from your bank was returned to it.} other {The {amount} you added from your wallet was returned to it.}}',
  'goal_move_skipped.title': 'Monthly saving skipped',
  'goal_move_skipped.message':
    "There wasn't enough in your account to move {amount} to {name}. We'll try again next month.",
  'goal_unlocking.title': 'Goal will be unlocked',
  'goal_unlocking.message':
    "You asked to unlock {name} early. You can withdraw from it in 24 hours. If this wasn't you, keep it locked in Savings.",
  'kyc_approved.title': 'Identity verified',
  'kyc_approved.message': 'Thank you. Your documents were approved.',
  'kyc_rejected.title': 'Identity not verified',
  'kyc_rejected.message': "We couldn't verify your identity.",
  'kyc_rejected.message_with_reason': "We couldn't verify your identity. {reason}",
  'kyc_again.title': 'New documents needed',
  'kyc_again.message': 'We need new documents to verify your identity.',
  'kyc_again.message_with_reason': 'We need new documents to verify your identity. {reason}',
  'new_feature.title': 'New feature',
  'new_feature.message':
    "{feature, select, other {Send money to anyone, even if they don't have an Alder account yet.}}",
} as const satisfies Record<string, string>
