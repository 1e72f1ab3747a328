import { avatarText } from '#contract/initials.ts'
import type { Contact as ListedContact } from '#contract/payments.ts'
import type { Kysely, Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { readContact } from '#server/identity/customers/contact.ts'

/** How many recent recipients a screen offers. */
const LISTED = 20
/** How long a recipient waits to be written with those of the next sends, in milliseconds. */
const GATHER_MS = 200
/** How long a use of a contact counts as the latest, in milliseconds of business time. */
const FRESH_MS = 60_000

type Key = { ownerId: string; address: string }
/** What a customer calls somebody, and when they last sent them money. */
export type KnownContact = { name: string; usedAt: Date }

type ContactDeps = Pick<Deps, 'contacts' | 'pool' | 'log'>

type Used = Key & { displayAddress: string; name: string; usedAt: Date }

/** Recipients that wait to be written together. */
export type ContactQueue = { waiting: Map<string, Used>; timer: NodeJS.Timeout | null; writing: Promise<void> }

export function openContactQueue(): ContactQueue {
  return { waiting: new Map(), timer: null, writing: Promise.resolve() }
}

const keyText = ({ ownerId, address }: Key) => `${ownerId} ${address}`

/**
 * Notes that a customer sent money to an address. Written a little later, together with what other sends leave, so
 * that no send waits for it; lost if the server dies in between, which costs one line of a convenience list. A contact
 * used a moment ago stands where it should already.
 */
export function rememberContact(deps: ContactDeps, used: Used, known: KnownContact | null): void {
  if (known && used.usedAt.getTime() - known.usedAt.getTime() < FRESH_MS) return
  const { contacts: queue } = deps
  queue.waiting.set(keyText(used), used)
  queue.timer ??= setTimeout(() => void flushContacts(deps), GATHER_MS).unref()
}

/** Writes the recipients that wait, after those being written. */
export function flushContacts(deps: ContactDeps): Promise<void> {
  const { contacts: queue } = deps
  if (queue.timer) clearTimeout(queue.timer)
  queue.timer = null
  queue.writing = queue.writing.then(async () => {
    if (queue.waiting.size === 0) return
    // In one order everywhere, so that two servers writing the same contacts wait for each other and never cross.
    const used = [...queue.waiting.values()].toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : 1))
    queue.waiting = new Map()
    await saveContacts(deps, used).catch((error: unknown) => deps.log.warn({ err: error }, 'contacts not kept'))
  })
  return queue.writing
}

/** Adds contacts, or notes that they were used again; a name once given stays. */
const CONTACTS_USED = `
  INSERT INTO bank.contact AS kept (owner_id, address, display_address, name, last_used_at)
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
  ON CONFLICT (owner_id, address) DO UPDATE
    SET display_address = excluded.display_address, last_used_at = excluded.last_used_at
  WHERE kept.last_used_at <= excluded.last_used_at`

const valuesOf = (contacts: Used[]) => [
  contacts.map((contact) => contact.ownerId),
  contacts.map((contact) => contact.address),
  contacts.map((contact) => contact.displayAddress),
  contacts.map((contact) => contact.name),
  contacts.map((contact) => contact.usedAt.toISOString()),
]

/** Plain SQL with arrays and a name: one statement to plan, however many were used. */
async function saveContacts(deps: Pick<Deps, 'pool'>, contacts: Used[]): Promise<void> {
  await deps.pool.query({ name: 'contacts-used', text: CONTACTS_USED, values: valuesOf(contacts) })
}

/** Puts people into a customer's contacts under names the customer knows them by. Addresses that are neither are left out. */
export async function addContacts(
  db: Kysely<Database>,
  owner: { id: string; phone: string | null },
  people: { name: string; address: string; usedAt: Date }[],
): Promise<void> {
  const contacts = people.flatMap(({ name, address, usedAt }) => {
    const read = readContact(address, owner.phone)
    return read ? [{ ownerId: owner.id, address: read.value, displayAddress: address, name, usedAt }] : []
  })
  if (contacts.length > 0) await runIn(db)(CONTACTS_USED, valuesOf(contacts))
}

/** Whom a customer sent money to, latest first. */
export async function recentContacts(deps: ContactDeps & Pick<Deps, 'db'>, ownerId: string): Promise<ListedContact[]> {
  await flushContacts(deps)
  const rows = await deps.db
    .selectFrom('bank.contact')
    .select(['name', 'display_address'])
    .where('owner_id', '=', ownerId)
    .orderBy('last_used_at', 'desc')
    .orderBy('address')
    .limit(LISTED)
    .execute()
  return rows.map(({ name, display_address }) => ({ name, email: display_address, initials: avatarText(name) }))
}

/** Everybody a customer sent money to, by address; `after` is the last one that was read. */
export async function contactsOf(
  deps: Pick<Deps, 'db'>,
  ownerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ name: string; address: string; lastUsedAt: string }[]> {
  const rows = await deps.db
    .selectFrom('bank.contact')
    .select(['name', 'address', 'last_used_at'])
    .where('owner_id', '=', ownerId)
    .where('address', '>', after ?? '')
    .orderBy('address')
    .limit(limit)
    .execute()
  return rows.map(({ name, address, last_used_at }) => ({ name, address, lastUsedAt: last_used_at.toISOString() }))
}

/** Forgets whom a customer sent money to. */
export async function forgetContacts(trx: Transaction<Database>, ownerId: string): Promise<void> {
  await trx.deleteFrom('bank.contact').where('owner_id', '=', ownerId).execute()
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    contacts: ContactQueue
  }
}
