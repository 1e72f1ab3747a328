import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { SendRequest } from '#contract/payments.ts'
import { unwrap, api, withIdempotencyKey, withSignal } from '#web/lib/api.ts'

export function sendMoney(content: SendRequest, key: string) {
  return unwrap(api.transfers.$post({ json: content }, withIdempotencyKey(key)))
}

/** Loads the contacts with `text` in their name or address, up to the bank's limit. An empty `text` matches all contacts. */
export function contactSearchQuery(text: string) {
  return queryOptions({
    queryKey: ['contacts', 'search', text],
    queryFn: ({ signal }) => unwrap(api.contacts.search.$get({ query: { q: text } }, withSignal(signal))),
    // The previous results stay visible until the next search completes.
    placeholderData: keepPreviousData,
  })
}

export async function markContact(json: { email: string; favourite: boolean }): Promise<void> {
  await unwrap(api.contacts.mark.$post({ json }))
}

export async function removeContact(email: string): Promise<void> {
  await unwrap(api.contacts.remove.$post({ json: { email } }))
}

export function claimQuery(token: string) {
  return queryOptions({
    queryKey: ['claim', token],
    queryFn: ({ signal }) => unwrap(api.claims[':token'].$get({ param: { token } }, withSignal(signal))),
  })
}

export function acceptClaim(token: string, key: string) {
  return unwrap(api.claims[':token'].$post({ param: { token } }, withIdempotencyKey(key)))
}
