import { Refusal } from '#contract/errors.ts'
import type { CurrentSession, SignInRequest, SignUpRequest, StepUpRequest } from '#contract/identity.ts'
import type { PasskeyResponse } from '#web/identity/factors/passkey.ts'
import { finishDeferredSignOut } from '#web/lib/deferred-sign-out.ts'
import { anonymousApi, unwrap, withIdempotencyKey, withSignal } from '#web/lib/api.ts'

/** Reads the current session. Throws Refusal `unreachable` while a deferred sign-out cannot reach the bank. */
export async function readCurrentSession(signal: AbortSignal): Promise<CurrentSession> {
  if (!(await finishDeferredSignOut())) throw new Refusal('unreachable')
  return unwrap(anonymousApi.session.$get({}, withSignal(signal)))
}

export const signUp = (content: SignUpRequest, key: string) =>
  unwrap(anonymousApi.customers.$post({ json: content }, withIdempotencyKey(key)))

export const signIn = (content: SignInRequest) => unwrap(anonymousApi.session.$post({ json: content }))

export const signInWithCode = (content: { oneTimeToken: string; code: string }) =>
  unwrap(anonymousApi.session['second-factor'].$post({ json: content }))

export const signInWithBiometrics = () => unwrap(anonymousApi.session.biometric.$post())

export const askForPasskey = () => unwrap(anonymousApi.session.passkey.options.$post())

export const signInWithPasskey = (content: PasskeyResponse) =>
  unwrap(anonymousApi.session.passkey.$post({ json: content }))

export const endSession = () => unwrap(anonymousApi.session.$delete())

export const askForPasswordLink = (email: string) => unwrap(anonymousApi['password-resets'].$post({ json: { email } }))

export const setPassword = (content: { oneTimeToken: string; password: string }) =>
  unwrap(anonymousApi.passwords.$post({ json: content }))

export const confirmEmail = (content: { oneTimeToken: string; password?: string }) =>
  unwrap(anonymousApi['email-confirmations'].$post({ json: content }))

export const readStepUp = (token: string, signal: AbortSignal) =>
  unwrap(anonymousApi['step-ups'][':token'].$get({ param: { token } }, withSignal(signal)))

export const proveStepUp = (token: string, proof: StepUpRequest) =>
  unwrap(anonymousApi['step-ups'][':token'].$post({ param: { token }, json: proof }))
