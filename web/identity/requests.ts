import type { SignInRequest, SignUpRequest, StepUpRequest } from '#contract/identity.ts'
import type { ShownPasskey } from '#web/identity/passkey.ts'
import { answerOf, door, named, until } from '#web/lib/client.ts'

export const readCurrentSession = (signal: AbortSignal) => answerOf(door.session.$get({}, until(signal)))

export const signUp = (content: SignUpRequest, key: string) =>
  answerOf(door.customers.$post({ json: content }, named(key)))

export const signIn = (content: SignInRequest) => answerOf(door.session.$post({ json: content }))

export const signInWithCode = (content: { oneTimeToken: string; code: string }) =>
  answerOf(door.session['second-factor'].$post({ json: content }))

export const signInWithBiometrics = () => answerOf(door.session.biometric.$post())

export const askForPasskey = () => answerOf(door.session.passkey.options.$post())

export const signInWithPasskey = (content: ShownPasskey) => answerOf(door.session.passkey.$post({ json: content }))

export const endSession = () => answerOf(door.session.$delete())

export const askForPasswordLink = (email: string) => answerOf(door['password-resets'].$post({ json: { email } }))

export const setPassword = (content: { oneTimeToken: string; password: string }) =>
  answerOf(door.passwords.$post({ json: content }))

export const confirmEmail = (content: { oneTimeToken: string; password?: string }) =>
  answerOf(door['email-confirmations'].$post({ json: content }))

export const readStepUp = (token: string, signal: AbortSignal) =>
  answerOf(door['step-ups'][':token'].$get({ param: { token } }, until(signal)))

export const proveStepUp = (token: string, proof: StepUpRequest) =>
  answerOf(door['step-ups'][':token'].$post({ param: { token }, json: proof }))
