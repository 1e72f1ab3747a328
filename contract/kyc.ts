import { z } from 'zod'
import { DOCUMENT_TYPE_KEYS, KYC_STATUSES, KYC_STEPS } from '#contract/documents.ts'
import { instant, typedText } from '#contract/common.ts'
import { REVIEW_REASON_CODES } from '#contract/review-reasons.ts'

const codedReason = z.strictObject({ code: z.enum(REVIEW_REASON_CODES) })

/** As `contract/review-reasons.ts` says. */
export const reviewReason = z.union([z.string(), codedReason])

export const kycDocument = z.object({
  id: z.string(),
  step: z.enum(KYC_STEPS),
  type: z.enum(DOCUMENT_TYPE_KEYS),
  /** Bytes of the picture that is kept of it. */
  size: z.int(),
  uploadedAt: instant,
})
export type KycDocument = z.infer<typeof kycDocument>

export const kyc = z.object({
  status: z.enum(KYC_STATUSES),
  /** Why, for the customer to read. */
  reason: reviewReason.nullable(),
  /** The latest document of each step that has one. */
  documents: z.array(kycDocument),
  /** Whether one click uploads a specimen in place of a document of one's own. */
  specimens: z.boolean(),
})
export type Kyc = z.infer<typeof kyc>

/** Query of an upload; the body is the file itself. */
export const uploadQuery = z.strictObject({ type: z.enum(DOCUMENT_TYPE_KEYS) })

/** One customer in the reviewer's queue. */
export const reviewCase = z.object({
  /** Names the case; it is not the customer's id. */
  id: z.string(),
  fullName: z.string(),
  initials: z.string(),
  email: z.string(),
  phone: z.string().nullable(),
  dateOfBirth: z.string().nullable(),
  address: z.string().nullable(),
  postcode: z.string().nullable(),
  status: z.enum(KYC_STATUSES),
  reason: reviewReason.nullable(),
  submittedAt: instant,
  documents: z.array(kycDocument),
  /** Stands for all of the above that a decision is about. */
  digest: z.string(),
  /** Whether it is the reviewer's own, which somebody else has to decide. */
  own: z.boolean(),
  /** Whether this session may open its documents and decide it; for that its reviewer shows a second factor. */
  unlocked: z.boolean(),
})
export type ReviewCase = z.infer<typeof reviewCase>

export const reviewQueue = z.object({ cases: z.array(reviewCase) })

export const DECISIONS = ['approve', 'reject', 'again'] as const
export type Decision = (typeof DECISIONS)[number]

/**
 * `reason` is asked for unless the decision is to approve. `digest` is the case's, as the reviewer was shown it: what has
 * changed since is not decided unseen.
 */
export const decisionRequest = z.strictObject({
  decision: z.enum(DECISIONS),
  digest: z.string().max(100),
  reason: z.union([typedText.min(1).max(500), codedReason]).optional(),
})

/** What somebody did in a case. */
export const reviewAct = z.object({
  id: z.string(),
  act: z.enum(['unlock', 'open', ...DECISIONS]),
  /** Their name; null where the bank itself decided. */
  reviewer: z.string().nullable(),
  /** What was opened; null for any other act. */
  documentType: z.enum(DOCUMENT_TYPE_KEYS).nullable(),
  reason: reviewReason.nullable(),
  at: instant,
})
export type ReviewAct = z.infer<typeof reviewAct>

export const reviewHistory = z.object({ acts: z.array(reviewAct) })
