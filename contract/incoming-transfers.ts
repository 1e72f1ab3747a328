/** Why the bank sends a transfer from another bank back. */
export const SENT_BACK_REASONS = [
  'account_not_found',
  'account_number_invalid',
  'account_closed',
  'balance_limit',
  'unverified_limit',
] as const
export type SentBackReason = (typeof SENT_BACK_REASONS)[number]

/** The most that one transfer brings, US cents: the amount of an entry in the ACH network has ten digits. */
export const TRANSFER_MOST_MINOR = 99_999_999_99

/** How long a payer's name, a reference and the number that a sender wrote may be. */
export const PAYER_NAME_MOST = 80
export const REFERENCE_MOST = 140
export const ACCOUNT_NUMBER_MOST = 40
