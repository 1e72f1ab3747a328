import { randomInt } from 'node:crypto'

const FIRST = [
  'Ada',
  'Alex',
  'Amara',
  'Anton',
  'Beatriz',
  'Callum',
  'Chloe',
  'Dario',
  'Elena',
  'Farah',
  'Felix',
  'Grace',
  'Hugo',
  'Imani',
  'Ines',
  'Jonas',
  'Kemi',
  'Leo',
  'Lina',
  'Marta',
  'Milo',
  'Nadia',
  'Noor',
  'Oscar',
  'Priya',
  'Rafael',
  'Rosa',
  'Samir',
  'Tess',
  'Yuki',
]
const LAST = [
  'Abbott',
  'Almeida',
  'Bauer',
  'Bianchi',
  'Carver',
  'Castillo',
  'Dahl',
  'Dubois',
  'Ellis',
  'Ferrari',
  'Fraser',
  'Garcia',
  'Haddad',
  'Ito',
  'Jansen',
  'Keller',
  'Kowalski',
  'Laurent',
  'Lindqvist',
  'Moreau',
  'Nakamura',
  'Novak',
  'Okafor',
  'Park',
  'Quinn',
  'Reyes',
  'Sato',
  'Silva',
  'Tanaka',
  'Walsh',
]

/** Reserved by RFC 2606: mail to it reaches nobody. */
const DOMAIN = 'example.com'

export type Person = { fullName: string; email: string; phone: string | null }

/** Somebody new. The number in the address keeps namesakes apart. */
export function somebody(): Person {
  const first = FIRST[randomInt(FIRST.length)] as string
  const last = LAST[randomInt(LAST.length)] as string
  const email = `${first}.${last}.${randomInt(100_000, 1_000_000)}@${DOMAIN}`.toLowerCase()
  // Numbers that Ofcom keeps free for stories. There are a thousand: whoever comes late does without.
  const phone = `+447700900${String(randomInt(1_000)).padStart(3, '0')}`
  return { fullName: `${first} ${last}`, email, phone }
}

/** The people every sample customer knows. They are customers too, once for the whole bank. */
export const FRIENDS: readonly (Person & { phone: null })[] = [
  { fullName: 'Sarah Johnson', email: `sarah.johnson@${DOMAIN}`, phone: null },
  { fullName: 'Mike Chen', email: `mike.chen@${DOMAIN}`, phone: null },
  { fullName: 'Emma Wilson', email: `emma.wilson@${DOMAIN}`, phone: null },
  { fullName: 'David Brown', email: `david.brown@${DOMAIN}`, phone: null },
]
