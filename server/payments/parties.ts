import type DataLoader from 'dataloader'
import { type Contact, meansTheSameToAll, readContact } from '#server/identity/customers/contact.ts'
import {
  type Customer,
  customerColumns,
  customerOf,
  type CustomerRow,
  findCustomerByContact,
  findCustomers,
} from '#server/identity/customers/customers.ts'
import { findSession, liveSession, noteHolder, noteSessionUse, usedSince } from '#server/identity/sessions/sessions.ts'
import { findContact, type KnownContact } from '#server/payments/contacts.ts'
import { batchLoader } from '#server/platform/db/batch-loader.ts'
import type { Deps } from '#server/platform/deps.ts'

/** Who takes part in a payment, as of now. */
export type Parties = {
  sender: Customer
  senderHasTwoFactor: boolean
  /** What the sender typed, read; null where it is no contact. */
  address: Contact | null
  /** The customer with that confirmed address, if any. */
  recipient: Customer | null
  /** What the sender calls that address, if they have sent there before. */
  known: KnownContact | null
}

/** Those of a payment that needs no proof any more. */
export type PaymentParties = Omit<Parties, 'senderHasTwoFactor'>

type Question = { session: string; address: Contact | null }
type Found = Omit<Parties, 'address'>

/** Questions of one server that share a query. */
export type PartyQueue = DataLoader<Question, Found | null>

type PartyDeps = Pick<Deps, 'pool' | 'clock' | 'policy' | 'sessions'>

export function openPartyQueue(deps: PartyDeps): PartyQueue {
  return batchLoader((questions) => loadParties(deps, questions))
}

/**
 * Who a session's customer is, and whom `text` names to them by email or phone; null where the session has ended or
 * never was. Concurrent calls share one query for all of it, which is made for each anew: a session that has ended
 * sends nothing, on whichever server it ended.
 */
export async function findParties(
  deps: Pick<Deps, 'sessions' | 'parties'>,
  session: string,
  text: string,
): Promise<Parties | null> {
  // Of a number without its country the sender's own number tells which it is.
  const sender = meansTheSameToAll(text) ? null : await findSession(deps, session)
  const address = readContact(text, sender?.phone)
  const found = await deps.parties.load({ session, address })
  return found && { ...found, address }
}

/** The same for what a customer has arranged before: nobody is signed in as it is done. Null where they have closed. */
export async function findPartiesOf(
  deps: Pick<Deps, 'db' | 'pool'>,
  senderId: string,
  text: string,
): Promise<PaymentParties | null> {
  const sender = (await findCustomers(deps, [senderId])).get(senderId)
  if (!sender) return null
  const address = readContact(text, sender.phone)
  const recipient = address && (await findCustomerByContact(deps, address))
  const known = address && (await findContact(deps, senderId, address.value))
  return { sender, address, recipient, known }
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

/** Each part of it through its index, one by one, which the LIMITs see to, however small PostgreSQL thinks a table. */
const PARTIES = `
  SELECT asked.place, s.last_used_at AS session_used_at, ${customerColumns('c')}, f.two_factor,
         ${RECIPIENT}, k.name AS known_name, k.last_used_at AS known_used_at, k.paid AS known_paid
    FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS asked (token_hash, email, phone, place)
   CROSS JOIN LATERAL (${liveSession('asked.token_hash', { now: '$4', used: '$5' })}) s
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

async function loadParties(deps: PartyDeps, questions: readonly Question[]): Promise<(Found | null)[]> {
  const valuesOf = (kind: Contact['kind']) =>
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
  // What is found belongs to the question at that place and to no other: a customer may well have an unconfirmed
  // address, which names somebody else, beside one that names them.
  const found: (Found | null)[] = questions.map(() => null)
  for (const row of rows) {
    const question = questions[row.place - 1]
    if (!question) continue
    noteSessionUse(deps, { session: question.session, lastUsedAt: row.session_used_at })
    const parties = foundIn(row)
    noteHolder(deps, question.session, parties.sender.id)
    found[row.place - 1] = parties
  }
  return found
}

function foundIn(row: PartyRow): Found {
  const { known_name: name, known_used_at: usedAt, known_paid: paid } = row
  return {
    sender: customerOf(row),
    senderHasTwoFactor: row.two_factor ?? false,
    recipient: row.recipient_id === null ? null : customerOf(row, 'recipient_'),
    known: name === null || usedAt === null ? null : { name, usedAt, paid: paid === true },
  }
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    parties: PartyQueue
  }
}
