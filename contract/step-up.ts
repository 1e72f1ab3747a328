/** How somebody may show once more who they are. */
export const PROOFS = ['passkey', 'code', 'password'] as const
export type Proof = (typeof PROOFS)[number]

/** The header by which the bank names a step-up it asks for, and by which the request names one that was done. */
export const STEP_UP_HEADER = 'Step-Up'
