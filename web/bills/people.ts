import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { avatarText } from '#contract/initials.ts'
import type { Contact } from '#contract/payments.ts'
import type { Sharer } from '#web/bills/people-options.tsx'
import { findContact, contactsQuery } from '#web/lib/contacts.ts'

const sharerOf = ({ email, name, initials }: Contact): Sharer => ({
  id: email,
  name,
  initials,
  ...(name !== email && { description: email }),
})

/** Returns the customer's contacts and the people added on this screen as people who can share bills. */
export function usePeople() {
  const { data, isPending } = useQuery(contactsQuery)
  const [addedPeople, setAdded] = useState<readonly Sharer[]>([])
  const isKnown = ({ id }: Sharer) =>
    findContact(data?.contacts, id) !== null || addedPeople.some((person) => person.id === id)
  const people = [...addedPeople, ...(data?.contacts.map(sharerOf) ?? [])]
  return {
    people,
    /** Includes people who were chosen before the page was reloaded. Their ids contain their email addresses. */
    withAll: (chosenIds: readonly string[]) =>
      isPending
        ? people
        : [
            ...chosenIds
              .filter((id) => !people.some((person) => person.id === id))
              .map((id) => ({ id, name: id, initials: avatarText(id) })),
            ...people,
          ],
    isPending,
    add: (person: Sharer) => {
      if (!isKnown(person)) setAdded([person, ...addedPeople])
    },
  }
}
