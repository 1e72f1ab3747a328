import type { RegistrationResponseJSON } from '@simplewebauthn/browser'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { PreferenceChange, ProfileChange } from '#contract/profile.ts'
import { answerOf, bank, named, refusalOf, until } from '#web/lib/client.ts'

/** Waits for what is answered with nothing but yes. Throws Refusal. */
async function done(asked: Promise<Pick<Response, 'ok' | 'status' | 'json' | 'headers'>>): Promise<void> {
  const answer = await asked
  if (!answer.ok) throw await refusalOf(answer)
}

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => answerOf(bank.profile.$get({}, until(signal))),
})

export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => answerOf(bank.security.$get({}, until(signal))),
})

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => answerOf(bank.sessions.$get({}, until(signal))),
})

export const securityEventsQuery = infiniteQueryOptions({
  queryKey: ['security-events'],
  queryFn: ({ pageParam, signal }) =>
    answerOf(bank['security-events'].$get({ query: pageParam === null ? {} : { cursor: pageParam } }, until(signal))),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** Where everything the bank keeps about the customer is, as JSON. */
export const EXPORT_PATH = '/api/v1/profile/export'

export const changeProfile = (change: ProfileChange) => answerOf(bank.profile.$patch({ json: change }))

export const sendPhoneCode = (key: string) => done(bank['phone-codes'].$post({}, named(key)))

export const confirmPhone = (code: string, key: string) =>
  done(bank['phone-confirmations'].$post({ json: { code } }, named(key)))

export const changePreferences = (change: PreferenceChange) => answerOf(bank.preferences.$patch({ json: change }))

export const signOutDevice = (id: string) => done(bank.sessions[':id'].$delete({ param: { id } }))

export const signOutOthers = () => answerOf(bank.sessions.$delete())

export const askPasswordLink = () => done(bank['password-links'].$post())

export const closeAccount = () => done(bank.profile.closure.$post({ json: {} }))

export const beginPasskey = () => answerOf(bank.passkeys.options.$post())

export const addPasskey = (oneTimeToken: string, response: RegistrationResponseJSON) =>
  answerOf(bank.passkeys.$post({ json: { oneTimeToken, response: { ...response } } }))

export const removePasskey = (id: string) => answerOf(bank.passkeys[':id'].$delete({ param: { id } }))

export const beginTwoFactor = () => answerOf(bank['two-factor'].setup.$post())

export const switchTwoFactorOn = (content: { oneTimeToken: string; code: string }) =>
  answerOf(bank['two-factor'].$post({ json: content }))

export const switchTwoFactorOff = () => done(bank['two-factor'].$delete())

export const renewRecoveryCodes = () => answerOf(bank['two-factor']['recovery-codes'].$post())
