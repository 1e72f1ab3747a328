/** The kinds of proof of identity in a step-up check. */
export const PROOFS = ['passkey', 'code', 'password'] as const
export type Proof = (typeof PROOFS)[number]

/**
 * The header with the id of a step-up check. The response that requires the check contains it, and so does the repeated request
 * after the check.
 */
export const STEP_UP_HEADER = 'Step-Up'
