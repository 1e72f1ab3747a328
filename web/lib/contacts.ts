import { queryOptions } from '@tanstack/react-query'
import type { Contact } from '#contract/payments.ts'
import { api, unwrap, withSignal } from '#web/lib/api.ts'
import { OFFLINE_UNDATED } from '#web/lib/offline-cache.ts'

/** The contacts that a screen offers: favorites first, then the contacts that were used last. */
export const contactsQuery = queryOptions({
  queryKey: ['contacts'],
  meta: OFFLINE_UNDATED,
  queryFn: ({ signal }) => unwrap(api.contacts.$get({}, withSignal(signal))),
})

/** Returns an address in the form for comparisons. Phone numbers are written in many ways, and emails in any case. */
function normalizeAddress(address: string): string {
  const typedAddress = address.trim().toLowerCase()
  return typedAddress.includes('@') ? typedAddress : typedAddress.replace(/[\s().-]/g, '')
}

/** Returns the address of the contact with a name; null if no contact or more than one has it. */
export function findAddressByName(contacts: readonly Contact[] | undefined, name: string): string | null {
  const namesakes = contacts?.filter((contact) => contact.name === name) ?? []
  return namesakes.length === 1 ? (namesakes[0]?.email ?? null) : null
}

/** Returns the contact with an email address or a phone number; null if there is none. */
export function findContact(contacts: readonly Contact[] | undefined, address: string): Contact | null {
  return contacts?.find(({ email }) => normalizeAddress(email) === normalizeAddress(address)) ?? null
}
