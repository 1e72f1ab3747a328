import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { requestsByIds } from '#server/requests/request.ts'

/** A request by which a group settles up, as it stands. */
export type Settlement = {
  requestId: string
  fromId: string
  toId: string
  amountMinor: number
  paidMinor: number
  status: string
}

/** The requests by which a group has settled up and settles up now. */
export async function settlementsOf(
  deps: Pick<Deps, 'db' | 'clock'>,
  groupIds: readonly string[],
): Promise<(Settlement & { groupId: string })[]> {
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

/** What each member has paid for others, less what others have paid for them, in the bills of their groups. */
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

/** What the others in their group owe each member, by member; below zero what they owe. Each group's add up to zero. */
export async function balancesOf(
  { db }: Pick<Deps, 'db'>,
  groupIds: readonly string[],
  settlements: readonly Settlement[],
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
