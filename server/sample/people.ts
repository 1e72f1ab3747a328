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

/** RFC 2606 reserves this domain, so mail to it is never delivered. */
const DOMAIN = 'example.com'

export type SamplePerson = {
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

/** Returns a random number from 1 to `max`, written with two digits. */
function randomTwoDigits(max: number): string {
  return String(randomInt(1, max + 1)).padStart(2, '0')
}

/** Invents an adult's date of birth and an address. Its postcode begins with V, so it cannot be a real British postcode. */
function inventBirthAndAddress(): Pick<SamplePerson, 'dateOfBirth' | 'address' | 'postcode'> {
  const letter = (): string => oneOf(['A', 'B', 'D', 'E', 'H', 'L', 'N', 'R', 'T', 'W'])
  return {
    dateOfBirth: `${randomInt(1958, 2005)}-${randomTwoDigits(12)}-${randomTwoDigits(28)}`,
    address: `${randomInt(1, 120)} ${oneOf(STREETS)}, ${oneOf(TOWNS)}`,
    postcode: `V${letter()}${randomInt(1, 20)} ${randomInt(1, 10)}${letter()}${letter()}`,
  }
}

/** Invents a person. The number in the email address distinguishes people with the same name. */
export function inventPerson(): SamplePerson {
  const firstName = oneOf(FIRST)
  const lastName = oneOf(LAST)
  const email = `${firstName}.${lastName}.${randomInt(100_000, 1_000_000)}@${DOMAIN}`.toLowerCase()
  // Ofcom reserves these 1,000 numbers for fiction. A sample customer whose number is already in use gets no phone number.
  const phone = `+447700900${String(randomInt(1_000)).padStart(3, '0')}`
  return { fullName: `${firstName} ${lastName}`, email, phone, ...inventBirthAndAddress() }
}

type Friend = SamplePerson & { phone: null }

function friend(fullName: string, dateOfBirth: string, address: string, postcode: string): Friend {
  const email = `${fullName.replace(' ', '.')}@${DOMAIN}`.toLowerCase()
  return { fullName, email, phone: null, dateOfBirth, address, postcode }
}

/**
 * The friends of every sample customer. They are customers of the bank too, created once and shared by all sample customers.
 */
export const FRIENDS: readonly Friend[] = [
  friend('Sarah Johnson', '1991-04-17', '8 Fern Lane, Elmswick', 'VE4 2HT'),
  friend('Mike Chen', '1988-11-02', '23 Kiln Road, Northcombe', 'VN7 5BL'),
  friend('Emma Wilson', '1994-07-29', '51 Heron Close, Saltbridge', 'VS2 8RD'),
  friend('David Brown', '1979-01-13', '3 Orchard Rise, Ashmere', 'VA1 6WN'),
]
