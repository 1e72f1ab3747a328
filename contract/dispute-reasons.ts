/** The reasons for a dispute of a card payment, in English. */
export const DISPUTE_REASONS = {
  not_me: "I didn't make this payment",
  not_received: "I didn't get what I paid for",
  wrong_amount: 'The amount is wrong',
  charged_twice: 'I was charged twice',
  not_as_described: 'It was defective, or not what I ordered',
} as const

export type DisputeReason = keyof typeof DISPUTE_REASONS
export const DISPUTE_REASON_CODES = Object.keys(DISPUTE_REASONS) as [DisputeReason, ...DisputeReason[]]
