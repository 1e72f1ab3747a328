import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Contact } from '#contract/payments.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT_UNDATED } from '#web/lib/kept.ts'

/** Whom the customer sent money to lately. */
export const contactsQuery = queryOptions({
  queryKey: ['contacts'],
  meta: KEPT_UNDATED,
  queryFn: ({ signal }) => unwrap(api.contacts.$get({}, withSignal(signal))),
})

/** All contacts, or those whose name or address has a text in it. */
export function contactSearchQuery(text: string) {
  return queryOptions({
    queryKey: ['contacts', 'search', text],
    queryFn: ({ signal }) => unwrap(api.contacts.search.$get({ query: { q: text } }, withSignal(signal))),
    // What was found before stands until the next search is answered.
    placeholderData: keepPreviousData,
  })
}

export async function markContact(json: { email: string; favourite: boolean }): Promise<void> {
  await unwrap(api.contacts.mark.$post({ json }))
}

export async function removeContact(email: string): Promise<void> {
  await unwrap(api.contacts.remove.$post({ json: { email } }))
}

/** How an address is compared: people write phone numbers in many ways, and an email in any case. */
function plain(address: string): string {
  const typed = address.trim().toLowerCase()
  return typed.includes('@') ? typed : typed.replace(/[\s().-]/g, '')
}

/** The contact with that email or phone number, as the customer knows them. */
export function contactAt(contacts: readonly Contact[] | undefined, address: string): Contact | null {
  return contacts?.find(({ email }) => plain(email) === plain(address)) ?? null
}
