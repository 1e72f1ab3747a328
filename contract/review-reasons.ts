/** What reviewers answer most often, and the bank itself. Each is read in the customer's own language. */
export const REVIEW_REASONS = {
  too_blurry: 'The photo is too blurry to read.',
  cut_off: 'Part of the document is cut off.',
  expired: 'The document has expired.',
  proof_too_old: 'The proof of address is older than three months.',
  someone_else: 'The documents belong to someone else.',
  not_genuine: 'The document is not genuine.',
  details_changed: 'Your name or date of birth has changed.',
} as const
export type ReviewReasonCode = keyof typeof REVIEW_REASONS
export const REVIEW_REASON_CODES = Object.keys(REVIEW_REASONS) as [ReviewReasonCode, ...ReviewReasonCode[]]

/** Why a case was not approved: one of the above, or in a reviewer's own words. */
export type ReviewReason = string | { code: ReviewReasonCode }
