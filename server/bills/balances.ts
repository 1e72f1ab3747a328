import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { requestsByIds } from '#server/requests/request.ts'

/** A request for money with which a member settles a part of the group's debts. */
export type GroupSettlement = {
  requestId: string
  fromId: string
  toId: string
  amountMinor: number
  paidMinor: number
  status: string
}

/** Reads all requests, open and ended, with which the members of each group settle their debts. */
export async function settlementsOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  groupIds: readonly string[],
): Promise<(GroupSettlement & { groupId: string })[]> {
  if (groupIds.length === 0) return []
  const rows = await deps.db.selectFrom('bank.bill_settlement').selectAll().where('group_id', 'in', groupIds).execute()
  const requests = await requestsByIds(
    deps,
    rows.map((row) => row.request_id),
  )
  return rows.flatMap((row) => {
    const request = requests.get(row.request_id)
    if (!request) return []
    const { amountMinor, paidMinor, status } = request
    return [
      {
        groupId: row.group_id,
        requestId: row.request_id,
        fromId: row.from_id,
        toId: row.to_id,
        amountMinor,
        paidMinor,
        status,
      },
    ]
  })
}

/**
 * Returns each member's balance from the bills of the groups: the sum that the member paid for others, minus the sum that
 * others paid for the member, in US cents.
 */
async function fromBills(db: Kysely<Database>, groupIds: readonly string[]) {
  const { rows } = await sql<{ member_id: string; minor: number }>`
    SELECT member_id, sum(minor)::bigint AS minor
      FROM (SELECT share.member_id, -share.amount_minor AS minor
              FROM bank.bill b JOIN bank.bill_share share ON share.bill_id = b.id
             WHERE b.group_id = ANY (${groupIds}::uuid[]) AND b.removed_at IS NULL
             UNION ALL
            SELECT payer.id, b.total_minor - b.own_minor
              FROM bank.bill b
              JOIN bank.bill_group_member payer ON payer.group_id = b.group_id AND payer.customer_id = b.owner_id
             WHERE b.group_id = ANY (${groupIds}::uuid[]) AND b.removed_at IS NULL) moved
     GROUP BY member_id`.execute(db)
  return new Map(rows.map(({ member_id, minor }) => [member_id, minor]))
}

/**
 * Returns each member's balance by member id: positive if the group owes the member, negative if the member owes the group. The
 * balances of one group add up to zero.
 */
export async function balancesOf(
  { db }: Pick<Deps, 'db'>,
  groupIds: readonly string[],
  settlements: readonly GroupSettlement[],
): Promise<ReadonlyMap<string, number>> {
  if (groupIds.length === 0) return new Map()
  const balances = await fromBills(db, groupIds)
  const add = (id: string, minor: number) => balances.set(id, (balances.get(id) ?? 0) + minor)
  for (const { fromId, toId, paidMinor } of settlements) {
    add(fromId, paidMinor)
    add(toId, -paidMinor)
  }
  return balances
}
