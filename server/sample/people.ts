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

const STREETS = ['Alder Walk', 'Copper Street', 'Fern Lane', 'Heron Close', 'Kiln Road', 'Orchard Rise', 'Weavers Row']
const TOWNS = ['Ashmere', 'Brindlewick', 'Elmswick', 'Harrowmere', 'Northcombe', 'Saltbridge', 'Willowford']

/** Reserved by RFC 2606: mail to it is never delivered. */
const DOMAIN = 'example.com'

export type Person = {
  fullName: string
  email: string
  phone: string | null
  /** YYYY-MM-DD. */
  dateOfBirth: string
  address: string
  postcode: string
}

function oneOf(list: readonly string[]): string {
  return list[randomInt(list.length)] as string
}

/** A number of two digits. */
function upTo(most: number): string {
  return String(randomInt(1, most + 1)).padStart(2, '0')
}

/** Somebody of age, in a street and a town that are on no map. No British postcode begins with V. */
function home(): Pick<Person, 'dateOfBirth' | 'address' | 'postcode'> {
  const letter = (): string => oneOf(['A', 'B', 'D', 'E', 'H', 'L', 'N', 'R', 'T', 'W'])
  return {
    dateOfBirth: `${randomInt(1958, 2005)}-${upTo(12)}-${upTo(28)}`,
    address: `${randomInt(1, 120)} ${oneOf(STREETS)}, ${oneOf(TOWNS)}`,
    postcode: `V${letter()}${randomInt(1, 20)} ${randomInt(1, 10)}${letter()}${letter()}`,
  }
}

/** Somebody new. The number in the address keeps namesakes apart. */
export function somebody(): Person {
  const first = oneOf(FIRST)
  const last = oneOf(LAST)
  const email = `${first}.${last}.${randomInt(100_000, 1_000_000)}@${DOMAIN}`.toLowerCase()
  // Numbers that Ofcom reserves for fiction. There are a thousand; once they are used up, customers have none.
  const phone = `+447700900${String(randomInt(1_000)).padStart(3, '0')}`
  return { fullName: `${first} ${last}`, email, phone, ...home() }
}

type Friend = Person & { phone: null }

function friend(fullName: string, dateOfBirth: string, address: string, postcode: string): Friend {
  const email = `${fullName.replace(' ', '.')}@${DOMAIN}`.toLowerCase()
  return { fullName, email, phone: null, dateOfBirth, address, postcode }
}

/** The people every sample customer knows. They are customers too, once for the whole bank. */
export const FRIENDS: readonly Friend[] = [
  friend('Sarah Johnson', '1991-04-17', '8 Fern Lane, Elmswick', 'VE4 2HT'),
  friend('Mike Chen', '1988-11-02', '23 Kiln Road, Northcombe', 'VN7 5BL'),
  friend('Emma Wilson', '1994-07-29', '51 Heron Close, Saltbridge', 'VS2 8RD'),
  friend('David Brown', '1979-01-13', '3 Orchard Rise, Ashmere', 'VA1 6WN'),
]
