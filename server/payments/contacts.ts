import { fold } from '#contract/folding.ts'
import { avatarText } from '#contract/initials.ts'
import { Refusal } from '#contract/errors.ts'
import { type Contact as ListedContact, MAX_CONTACTS } from '#contract/payments.ts'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { openWriteBuffer, type WriteBuffer } from '#server/platform/write-buffer.ts'
import { readContact } from '#server/identity/customers/contact.ts'

/** The largest number of contacts that a screen offers. */
const LISTED = 20
/** The time after a recorded use in which another use of the contact is not recorded, in milliseconds of business time. */
const FRESH_MS = 60_000

type Key = { ownerId: string; address: string }
/** A customer's name for a contact, the time of the last use, and whether the customer ever paid the contact. */
export type KnownContact = { name: string; usedAt: Date; paid: boolean }

type ContactDeps = Pick<Deps, 'contacts'>

type UsedContact = Key & { displayAddress: string; name: string; usedAt: Date; paid: boolean }

/** Used contacts that wait until they are written together. */
export type ContactQueue = WriteBuffer<UsedContact>

export function openContactQueue(deps: Pick<Deps, 'pool' | 'log'>): ContactQueue {
  return openWriteBuffer({
    waitMs: 200,
    batch: 1_000,
    most: 50_000,
    write: (used) => saveContacts(deps, merged(used)),
    onError: (error) => deps.log.warn({ err: error }, 'a contact was not stored'),
  })
}

const keyText = ({ ownerId, address }: Key) => `${ownerId} ${address}`

/**
 * Merges the uses of each contact and sorts them, so that two servers that write the same contacts wait for each other without
 * a deadlock.
 */
function merged(used: UsedContact[]): UsedContact[] {
  const contacts = new Map<string, UsedContact>()
  for (const each of used) {
    const before = contacts.get(keyText(each))
    contacts.set(keyText(each), { ...each, paid: each.paid || before?.paid === true })
  }
  return [...contacts.values()].toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : 1))
}

/**
 * Records that a customer paid an address or split a bill with it. The record is written a little later together with others,
 * so that no payment waits for it. If the server crashes before the write, only a line of a convenience list is lost. A use
 * shortly after a recorded one is not written, except for the first payment to the contact.
 */
export function rememberContact({ contacts }: ContactDeps, used: UsedContact, contact: KnownContact | null): void {
  if (contact && (contact.paid || !used.paid) && used.usedAt.getTime() - contact.usedAt.getTime() < FRESH_MS) return
  contacts.add(used)
}

/**
 * Adds contacts or updates their last use. The name of an existing contact stays. A closed owner gets no contacts. The
 * statement waits for a concurrent closing of the owner. A closing that begins later waits for the statement and then deletes
 * the contacts.
 */
const CONTACTS_USED = `
  INSERT INTO bank.contact AS kept (owner_id, address, display_address, name, last_used_at, paid)
  SELECT used.* FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::boolean[])
           AS used (owner_id, address, display_address, name, used_at, paid)
   CROSS JOIN LATERAL (SELECT FROM bank.customer WHERE id = used.owner_id AND closed_at IS NULL LIMIT 1 FOR SHARE) open
  ON CONFLICT (owner_id, address) DO UPDATE
    SET display_address = excluded.display_address, last_used_at = excluded.last_used_at, paid = kept.paid OR excluded.paid
  WHERE kept.last_used_at <= excluded.last_used_at`

const valuesOf = (contacts: UsedContact[]) => [
  contacts.map((contact) => contact.ownerId),
  contacts.map((contact) => contact.address),
  contacts.map((contact) => contact.displayAddress),
  contacts.map((contact) => contact.name),
  contacts.map((contact) => contact.usedAt.toISOString()),
  contacts.map((contact) => contact.paid),
]

/**
 * Saves used contacts with plain SQL and array parameters, so that the text and its plan are the same for any number of
 * contacts.
 */
async function saveContacts(deps: Pick<Deps, 'pool'>, contacts: UsedContact[]): Promise<void> {
  await deps.pool.query(CONTACTS_USED, valuesOf(contacts))
}

/**
 * Adds people whom a customer paid to the contacts, under the customer's names for them. Addresses that are not an email or
 * phone are left out.
 */
export async function addContacts(
  db: Kysely<Database>,
  owner: { id: string; phone: string | null },
  people: { name: string; address: string; usedAt: Date }[],
): Promise<void> {
  const contacts = people.flatMap(({ name, address, usedAt }) => {
    const read = readContact(address, owner.phone)
    return read ? [{ ownerId: owner.id, address: read.value, displayAddress: address, name, usedAt, paid: true }] : []
  })
  if (contacts.length > 0) await runIn(db)(CONTACTS_USED, valuesOf(contacts))
}

type ContactRow = { name: string; display_address: string; favourite: boolean; paid: boolean }

const toListedContact = ({ name, display_address, favourite, paid }: ContactRow): ListedContact => ({
  name,
  email: display_address,
  initials: avatarText(name),
  favourite,
  paid,
})

/**
 * Selects a customer's contacts. Favorites come first; within favorites and within the other contacts, the last used come
 * first.
 */
function contactQuery({ db }: Pick<Deps, 'db'>, ownerId: string) {
  return db
    .selectFrom('bank.contact')
    .select(['name', 'display_address', 'favourite', 'paid'])
    .where('owner_id', '=', ownerId)
    .orderBy('favourite', 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('address')
}

/** Returns the contacts that a screen offers: favorites and the most recent ones. */
export async function recentContacts(deps: ContactDeps & Pick<Deps, 'db'>, ownerId: string): Promise<ListedContact[]> {
  await deps.contacts.flush()
  return (await contactQuery(deps, ownerId).limit(LISTED).execute()).map(toListedContact)
}

const foldedColumn = (column: 'name' | 'display_address') => sql<string>`ledger.folded(${sql.ref(column)})`

/** Returns up to MAX_CONTACTS contacts whose name or address contains `text`, and whether there are more. */
export async function searchContacts(
  deps: ContactDeps & Pick<Deps, 'db'>,
  ownerId: string,
  text: string,
): Promise<{ contacts: ListedContact[]; more: boolean }> {
  await deps.contacts.flush()
  const pattern = `%${fold(text).replace(/[\\%_]/g, String.raw`\$&`)}%`
  const rows = await contactQuery(deps, ownerId)
    .where(({ eb, or }) =>
      or([eb(foldedColumn('name'), 'like', pattern), eb(foldedColumn('display_address'), 'like', pattern)]),
    )
    .limit(MAX_CONTACTS + 1)
    .execute()
  return { contacts: rows.slice(0, MAX_CONTACTS).map(toListedContact), more: rows.length > MAX_CONTACTS }
}

/** Marks a contact as a favorite or removes the mark. Throws Refusal `not_found`. */
export async function markContact(
  deps: Pick<Deps, 'db'>,
  ownerId: string,
  { email, favourite }: { email: string; favourite: boolean },
): Promise<void> {
  const { numUpdatedRows: updatedRows } = await deps.db
    .updateTable('bank.contact')
    .set({ favourite })
    .where('owner_id', '=', ownerId)
    .where('display_address', '=', email)
    .executeTakeFirst()
  if (!updatedRows) throw new Refusal('not_found')
}

/** Removes a contact from a customer's list. Throws Refusal `not_found`. */
export async function removeContact(deps: Pick<Deps, 'db'>, ownerId: string, email: string): Promise<void> {
  const { numDeletedRows: deletedRows } = await deps.db
    .deleteFrom('bank.contact')
    .where('owner_id', '=', ownerId)
    .where('display_address', '=', email)
    .executeTakeFirst()
  if (!deletedRows) throw new Refusal('not_found')
}

/** Returns a customer's contact with an address; null if none exists. */
export async function findContact(
  deps: Pick<Deps, 'db'>,
  ownerId: string,
  address: string,
): Promise<KnownContact | null> {
  const row = await deps.db
    .selectFrom('bank.contact')
    .select(['name', 'last_used_at', 'paid'])
    .where('owner_id', '=', ownerId)
    .where('address', '=', address)
    .executeTakeFirst()
  return row ? { name: row.name, usedAt: row.last_used_at, paid: row.paid } : null
}

/** Returns a page of a customer's contacts, by address. `after` is the last address of the previous page. */
export async function contactsOf(
  deps: Pick<Deps, 'db'>,
  ownerId: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ name: string; address: string; favourite: boolean; lastUsedAt: string }[]> {
  const rows = await deps.db
    .selectFrom('bank.contact')
    .select(['name', 'address', 'favourite', 'last_used_at'])
    .where('owner_id', '=', ownerId)
    .where('address', '>', after ?? '')
    .orderBy('address')
    .limit(limit)
    .execute()
  return rows.map(({ last_used_at, ...contact }) => ({ ...contact, lastUsedAt: last_used_at.toISOString() }))
}

/** Deletes all contacts of a customer. */
export async function forgetContacts(trx: Transaction<Database>, ownerId: string): Promise<void> {
  await trx.deleteFrom('bank.contact').where('owner_id', '=', ownerId).execute()
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    contacts: ContactQueue
  }
}
