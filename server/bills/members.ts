import type { Kysely, Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

export type MemberRow = Selectable<Database['bank.bill_group_member']>

/**
 * Reads the members of groups in the order of their invitations. Members who have left are included, because they still appear
 * on their bills.
 */
export function membersOf(db: Kysely<Database>, groupIds: readonly string[]): Promise<MemberRow[]> {
  if (groupIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('bank.bill_group_member')
    .selectAll()
    .where('group_id', 'in', groupIds)
    .orderBy('place')
    .execute()
}

/** A customer who reads groups, with the addresses at which they may have been invited. */
export type Viewer = { customer: Customer; addresses: readonly string[] }

/**
 * Returns the customer's member in a group: the one that they joined as, or else an invited one at any of their addresses.
 * Returns undefined if the customer was never invited or has left.
 */
export function memberIn(members: readonly MemberRow[], { customer, addresses }: Viewer): MemberRow | undefined {
  const presentMembers = members.filter(({ left_at }) => left_at === null)
  return (
    presentMembers.find(({ customer_id }) => customer_id === customer.id) ??
    presentMembers.find(({ customer_id, address }) => customer_id === null && addresses.includes(address))
  )
}

/**
 * Locks a group until the SQL transaction ends and returns its members. Changes to one group run one after the other. Throws
 * Refusal `not_found`.
 */
export async function lockGroup(trx: Transaction<Database>, groupId: string): Promise<MemberRow[]> {
  const group = await trx
    .selectFrom('bank.bill_group')
    .select('id')
    .where('id', '=', groupId)
    .forUpdate()
    .executeTakeFirst()
  if (!group) throw new Refusal('not_found')
  return membersOf(trx, [groupId])
}

/** Notifies the open screens of a group's members after the SQL transaction commits. */
export async function notifyGroup(
  deps: Pick<Deps, 'events'>,
  trx: Transaction<Database>,
  members: readonly MemberRow[],
): Promise<void> {
  const joined = members.flatMap(({ customer_id }) => customer_id ?? [])
  if (joined.length > 0) await deps.events.notify(trx, joined, 'bill')
}
