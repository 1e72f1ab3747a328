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
  'card_declined.message': '{amount} at {name} was declined. {reason}',
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
  'dispute_credited.title': 'We are looking into it',
  'dispute_credited.message': 'We credited you with {amount} while we look into your payment at {name}.',
  'dispute_upheld.title': 'Dispute decided for you',
  'dispute_upheld.message': 'The {amount} you paid at {name} is yours to keep.',
  'dispute_rejected.title': 'Dispute declined',
  'dispute_rejected.message': "We couldn't get back the {amount} you paid at {name}. The payment has our answer.",
  'kyc_approved.title': 'Identity verified',
  'kyc_approved.message': 'Thank you. Your documents were approved.',
  'kyc_rejected.title': 'Identity not verified',
  'kyc_rejected.message': "We couldn't verify your identity.",
  'kyc_rejected.message_with_reason': "We couldn't verify your identity. {reason}",
  'kyc_again.title': 'New documents needed',
  'kyc_again.message': 'We need new documents to verify your identity.',
  'kyc_again.message_with_reason': 'We need new documents to verify your identity. {reason}',
  'investment_update.title': 'Investment update',
  'investment_update.message':
    '{update, select, other {You can now choose from three portfolios, from low to high risk.}}',
  'new_feature.title': 'New feature',
  'new_feature.message':
    "{feature, select, other {Send money to anyone, even if they don't have an Alder account yet.}}",
} as const satisfies Record<string, string>
