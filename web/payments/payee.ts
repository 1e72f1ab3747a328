import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Contact } from '#contract/payments.ts'
import { isAddress } from '#web/lib/address.ts'
import { findContact, contactsQuery } from '#web/lib/contacts.ts'
import { contactSearchQuery } from '#web/payments/queries.ts'

/** Contacts that the customer paid long ago are not among the recent ones, so all contacts are searched. */
const olderQuery = (address: string) => contactSearchQuery(address.trim())

/** Returns the contact with an address, for display in a form; null if there is none. */
export function usePayee(address: string): Contact | null {
  const { data } = useQuery(contactsQuery)
  const recent = findContact(data?.contacts, address)
  const isOlder = data !== undefined && recent === null && isAddress(address)
  const older = useQuery({ ...olderQuery(address), enabled: isOlder }).data
  return recent ?? (isOlder ? findContact(older?.contacts, address) : null)
}

/**
 * Returns the contact with an address (null if there is none) and the amount above which a payment is reviewed, in minor units.
 * Loads them if necessary. Throws if a request fails.
 */
export async function findPayee(queries: QueryClient, address: string) {
  const { contacts, reviewAboveMinor } = await queries.ensureQueryData(contactsQuery)
  const recent = findContact(contacts, address)
  const older = recent ? [] : (await queries.ensureQueryData(olderQuery(address))).contacts
  return { payee: recent ?? findContact(older, address), reviewAboveMinor }
}
