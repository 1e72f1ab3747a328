import { z } from 'zod'
import { day, typedText } from '#contract/common.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'

const language = z.enum(LANGUAGE_CODES)

export const profile = z.object({
  fullName: z.string(),
  email: z.string(),
  /**
   * The customer's new email address, until the customer has opened the links in both emails: one to the old address and one to
   * the new address. Null if the customer is not changing the address.
   */
  pendingEmail: z.string().nullable(),
  /** The phone number in E.164 format; null if the customer has none. */
  phone: z.string().nullable(),
  /** True if the customer confirmed the phone number with a code. Only a confirmed number identifies a customer. */
  phoneConfirmed: z.boolean(),
  /** True if the bank can send a code to the phone number. */
  phoneConfirmable: z.boolean(),
  dateOfBirth: day.nullable(),
  address: z.string().nullable(),
  postcode: z.string().nullable(),
  notifications: z.boolean(),
  transactionAlerts: z.boolean(),
  /** The language that the customer chose for messages from the bank. Null means English, the default. */
  language: language.nullable(),
})
export type Profile = z.infer<typeof profile>

/** A change of the profile. A missing field stays unchanged. An empty text deletes an optional field. */
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

/** The request has no fields. It closes the account of the signed-in customer. */
export const closureRequest = z.strictObject({})
