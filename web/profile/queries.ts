import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import {
  deviceList,
  passkeyOptions,
  recoveryCodes,
  security,
  securityEventPage,
  twoFactorSetup,
} from '#contract/identity.ts'
import { type PreferenceChange, type ProfileChange, profile } from '#contract/profile.ts'
import { bankFetch, refusalOf } from '#web/lib/client.ts'

const API = '/api/v1'

async function answered(path: string, init?: RequestInit): Promise<Response> {
  const answer = await bankFetch(API + path, init)
  if (!answer.ok) throw await refusalOf(answer)
  return answer
}

async function asked<Schema extends z.ZodType>(schema: Schema, path: string, init?: RequestInit) {
  return schema.parse(await (await answered(path, init)).json())
}

const sent = (method: 'POST' | 'PATCH', body: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => asked(profile, '/profile', { signal }),
})

export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: ({ signal }) => asked(security, '/security', { signal }),
})

export const devicesQuery = queryOptions({
  queryKey: ['devices'],
  queryFn: ({ signal }) => asked(deviceList, '/sessions', { signal }),
})

export const securityEventsQuery = infiniteQueryOptions({
  queryKey: ['security-events'],
  queryFn: ({ pageParam, signal }) =>
    asked(securityEventPage, `/security-events${pageParam ? `?${new URLSearchParams({ cursor: pageParam })}` : ''}`, {
      signal,
    }),
  initialPageParam: null as string | null,
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

/** Where everything the bank keeps about the customer is, as JSON. */
export const EXPORT_PATH = `${API}/profile/export`

export const changeProfile = (change: ProfileChange) => asked(profile, '/profile', sent('PATCH', change))

export const changePreferences = (change: PreferenceChange) => asked(profile, '/preferences', sent('PATCH', change))

export const signOutDevice = (id: string) => answered(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' })

export const signOutOthers = () => asked(deviceList, '/sessions', { method: 'DELETE' })

export const askPasswordLink = () => answered('/password-links', sent('POST', {}))

export const closeAccount = () => answered('/profile/closure', sent('POST', {}))

export const beginPasskey = () => asked(passkeyOptions, '/passkeys/options', sent('POST', {}))

export const addPasskey = (content: { ticket: string; response: object }) =>
  asked(security, '/passkeys', sent('POST', content))

export const removePasskey = (id: string) =>
  asked(security, `/passkeys/${encodeURIComponent(id)}`, { method: 'DELETE' })

export const beginTwoFactor = () => asked(twoFactorSetup, '/two-factor/setup', sent('POST', {}))

export const switchTwoFactorOn = (content: { ticket: string; code: string }) =>
  asked(recoveryCodes, '/two-factor', sent('POST', content))

export const switchTwoFactorOff = () => answered('/two-factor', { method: 'DELETE' })

export const renewRecoveryCodes = () => asked(recoveryCodes, '/two-factor/recovery-codes', sent('POST', {}))
