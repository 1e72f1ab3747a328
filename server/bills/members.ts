import type { Kysely, Selectable, Transaction } from 'kysely'
import { Refusal } from '#contract/errors.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { Database } from '#server/platform/db/schema.ts'

export type MemberRow = Selectable<Database['bank.bill_group_member']>

/** The members of groups, in the order they were invited in; those who have left stay for the bills they were part of. */
export function membersOf(db: Kysely<Database>, groupIds: readonly string[]): Promise<MemberRow[]> {
  if (groupIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('bank.bill_group_member')
    .selectAll()
    .where('group_id', 'in', groupIds)
    .orderBy('place')
    .execute()
}

/** Somebody who looks at groups: who they are, and where they may have been invited. */
export type Viewer = { customer: Customer; addresses: readonly string[] }

/**
 * The member that a customer is in a group, joined or else invited, maybe at another address of theirs; undefined where
 * they are neither, or have left.
 */
export function memberIn(members: readonly MemberRow[], { customer, addresses }: Viewer): MemberRow | undefined {
  const here = members.filter(({ left_at }) => left_at === null)
  return (
    here.find(({ customer_id }) => customer_id === customer.id) ??
    here.find(({ customer_id, address }) => customer_id === null && addresses.includes(address))
  )
}

/** Locks a group until the SQL transaction ends: what is decided about it is decided by one at a time. */
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

/** Tells a group's open screens, once the SQL transaction commits. */
export async function tellGroup(
  deps: Pick<Deps, 'events'>,
  trx: Transaction<Database>,
  members: readonly MemberRow[],
): Promise<void> {
  const joined = members.flatMap(({ customer_id }) => customer_id ?? [])
  if (joined.length > 0) await deps.events.notify(trx, joined, 'bill')
}
