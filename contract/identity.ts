import { z } from 'zod'
import { type NetworkZone, NETWORK_ZONES, SECURITY_EVENTS, type SecurityEventKind } from '#contract/security-events.ts'
import { PROOFS } from '#contract/step-up.ts'
import { instant, typedText } from '#contract/common.ts'
import { LANGUAGE_CODES } from '#contract/languages.ts'

export const me = z.object({
  customer: z.object({
    fullName: z.string(),
    email: z.string(),
    initials: z.string(),
    role: z.enum(['customer', 'reviewer']),
    /** True if the customer has opened a confirmation link that the bank sent to the email address. */
    emailConfirmed: z.boolean(),
    /** The language that the customer chose; null if they chose none. */
    language: z.enum(LANGUAGE_CODES).nullable(),
  }),
  /** The mode of the bank. Screens show it; no rule depends on it. */
  mode: z.enum(['sample', 'live']),
  /** The seconds after which an unused session ends; null if it does not end. */
  idleSeconds: z.int().nullable(),
})
export type Me = z.infer<typeof me>

/** The customer who is signed in with this browser, and the rules for signing in. */
export const currentSession = z.object({
  /** The signed-in customer; null if no customer is signed in. */
  me: me.nullable(),
  /** True if a visitor must sign in. If it is false, the bank creates a sample customer for a new visitor. */
  signInRequired: z.boolean(),
  /** True if biometric sign-in also works on a device without a passkey. */
  biometricWithoutPasskey: z.boolean(),
  /** True if the app shows the emails that the bank sends. */
  mailboxPage: z.boolean(),
  /** The minimum length of a password, in characters. */
  passwordMinLength: z.int(),
  /** True if common passwords are refused. */
  commonPasswordsRefused: z.boolean(),
})
export type CurrentSession = z.infer<typeof currentSession>

/**
 * The password exactly as typed, including spaces at the beginning and the end. The maximum length limits the cost of hashing.
 */
const password = z.string().min(1).max(200)
const email = typedText.min(1).max(254)
/** The secret of an emailed link, or of a sign-in step in progress. */
const oneTimeToken = z.string().min(1).max(100)

export const signUpRequest = z.strictObject({
  fullName: typedText.min(1).max(120),
  email,
  /** A phone number in any common format. */
  phone: typedText.min(1).max(40),
  password,
  /** The referral code of a friend. An unknown code has no effect. */
  referralCode: typedText.max(40).optional(),
})
export type SignUpRequest = z.infer<typeof signUpRequest>

export const signInRequest = z.strictObject({ email, password })
export type SignInRequest = z.infer<typeof signInRequest>

/** The result of signing in: the signed-in customer, or the token for the next request, which contains the second factor. */
export const signInResponse = z.discriminatedUnion('status', [
  z.object({ status: z.literal('signed_in'), me }),
  z.object({ status: z.literal('second_factor'), oneTimeToken: z.string() }),
])
export type SignInResponse = z.infer<typeof signInResponse>

/** The six digits from the authenticator app, or a recovery code. Spaces are allowed. */
const code = typedText.min(1).max(40)
export const secondFactorRequest = z.strictObject({ oneTimeToken, code })

/**
 * A credential in the JSON form of the browser's credential API (WebAuthn Level 3). The server's WebAuthn library parses it.
 */
const credential = z.looseObject({
  id: z.string().max(2_000),
  rawId: z.string().max(2_000),
  type: z.literal('public-key'),
})
export const passkeyOptions = z.object({ oneTimeToken: z.string(), options: z.record(z.string(), z.unknown()) })
export type PasskeyOptions = z.infer<typeof passkeyOptions>
export const passkeySignInRequest = z.strictObject({ oneTimeToken, response: credential })
export const passkeyRequest = z.strictObject({ oneTimeToken, response: credential, name: typedText.max(60).optional() })

export const passwordResetRequest = z.strictObject({ email })
export const newPasswordRequest = z.strictObject({ oneTimeToken, password })
/**
 * The confirmation of one customer's email by a link. `password` is required if the browser has no session of that customer.
 */
export const emailConfirmationRequest = z.strictObject({ oneTimeToken, password: password.optional() })
export const emailConfirmation = z.object({
  /**
   * `done`: no confirmation is missing. `other_pending`: the customer is changing the email address, and either the old or the
   * new address must still be confirmed.
   */
  status: z.enum(['done', 'other_pending']),
})
export type EmailConfirmation = z.infer<typeof emailConfirmation>

export const networkZone = z.enum(Object.keys(NETWORK_ZONES) as [NetworkZone, ...NetworkZone[]])

/** The parts of a device's name (`contract/devices.ts`). */
export const deviceParts = z.object({
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The kind of person who caused the event. Missing if a device of the customer caused it. */
  by: z.enum(['review_desk', 'another_customer']).optional(),
})

export const device = z.object({
  id: z.string(),
  device: deviceParts,
  networkZone,
  signedInAt: instant,
  lastUsedAt: instant,
  /** True for the session of this request. */
  current: z.boolean(),
})
export type Device = z.infer<typeof device>
export const deviceList = z.object({ devices: z.array(device) })

/**
 * The result of canceling a request by its idempotency key. `carriedOut` is true if the bank had already carried out the
 * request. If `carriedOut` is false, the bank will never carry out the request.
 */
export const requestOutcome = z.object({ carriedOut: z.boolean() })

/** The code from the text message. Spaces are allowed between its digits. */
export const phoneConfirmationRequest = z.strictObject({ code: typedText.min(1).max(20) })

export const securityEvent = z.object({
  id: z.string(),
  kind: z.enum(Object.keys(SECURITY_EVENTS) as [SecurityEventKind, ...SecurityEventKind[]]),
  device: deviceParts,
  networkZone,
  at: instant,
})
export type SecurityEvent = z.infer<typeof securityEvent>
export const securityEventPage = z.object({ events: z.array(securityEvent), nextCursor: z.string().nullable() })

export const passkey = z.object({
  id: z.string(),
  /** The WebAuthn id of the passkey. The web app uses it to signal a deleted passkey to the browser. */
  credentialId: z.string(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  /** True if the device's maker syncs the passkey to the customer's other devices. */
  synced: z.boolean(),
})
export type Passkey = z.infer<typeof passkey>

/** The data of the security screen. */
export const security = z.object({
  hasPassword: z.boolean(),
  passkeys: z.array(passkey),
  /**
   * True if the customer has passkeys. If the bank allows biometric sign-in without a passkey, it is also true for a customer
   * without passkeys, until the customer switches biometric sign-in off.
   */
  biometricLogin: z.boolean(),
  twoFactor: z.boolean(),
  recoveryCodesLeft: z.int(),
  transactionAlerts: z.boolean(),
  /** True if payments require a step-up check. */
  stepUp: z.boolean(),
})
export type Security = z.infer<typeof security>

/** `uri` is the content of the QR code (otpauth://). `secret` is the secret in that URI, in base32, for typing by hand. */
export const twoFactorSetup = z.object({ oneTimeToken: z.string(), uri: z.string(), secret: z.string() })
export type TwoFactorSetup = z.infer<typeof twoFactorSetup>
export const twoFactorRequest = z.strictObject({ oneTimeToken, code })
/** The codes are shown once, because the bank stores only their digests. */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof recoveryCodes>

/**
 * The kinds of proof that the customer can give after a refusal with `step_up_required`. `passkey` contains the options for the
 * browser's credential API; null if the customer cannot use a passkey.
 */
export const stepUp = z.object({
  proofs: z.array(z.enum(PROOFS)),
  passkey: z.record(z.string(), z.unknown()).nullable(),
})
export type StepUp = z.infer<typeof stepUp>
/** One proof: the password, a code, or a passkey. */
export const stepUpRequest = z.union([
  z.strictObject({ password }),
  z.strictObject({ code }),
  z.strictObject({ passkey: credential }),
])
export type StepUpRequest = z.infer<typeof stepUpRequest>
