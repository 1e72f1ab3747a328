/** The reasons why the bank returns a transfer that came from another bank. */
export const SENT_BACK_REASONS = [
  'account_not_found',
  'account_number_invalid',
  'account_closed',
  'balance_limit',
  'unverified_limit',
] as const
export type SentBackReason = (typeof SENT_BACK_REASONS)[number]

/** The maximum amount of one transfer, in US cents. The amount field of the ACH network has ten digits. */
export const MAX_TRANSFER_MINOR = 99_999_999_99

/** The maximum lengths, in characters, of a payer's name, a reference, and the account number as the sender typed it. */
export const MAX_PAYER_NAME = 80
export const MAX_REFERENCE = 140
export const MAX_ACCOUNT_NUMBER = 40
