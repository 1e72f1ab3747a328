/** The common reasons of reviewers and of automatic decisions. Each is translated into the customer's language. */
export const REVIEW_REASONS = {
  too_blurry: 'The photo is too blurry to read.',
  cut_off: 'Part of the document is cut off.',
  expired: 'The document has expired.',
  proof_too_old: 'The proof of address is older than three months.',
  someone_else: 'The documents belong to someone else.',
  not_genuine: "We couldn't confirm that the document is genuine.",
  details_changed: 'Your name or date of birth has changed.',
} as const
export type ReviewReasonCode = keyof typeof REVIEW_REASONS
export const REVIEW_REASON_CODES = Object.keys(REVIEW_REASONS) as [ReviewReasonCode, ...ReviewReasonCode[]]

/** The reason why a case was not approved: one of the codes above, or a reviewer's own text. */
export type ReviewReason = string | { code: ReviewReasonCode }
