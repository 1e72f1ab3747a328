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
    /** Whether a mail has shown that the email is theirs. */
    emailConfirmed: z.boolean(),
    /** What they have chosen to read the bank in; null where they have chosen nothing. */
    language: z.enum(LANGUAGE_CODES).nullable(),
  }),
  /** Which mode the bank runs in, so that the screens may say so; it decides nothing. */
  mode: z.enum(['sample', 'live']),
  /** A session that nobody uses ends after this many seconds; null where it does not. */
  idleSeconds: z.int().nullable(),
})
export type Me = z.infer<typeof me>

/** What somebody who stands at the door is told: who is signed in on this browser, and how getting in works here. */
export const currentSession = z.object({
  /** Null where nobody is. */
  me: me.nullable(),
  /** Whether whoever is nobody's customer has to sign in first; else a visit makes them one. */
  signInRequired: z.boolean(),
  /** Whether biometrics sign in on a device that has no passkey. */
  biometricWithoutPasskey: z.boolean(),
  /** Whether the mails the bank writes can be read in the app. */
  mailboxPage: z.boolean(),
  /** Characters a password has at least. */
  passwordMinLength: z.int(),
  /** Whether a password that is easy to guess is refused. */
  commonPasswordsRefused: z.boolean(),
})
export type CurrentSession = z.infer<typeof currentSession>

/** As it was typed: spaces at its ends count. Longer ones only cost time. */
const password = z.string().min(1).max(200)
const email = typedText.min(1).max(254)
/** The secret of a link or of a step that is half done. */
const oneTimeToken = z.string().min(1).max(100)

export const signUpRequest = z.strictObject({
  fullName: typedText.min(1).max(120),
  email,
  /** In any common spelling. */
  phone: typedText.min(1).max(40),
  password,
  /** Of the friend by whom they came. One that is nobody's changes nothing. */
  referralCode: typedText.max(40).optional(),
})
export type SignUpRequest = z.infer<typeof signUpRequest>

export const signInRequest = z.strictObject({ email, password })
export type SignInRequest = z.infer<typeof signInRequest>

/** Either who is signed in now, or what the second factor has to be sent with. */
export const signInResponse = z.discriminatedUnion('status', [
  z.object({ status: z.literal('signed_in'), me }),
  z.object({ status: z.literal('second_factor'), oneTimeToken: z.string() }),
])
export type SignInResponse = z.infer<typeof signInResponse>

/** `code`: six digits of the authenticator app, or a recovery code, in any spacing. */
const code = typedText.min(1).max(40)
export const secondFactorRequest = z.strictObject({ oneTimeToken, code })

/** What a browser's credential API wants or gives, as JSON (WebAuthn Level 3); the server's library reads it. */
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
/** The password is asked for where the browser is not signed in as the customer the link is for. */
export const emailConfirmationRequest = z.strictObject({ oneTimeToken, password: password.optional() })
export const emailConfirmation = z.object({
  /** done: the address is theirs now. other_pending: the other address has still to be confirmed. */
  status: z.enum(['done', 'other_pending']),
})
export type EmailConfirmation = z.infer<typeof emailConfirmation>

export const networkZone = z.enum(Object.keys(NETWORK_ZONES) as [NetworkZone, ...NetworkZone[]])

/** A device's parts (`contract/devices.ts`). */
export const deviceParts = z.object({
  browser: z.string().nullable(),
  system: z.string().nullable(),
  by: z.enum(['review_desk', 'another_customer']).optional(),
})

export const device = z.object({
  id: z.string(),
  device: deviceParts,
  networkZone,
  signedInAt: instant,
  lastUsedAt: instant,
  /** Whether it is the one that asks. */
  current: z.boolean(),
})
export type Device = z.infer<typeof device>
export const deviceList = z.object({ devices: z.array(device) })

/** What became of a request that was cancelled by its Idempotency-Key. */
export const requestOutcome = z.object({ carriedOut: z.boolean() })

/** The digits that were texted, in any spacing. */
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
  /** What browsers know it by, for a browser to be told that it is gone. */
  credentialId: z.string(),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
  /** Whether the device's maker keeps a copy of it for the customer's other devices. */
  synced: z.boolean(),
})
export type Passkey = z.infer<typeof passkey>

/** What the security screen shows. */
export const security = z.object({
  hasPassword: z.boolean(),
  passkeys: z.array(passkey),
  /** With passkeys it is on; a sample visitor's device needs none (on until switched off). */
  biometricLogin: z.boolean(),
  twoFactor: z.boolean(),
  recoveryCodesLeft: z.int(),
  transactionAlerts: z.boolean(),
  /** Whether payments ask for a fresh proof. */
  stepUp: z.boolean(),
})
export type Security = z.infer<typeof security>

/** `uri`: what the QR code says (otpauth://); `secret`: the same for typing, base32. */
export const twoFactorSetup = z.object({ oneTimeToken: z.string(), uri: z.string(), secret: z.string() })
export type TwoFactorSetup = z.infer<typeof twoFactorSetup>
export const twoFactorRequest = z.strictObject({ oneTimeToken, code })
/** Shown once: the bank keeps digests. */
export const recoveryCodes = z.object({ recoveryCodes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof recoveryCodes>

/** What a request that was refused with `step_up_required` waits for; `passkey` is what the browser is asked with. */
export const stepUp = z.object({
  proofs: z.array(z.enum(PROOFS)),
  passkey: z.record(z.string(), z.unknown()).nullable(),
})
export type StepUp = z.infer<typeof stepUp>
/** One of the three. */
export const stepUpRequest = z.union([
  z.strictObject({ password }),
  z.strictObject({ code }),
  z.strictObject({ passkey: credential }),
])
export type StepUpRequest = z.infer<typeof stepUpRequest>
