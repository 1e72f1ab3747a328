import { z } from 'zod'
import { day, typedText } from '#contract/common.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'

const language = z.enum(LANGUAGE_CODES)

export const profile = z.object({
  fullName: z.string(),
  email: z.string(),
  /** An address that waits to be confirmed in the two mails about it. */
  pendingEmail: z.string().nullable(),
  /** E.164. */
  phone: z.string().nullable(),
  /** Whether a code has shown that the number is theirs: only then does it name them. */
  phoneConfirmed: z.boolean(),
  /** Whether the bank can text a code to it. */
  phoneConfirmable: z.boolean(),
  dateOfBirth: day.nullable(),
  address: z.string().nullable(),
  postcode: z.string().nullable(),
  notifications: z.boolean(),
  transactionAlerts: z.boolean(),
  /** What the bank writes to them in, where they have chosen; English else. */
  language: language.nullable(),
})
export type Profile = z.infer<typeof profile>

/** What is left out stays as it is; an empty text takes away what may be missing. */
export const profileChange = z.strictObject({
  fullName: typedText.min(1).max(120).optional(),
  email: typedText.min(1).max(254).optional(),
  phone: typedText.max(40).optional(),
  dateOfBirth: z.union([day, z.literal('')]).optional(),
  address: typedText.max(300).optional(),
  postcode: typedText.max(12).optional(),
})
export type ProfileChange = z.infer<typeof profileChange>

export const preferenceChange = z.strictObject({
  notifications: z.boolean().optional(),
  transactionAlerts: z.boolean().optional(),
  biometricLogin: z.boolean().optional(),
  language: language.optional(),
})
export type PreferenceChange = z.infer<typeof preferenceChange>

/** Nothing has to be told: the customer is who asks. */
export const closureRequest = z.strictObject({})
