import { z } from 'zod'
import { DOCUMENT_TYPE_KEYS, KYC_STATUSES, KYC_STEPS } from '#contract/documents.ts'
import { instant, typedText } from '#contract/common.ts'
import { REVIEW_REASON_CODES } from '#contract/review-reasons.ts'

const codedReason = z.strictObject({ code: z.enum(REVIEW_REASON_CODES) })

/** The reason for a decision: a reviewer's own text, or a code of `contract/review-reasons.ts`. */
export const reviewReason = z.union([z.string(), codedReason])

export const kycDocument = z.object({
  id: z.string(),
  step: z.enum(KYC_STEPS),
  type: z.enum(DOCUMENT_TYPE_KEYS),
  /** The size of the stored picture, in bytes. */
  size: z.int(),
  uploadedAt: instant,
})
export type KycDocument = z.infer<typeof kycDocument>

export const kyc = z.object({
  status: z.enum(KYC_STATUSES),
  /** The reason for the decision, which the customer reads; null if there is no reason. */
  reason: reviewReason.nullable(),
  /** The latest document of each step. */
  documents: z.array(kycDocument),
  /** True if the customer may upload a specimen instead of a document of their own. */
  specimens: z.boolean(),
})
export type Kyc = z.infer<typeof kyc>

/** The query of an upload. The body is the file itself. */
export const uploadQuery = z.strictObject({ type: z.enum(DOCUMENT_TYPE_KEYS) })

/** A customer in the reviewer's queue. */
export const reviewCase = z.object({
  /** The id of the case. It is not the customer's id. */
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
  /** A digest of the customer's details, the documents and the time of submission. A reviewer's decision contains it. */
  digest: z.string(),
  /** True if the reviewer is the customer of the case. Another reviewer must decide it. */
  own: z.boolean(),
  /** True if this session may open the documents and decide the case. The reviewer unlocks the case with a second factor. */
  unlocked: z.boolean(),
})
export type ReviewCase = z.infer<typeof reviewCase>

export const reviewQueue = z.object({ cases: z.array(reviewCase) })

export const DECISIONS = ['approve', 'reject', 'again'] as const
export type Decision = (typeof DECISIONS)[number]

/**
 * A reviewer's decision on a case. `reason` is required unless the decision is `approve`. `digest` is the digest of the case as
 * the reviewer saw it. If the case has changed since, the decision is refused.
 */
export const decisionRequest = z.strictObject({
  decision: z.enum(DECISIONS),
  digest: z.string().max(100),
  reason: z.union([typedText.min(1).max(500), codedReason]).optional(),
})

/** An action in a case, by a reviewer or by the bank. */
export const reviewAct = z.object({
  id: z.string(),
  act: z.enum(['unlock', 'open', ...DECISIONS]),
  /** The reviewer's name; null if the bank decided automatically. */
  reviewer: z.string().nullable(),
  /** The type of the opened document; null for any other action. */
  documentType: z.enum(DOCUMENT_TYPE_KEYS).nullable(),
  reason: reviewReason.nullable(),
  at: instant,
})
export type ReviewAct = z.infer<typeof reviewAct>

export const reviewHistory = z.object({ acts: z.array(reviewAct) })
