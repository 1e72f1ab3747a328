import { fold } from '#contract/folding.ts'
import { avatarText } from '#contract/initials.ts'
import { Refusal } from '#contract/errors.ts'
import { type Contact as ListedContact, CONTACTS_MOST } from '#contract/payments.ts'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Deps } from '#server/platform/deps.ts'
import { runIn } from '#server/platform/db/run.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { gather, type Gathered } from '#server/platform/gather.ts'
import { readContact } from '#server/identity/customers/contact.ts'

/** How many recent recipients a screen offers. */
const LISTED = 20
/** How long a use of a contact counts as the latest, in milliseconds of business time. */
const FRESH_MS = 60_000

type Key = { ownerId: string; address: string }
/** What a customer calls somebody, when they last had to do with them, and whether they ever sent them money. */
export type KnownContact = { name: string; usedAt: Date; paid: boolean }

type ContactDeps = Pick<Deps, 'contacts'>

type Used = Key & { displayAddress: string; name: string; usedAt: Date; paid: boolean }

/** Recipients that wait to be written together. */
export type ContactQueue = Gathered<Used>

export function openContactQueue(deps: Pick<Deps, 'pool' | 'log'>): ContactQueue {
  return gather({
    waitMs: 200,
    batch: 1_000,
    most: 50_000,
    write: (used) => saveContacts(deps, merged(used)),
    onError: (error) => deps.log.warn({ err: error }, 'a contact was not kept'),
  })
}

const keyText = ({ ownerId, address }: Key) => `${ownerId} ${address}`

/** Each contact once, in one order everywhere, so that two servers writing the same ones wait for each other and never cross. */
function merged(used: Used[]): Used[] {
  const contacts = new Map<string, Used>()
  for (const each of used) {
    const before = contacts.get(keyText(each))
    contacts.set(keyText(each), { ...each, paid: each.paid || before?.paid === true })
  }
  return [...contacts.values()].toSorted((a, b) => (keyText(a) < keyText(b) ? -1 : 1))
}

/**
 * Notes that a customer sent money to an address, or split a bill with whoever has it. Written a little later, together with what other sends leave, so
 * that no send waits for it; lost if the server dies in between, which costs one line of a convenience list. A contact
 * used a moment ago stands where it should already.
 */
export function rememberContact({ contacts }: ContactDeps, used: Used, known: KnownContact | null): void {
  if (known && (known.paid || !used.paid) && used.usedAt.getTime() - known.usedAt.getTime() < FRESH_MS) return
  contacts.add(used)
}

/**
 * Adds contacts, or notes that they were used again; a name once given stays. An owner who has closed gets none: one who
 * is just closing is waited for, and one who closes later waits for this, and has them deleted.
 */
const CONTACTS_USED = `
  INSERT INTO bank.contact AS kept (owner_id, address, display_address, name, last_used_at, paid)
  SELECT used.* FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::boolean[])
           AS used (owner_id, address, display_address, name, used_at, paid)
   CROSS JOIN LATERAL (SELECT FROM bank.customer WHERE id = used.owner_id AND closed_at IS NULL LIMIT 1 FOR SHARE) open
  ON CONFLICT (owner_id, address) DO UPDATE
    SET display_address = excluded.display_address, last_used_at = excluded.last_used_at, paid = kept.paid OR excluded.paid
  WHERE kept.last_used_at <= excluded.last_used_at`

const valuesOf = (contacts: Used[]) => [
  contacts.map((contact) => contact.ownerId),
  contacts.map((contact) => contact.address),
  contacts.map((contact) => contact.displayAddress),
  contacts.map((contact) => contact.name),
  contacts.map((contact) => contact.usedAt.toISOString()),
  contacts.map((contact) => contact.paid),
]

/** Plain SQL with arrays and a name: one statement to plan, however many were used. */
async function saveContacts(deps: Pick<Deps, 'pool'>, contacts: Used[]): Promise<void> {
  await deps.pool.query(CONTACTS_USED, valuesOf(contacts))
}

/** Puts people whom a customer paid into their contacts under names the customer knows them by. Addresses that are neither are left out. */
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

const listed = ({ name, display_address, favourite, paid }: ContactRow): ListedContact => ({
  name,
  email: display_address,
  initials: avatarText(name),
  favourite,
  paid,
})

/** Whom a customer sent money to: favourites first, and the latest first among each. */
function contactQuery({ db }: Pick<Deps, 'db'>, ownerId: string) {
  return db
    .selectFrom('bank.contact')
    .select(['name', 'display_address', 'favourite', 'paid'])
    .where('owner_id', '=', ownerId)
    .orderBy('favourite', 'desc')
    .orderBy('last_used_at', 'desc')
    .orderBy('address')
}

/** Those that a screen offers: favourites, and the most recent. */
export async function recentContacts(deps: ContactDeps & Pick<Deps, 'db'>, ownerId: string): Promise<ListedContact[]> {
  await deps.contacts.flush()
  return (await contactQuery(deps, ownerId).limit(LISTED).execute()).map(listed)
}

const folded = (column: 'name' | 'display_address') => sql<string>`ledger.folded(${sql.ref(column)})`

/** Those whose name or address has `text` in it, up to CONTACTS_MOST. */
export async function searchContacts(
  deps: ContactDeps & Pick<Deps, 'db'>,
  ownerId: string,
  text: string,
): Promise<{ contacts: ListedContact[]; more: boolean }> {
  await deps.contacts.flush()
  const pattern = `%${fold(text).replace(/[\\%_]/g, String.raw`\$&`)}%`
  const rows = await contactQuery(deps, ownerId)
    .where(({ eb, or }) => or([eb(folded('name'), 'like', pattern), eb(folded('display_address'), 'like', pattern)]))
    .limit(CONTACTS_MOST + 1)
    .execute()
  return { contacts: rows.slice(0, CONTACTS_MOST).map(listed), more: rows.length > CONTACTS_MOST }
}

/** Makes a contact a favourite, or no longer one. Throws Refusal `not_found`. */
export async function markContact(
  deps: Pick<Deps, 'db'>,
  ownerId: string,
  { email, favourite }: { email: string; favourite: boolean },
): Promise<void> {
  const { numUpdatedRows: found } = await deps.db
    .updateTable('bank.contact')
    .set({ favourite })
    .where('owner_id', '=', ownerId)
    .where('display_address', '=', email)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
}

/** Takes a contact off a customer's list. Throws Refusal `not_found`. */
export async function removeContact(deps: Pick<Deps, 'db'>, ownerId: string, email: string): Promise<void> {
  const { numDeletedRows: found } = await deps.db
    .deleteFrom('bank.contact')
    .where('owner_id', '=', ownerId)
    .where('display_address', '=', email)
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
}

/** What a customer calls whoever has an address; null where they have not sent money there. */
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

/** Everybody a customer sent money to, by address; `after` is the last one that was read. */
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

/** Forgets whom a customer sent money to. */
export async function forgetContacts(trx: Transaction<Database>, ownerId: string): Promise<void> {
  await trx.deleteFrom('bank.contact').where('owner_id', '=', ownerId).execute()
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    contacts: ContactQueue
  }
}
