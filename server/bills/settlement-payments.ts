import type { Kysely } from 'kysely'
import type { MemberRow } from '#server/bills/members.ts'
import { afterPayments, type SettlementPayment, settleAmong, type MemberBalance } from '#server/bills/settle-up.ts'
import type { Database } from '#server/platform/db/schema.ts'

type Balances = ReadonlyMap<string, number>

/**
 * Returns the members' balances in the order of the members. With a fixed order, the choice among equally good results is
 * always the same.
 */
const standingsOf = (balances: Balances, members: readonly MemberRow[]): MemberBalance[] =>
  members.map(({ id }) => ({ id, balanceMinor: balances.get(id) ?? 0 }))

const isHere = (members: readonly MemberRow[]) => (memberId: string) =>
  members.some(({ id, left_at }) => id === memberId && left_at === null)

/** Returns the payments that settle a group among its current members. */
export const paymentsAmongMembers = (balances: Balances, members: readonly MemberRow[]): SettlementPayment[] =>
  settleAmong(standingsOf(balances, members), isHere(members))

/**
 * Returns the payments that settle a group as far as possible: first among current members, then between a current member and
 * one who has left. Closed customers neither pay nor receive.
 */
export function settlementPayments(
  balances: Balances,
  members: readonly MemberRow[],
  isCustomer: (memberId: string) => boolean,
): SettlementPayment[] {
  const isPresent = isHere(members)
  const standings = standingsOf(balances, members)
  const paymentsAmongCustomers = settleAmong(standings, (id) => isPresent(id) && isCustomer(id))
  const remainingStandings = afterPayments(standings, paymentsAmongCustomers)
  const paymentsWithLeavers = settleAmong(remainingStandings, isCustomer).filter(
    ({ fromId, toId }) => isPresent(fromId) || isPresent(toId),
  )
  return [...paymentsAmongCustomers, ...paymentsWithLeavers]
}

/** Returns the ids of the members who have joined and whose customers have not closed. */
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
  const openCustomers = new Set(rows.map(({ id }) => id))
  return new Set(
    members.flatMap(({ id, customer_id }) => (customer_id !== null && openCustomers.has(customer_id) ? id : [])),
  )
}
