import type { Kysely } from 'kysely'
import type { MemberRow } from '#server/bills/members.ts'
import { afterPayments, type Payment, settleAmong, type Standing } from '#server/bills/settle-up.ts'
import type { Database } from '#server/platform/db/schema.ts'

type Balances = ReadonlyMap<string, number>

/** In the order of the members, so that of answers that are equally good it is the same one each time. */
const standingsOf = (balances: Balances, members: readonly MemberRow[]): Standing[] =>
  members.map(({ id }) => ({ id, balanceMinor: balances.get(id) ?? 0 }))

const isHere = (members: readonly MemberRow[]) => (memberId: string) =>
  members.some(({ id, left_at }) => id === memberId && left_at === null)

/** The payments that settle a group among those who have not left it. */
export const payableHere = (balances: Balances, members: readonly MemberRow[]): Payment[] =>
  settleAmong(standingsOf(balances, members), isHere(members))

/**
 * The payments that settle what can be settled of a group: first among those who have not left it, then what one of them
 * and somebody who left owe each other. Those who have closed pay nothing and are paid nothing.
 */
export function payable(
  balances: Balances,
  members: readonly MemberRow[],
  isCustomer: (memberId: string) => boolean,
): Payment[] {
  const here = isHere(members)
  const standings = standingsOf(balances, members)
  const among = settleAmong(standings, (id) => here(id) && isCustomer(id))
  const rest = afterPayments(standings, among)
  const withLeft = settleAmong(rest, isCustomer).filter(({ fromId, toId }) => here(fromId) || here(toId))
  return [...among, ...withLeft]
}

/** The members who have joined and have not closed since, by id. */
export async function customersAmong(
  db: Kysely<Database>,
  members: readonly MemberRow[],
): Promise<ReadonlySet<string>> {
  const ids = members.flatMap(({ customer_id }) => customer_id ?? [])
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('bank.customer')
    .select('id')
    .where('id', 'in', ids)
    .where('closed_at', 'is', null)
    .execute()
  const open = new Set(rows.map(({ id }) => id))
  return new Set(members.flatMap(({ id, customer_id }) => (customer_id !== null && open.has(customer_id) ? id : [])))
}
