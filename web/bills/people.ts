import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { avatarText } from '#contract/initials.ts'
import type { Contact } from '#contract/payments.ts'
import type { Sharer } from '#web/bills/people-options.tsx'
import { contactAt, contactsQuery } from '#web/lib/contacts.ts'

const sharerOf = ({ email, name, initials }: Contact): Sharer => ({
  id: email,
  name,
  initials,
  ...(name !== email && { description: email }),
})

/** The customer's contacts as people to share bills with, and whoever is added here. */
export function usePeople() {
  const { data, isPending } = useQuery(contactsQuery)
  const [added, setAdded] = useState<readonly Sharer[]>([])
  const isKnown = ({ id }: Sharer) => contactAt(data?.contacts, id) !== null || added.some((one) => one.id === id)
  const people = [...added, ...(data?.contacts.map(sharerOf) ?? [])]
  return {
    people,
    /** With those who were chosen before the page was loaded anew: of them the address is known. */
    withAll: (chosen: readonly string[]) =>
      isPending
        ? people
        : [
            ...chosen
              .filter((id) => !people.some((person) => person.id === id))
              .map((id) => ({ id, name: id, initials: avatarText(id) })),
            ...people,
          ],
    isPending,
    add: (person: Sharer) => {
      if (!isKnown(person)) setAdded([person, ...added])
    },
  }
}
