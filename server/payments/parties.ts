import type DataLoader from 'dataloader'
import { type ContactAddress, isUnambiguousContact, readContact } from '#server/identity/customers/contact.ts'
import {
  type Customer,
  customerColumns,
  customerOf,
  type CustomerRow,
  findCustomerByContact,
  findCustomers,
} from '#server/identity/customers/customers.ts'
import {
  findSession,
  activeSession,
  recordHolder,
  recordSessionUse,
  usedSince,
} from '#server/identity/sessions/sessions.ts'
import { findContact, type KnownContact } from '#server/payments/contacts.ts'
import { batchLoader } from '#server/platform/db/batch-loader.ts'
import type { Deps } from '#server/platform/deps.ts'

/** The participants of a payment, as stored at the moment of the look-up. */
export type Parties = {
  sender: Customer
  senderHasTwoFactor: boolean
  /** The sender's input as an email or phone; null if it is neither. */
  address: ContactAddress | null
  /** The customer with that confirmed address; null if no customer has it. */
  recipient: Customer | null
  /** The sender's contact with that address; null if no contact has it. */
  contact: KnownContact | null
}

/** The participants of a payment for which the sender needs no further proof. */
export type PaymentParties = Omit<Parties, 'senderHasTwoFactor'>

type Question = { session: string; address: ContactAddress | null }
type FoundParties = Omit<Parties, 'address'>

/** The queue of one server's look-ups that share a query. */
export type PartyQueue = DataLoader<Question, FoundParties | null>

type PartyDeps = Pick<Deps, 'pool' | 'clock' | 'policy' | 'sessions'>

export function openPartyQueue(deps: PartyDeps): PartyQueue {
  return batchLoader((questions) => loadParties(deps, questions))
}

/**
 * Returns a session's customer and the recipient whom `text` identifies by email or phone. Returns null if the session has
 * ended or never existed. Concurrent calls share one query. Its result is never cached, so a session that ended on any server
 * can no longer send money.
 */
export async function findParties(
  deps: Pick<Deps, 'sessions' | 'parties'>,
  session: string,
  text: string,
): Promise<Parties | null> {
  // A phone number without a country gets the country of the sender's own number.
  const sender = isUnambiguousContact(text) ? null : await findSession(deps, session)
  const address = readContact(text, sender?.phone)
  const parties = await deps.parties.load({ session, address })
  return parties && { ...parties, address }
}

/**
 * Returns the participants of a payment that a customer arranged earlier, which needs no session. Returns null if the customer
 * has closed the account.
 */
export async function findPartiesOf(
  deps: Pick<Deps, 'db' | 'pool'>,
  senderId: string,
  text: string,
): Promise<PaymentParties | null> {
  const sender = (await findCustomers(deps, [senderId])).get(senderId)
  if (!sender) return null
  const address = readContact(text, sender.phone)
  const recipient = address && (await findCustomerByContact(deps, address))
  const contact = address && (await findContact(deps, senderId, address.value))
  return { sender, address, recipient, contact }
}

type PartyRow = CustomerRow & {
  place: number
  session_used_at: Date
  two_factor: boolean | null
  known_name: string | null
  known_used_at: Date | null
  known_paid: boolean | null
  recipient_id: string | null
}

const RECIPIENT = customerColumns('r', 'recipient_')

/** The LIMITs make PostgreSQL look up each part through its index, however small its statistics say a table is. */
const PARTIES = `
  SELECT asked.place, s.last_used_at AS session_used_at, ${customerColumns('c')}, f.two_factor,
         ${RECIPIENT}, k.name AS known_name, k.last_used_at AS known_used_at, k.paid AS known_paid
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (token_hash, email, phone, place)
   CROSS JOIN LATERAL (${activeSession('asked.token_hash', { now: '$4', used: '$5' })}) s
   CROSS JOIN LATERAL (SELECT * FROM bank.customer WHERE id = s.customer_id AND closed_at IS NULL LIMIT 1) c
    LEFT JOIN LATERAL (SELECT true AS two_factor FROM bank.two_factor WHERE customer_id = c.id LIMIT 1) f ON true
    LEFT JOIN LATERAL (
           (SELECT * FROM bank.customer WHERE email = asked.email AND email_confirmed_at IS NOT NULL LIMIT 1)
            UNION ALL
           (SELECT * FROM bank.customer WHERE phone = asked.phone AND phone_confirmed_at IS NOT NULL LIMIT 1)
         ) r ON true
    LEFT JOIN LATERAL (
           SELECT name, last_used_at, paid FROM bank.contact
            WHERE owner_id = c.id AND address = coalesce(asked.email, asked.phone) LIMIT 1) k ON true`

async function loadParties(deps: PartyDeps, questions: readonly Question[]): Promise<(FoundParties | null)[]> {
  const valuesOf = (kind: ContactAddress['kind']) =>
    questions.map(({ address }) => (address?.kind === kind ? address.value : null))
  const { rows } = await deps.pool.query<PartyRow>({
    text: PARTIES,
    values: [
      questions.map(({ session }) => session),
      valuesOf('email'),
      valuesOf('phone'),
      deps.clock.realNow(),
      usedSince(deps),
    ],
  })
  // The place connects each row with its look-up. The recipient's addresses cannot do that: besides a confirmed address, a
  // recipient may have an unconfirmed one that belongs to another person.
  const results: (FoundParties | null)[] = questions.map(() => null)
  for (const row of rows) {
    const question = questions[row.place - 1]
    if (!question) continue
    recordSessionUse(deps, { session: question.session, lastUsedAt: row.session_used_at })
    const parties = foundIn(row)
    recordHolder(deps, question.session, parties.sender.id)
    results[row.place - 1] = parties
  }
  return results
}

function foundIn(row: PartyRow): FoundParties {
  const { known_name: name, known_used_at: usedAt, known_paid: paid } = row
  return {
    sender: customerOf(row),
    senderHasTwoFactor: row.two_factor ?? false,
    recipient: row.recipient_id === null ? null : customerOf(row, 'recipient_'),
    contact: name === null || usedAt === null ? null : { name, usedAt, paid: paid === true },
  }
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    parties: PartyQueue
  }
}
