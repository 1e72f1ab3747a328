import { queryOptions } from '@tanstack/react-query'
import type { Contact } from '#contract/payments.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { KEPT_UNDATED } from '#web/lib/kept.ts'

/** Whom the customer sent money to lately. */
export const contactsQuery = queryOptions({
  queryKey: ['contacts'],
  meta: KEPT_UNDATED,
  queryFn: ({ signal }) => unwrap(api.contacts.$get({}, withSignal(signal))),
})

/** How an address is compared: people write phone numbers in many ways, and an email in any case. */
function plain(address: string): string {
  const typed = address.trim().toLowerCase()
  return typed.includes('@') ? typed : typed.replace(/[\s().-]/g, '')
}

/** The address of whom the customer knows by a name; null where that is nobody, or more than one. */
export function contactCalled(contacts: readonly Contact[] | undefined, name: string): string | null {
  const namesakes = contacts?.filter((contact) => contact.name === name) ?? []
  return namesakes.length === 1 ? (namesakes[0]?.email ?? null) : null
}

/** The contact with that email or phone number, as the customer knows them. */
export function contactAt(contacts: readonly Contact[] | undefined, address: string): Contact | null {
  return contacts?.find(({ email }) => plain(email) === plain(address)) ?? null
}
