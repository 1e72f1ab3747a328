import type { RegistrationResponseJSON } from '@simplewebauthn/browser'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { PreferenceChange, ProfileChange } from '#contract/profile.ts'
import { unwrap, api, withSignal } from '#web/lib/api.ts'
import { done } from '#web/lib/done.ts'

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => unwrap(api.profile.$get({}, withSignal(signal))),
})

export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => unwrap(api.security.$get({}, withSignal(signal))),
})

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => unwrap(api.sessions.$get({}, withSignal(signal))),
})

export const securityEventsQuery = infiniteQueryOptions({
  queryKey: ['security-events'],
  queryFn: ({ pageParam, signal }) =>
    unwrap(api['security-events'].$get({ query: pageParam === null ? {} : { cursor: pageParam } }, withSignal(signal))),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** Where everything the bank keeps about the customer is, as JSON. */
export const EXPORT_PATH = '/api/v1/profile/export'

export const changeProfile = (change: ProfileChange) => unwrap(api.profile.$patch({ json: change }))

export const sendPhoneCode = () => done(api['phone-codes'].$post())

export const confirmPhone = (code: string) => done(api['phone-confirmations'].$post({ json: { code } }))

export const changePreferences = (change: PreferenceChange) => unwrap(api.preferences.$patch({ json: change }))

export const signOutDevice = (id: string) => done(api.sessions[':id'].$delete({ param: { id } }))

export const signOutOthers = () => unwrap(api.sessions.$delete())

export const askPasswordLink = () => done(api['password-links'].$post())

export const closeAccount = () => done(api.profile.closure.$post({ json: {} }))

export const beginPasskey = () => unwrap(api.passkeys.options.$post())

export const addPasskey = (oneTimeToken: string, response: RegistrationResponseJSON) =>
  unwrap(api.passkeys.$post({ json: { oneTimeToken, response: { ...response } } }))

export const removePasskey = (id: string) => unwrap(api.passkeys[':id'].$delete({ param: { id } }))

export const beginTwoFactor = () => unwrap(api['two-factor'].setup.$post())

export const switchTwoFactorOn = (content: { oneTimeToken: string; code: string }) =>
  unwrap(api['two-factor'].$post({ json: content }))

export const switchTwoFactorOff = () => done(api['two-factor'].$delete())

export const renewRecoveryCodes = () => unwrap(api['two-factor']['recovery-codes'].$post())
