import type { RegistrationResponseJSON } from '@simplewebauthn/browser'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { PreferenceChange, ProfileChange } from '#contract/profile.ts'
import { unwrap, api, withSignal } from '#web/lib/api.ts'
import { expectNoContent } from '#web/lib/expect-no-content.ts'

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

/** The address of the customer's data export, a JSON file. */
export const EXPORT_PATH = '/api/v1/profile/export'

export const changeProfile = (change: ProfileChange) => unwrap(api.profile.$patch({ json: change }))

export const sendPhoneCode = () => expectNoContent(api['phone-codes'].$post())

export const confirmPhone = (code: string) => expectNoContent(api['phone-confirmations'].$post({ json: { code } }))

export const changePreferences = (change: PreferenceChange) => unwrap(api.preferences.$patch({ json: change }))

export const signOutDevice = (id: string) => expectNoContent(api.sessions[':id'].$delete({ param: { id } }))

export const signOutOthers = () => unwrap(api.sessions.$delete())

export const askPasswordLink = () => expectNoContent(api['password-links'].$post())

export const closeAccount = () => expectNoContent(api.profile.closure.$post({ json: {} }))

export const beginPasskey = () => unwrap(api.passkeys.options.$post())

export const addPasskey = (oneTimeToken: string, response: RegistrationResponseJSON) =>
  unwrap(api.passkeys.$post({ json: { oneTimeToken, response: { ...response } } }))

export const removePasskey = (id: string) => unwrap(api.passkeys[':id'].$delete({ param: { id } }))

export const beginTwoFactor = () => unwrap(api['two-factor'].setup.$post())

export const switchTwoFactorOn = (content: { oneTimeToken: string; code: string }) =>
  unwrap(api['two-factor'].$post({ json: content }))

export const switchTwoFactorOff = () => expectNoContent(api['two-factor'].$delete())

export const renewRecoveryCodes = () => unwrap(api['two-factor']['recovery-codes'].$post())
