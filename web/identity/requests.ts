import type { z } from 'zod'
import {
  currentSession,
  emailConfirmation,
  me,
  passkeyOptions,
  type SignInRequest,
  signInResponse,
  type SignUpRequest,
  stepUp,
  type StepUpRequest,
} from '#contract/identity.ts'
import { doorFetch, refusalOf } from '#web/lib/client.ts'

async function answered(path: string, init?: RequestInit): Promise<Response> {
  const answer = await doorFetch(`/api/v1${path}`, init)
  if (!answer.ok) throw await refusalOf(answer)
  return answer
}
async function asked<Schema extends z.ZodType>(schema: Schema, path: string, init?: RequestInit) {
  return schema.parse(await (await answered(path, init)).json())
}
const sent = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const readCurrentSession = (signal: AbortSignal) => asked(currentSession, '/session', { signal })
export const signUp = (content: SignUpRequest) => asked(me, '/customers', sent(content))
export const signIn = (content: SignInRequest) => asked(signInResponse, '/session', sent(content))
export const signInWithCode = (content: { ticket: string; code: string }) =>
  asked(signInResponse, '/session/second-factor', sent(content))
export const signInWithBiometrics = () => asked(signInResponse, '/session/biometric', sent({}))
export const passkeyChallenge = () => asked(passkeyOptions, '/session/passkey/options', sent({}))
export const signInWithPasskey = (content: { ticket: string; response: object }) =>
  asked(signInResponse, '/session/passkey', sent(content))
export const endSession = () => answered('/session', { method: 'DELETE' })
export const askForPasswordLink = (email: string) => answered('/password-resets', sent({ email }))
export const setPassword = (content: { ticket: string; password: string }) => answered('/passwords', sent(content))
export const confirmEmail = (content: { ticket: string; password?: string }) =>
  asked(emailConfirmation, '/email-confirmations', sent(content))
export const readStepUp = (token: string, signal: AbortSignal) => asked(stepUp, `/step-ups/${token}`, { signal })
export const proveStepUp = (token: string, proof: StepUpRequest) => answered(`/step-ups/${token}`, sent(proof))
