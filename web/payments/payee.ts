import { type QueryClient, useQuery } from '@tanstack/react-query'
import type { Contact } from '#contract/payments.ts'
import { isAddress } from '#web/lib/address.ts'
import { contactAt, contactsQuery } from '#web/lib/contacts.ts'
import { contactSearchQuery } from '#web/payments/queries.ts'

/** Those whom the customer paid long ago are looked for among all contacts. */
const olderQuery = (address: string) => contactSearchQuery(address.trim())

/** Whom the customer knows at an address, for a form that shows it. */
export function usePayee(address: string): Contact | null {
  const { data } = useQuery(contactsQuery)
  const recent = contactAt(data?.contacts, address)
  const isOlder = data !== undefined && recent === null && isAddress(address)
  const older = useQuery({ ...olderQuery(address), enabled: isOlder }).data
  return recent ?? (isOlder ? contactAt(older?.contacts, address) : null)
}

/** The same once it is known. Throws where the bank does not say. */
export async function findPayee(queries: QueryClient, address: string) {
  const { contacts, reviewAboveMinor } = await queries.ensureQueryData(contactsQuery)
  const recent = contactAt(contacts, address)
  const older = recent ? [] : (await queries.ensureQueryData(olderQuery(address))).contacts
  return { payee: recent ?? contactAt(older, address), reviewAboveMinor }
}
