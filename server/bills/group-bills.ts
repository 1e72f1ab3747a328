import type { Transaction } from 'kysely'
import type { GroupBillRequest, GroupDetail } from '#contract/bills.ts'
import { Refusal } from '#contract/errors.ts'
import { balancesOf, settlementsOf } from '#server/bills/balances.ts'
import { divide } from '#contract/division.ts'
import { joinedMember, readGroup } from '#server/bills/groups.ts'
import { type MemberRow, tellGroup } from '#server/bills/members.ts'
import { payable } from '#server/bills/payable.ts'
import { CUSTOMER_FIELDS, type Customer, customerOf } from '#server/identity/customers/customers.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { count, limiterFor } from '#server/platform/http/rate-limit.ts'
import { once } from '#server/platform/once.ts'
import { createRequestsWithin } from '#server/requests/ask.ts'
import { cancelRequestsWithin } from '#server/requests/end.ts'

type InGroup<More> = More & { groupId: string }

/** In 24 hours of real time, by one customer in all their groups: each asks others for money, in the names of others. */
const SETTLE_UPS = { name: 'group-settle-ups', points: 20, seconds: 24 * 60 * 60 }

/**
 * Writes down what the customer paid for a group. No money moves: it counts to the balances until the group settles up.
 * Throws Refusal `not_found` for a group or a member that is none of theirs, `people_twice`, `amount_too_large` for a
 * share that nobody could pay at once, and what `divide` does.
 */
export async function addGroupBill(
  deps: Deps,
  customer: Customer,
  { groupId, bill }: InGroup<{ bill: GroupBillRequest }>,
  key: RequestKey,
): Promise<GroupDetail> {
  const { ownMinor, othersMinor } = divide(bill.totalMinor, bill)
  // Balances are sums of these, and each member's list of groups has them.
  if (othersMinor.some((minor) => minor > deps.policy.limits.out.operationMinor))
    throw new Refusal('amount_too_large', 'totalMinor')
  await once(deps, key, async (trx) => {
    const { members, own } = await joinedMember(trx, groupId, customer)
    const shared = bill.people.map(({ memberId }) =>
      members.find(({ id, customer_id, left_at }) => id === memberId && customer_id !== null && left_at === null),
    )
    if (shared.some((member) => member === undefined || member.id === own.id)) throw new Refusal('not_found', 'people')
    if (new Set(shared).size < shared.length) throw new Refusal('people_twice', 'people')
    const { totalMinor: total_minor, asset, description = null } = bill
    const created_at = deps.clock.businessNow()
    const id = key.operationId
    await trx
      .insertInto('bank.bill')
      .values({
        id,
        owner_id: customer.id,
        group_id: groupId,
        total_minor,
        own_minor: ownMinor,
        asset,
        description,
        created_at,
      })
      .execute()
    await trx
      .insertInto('bank.bill_share')
      .values(
        shared.map((member, place) => ({
          bill_id: id,
          place,
          name: member?.name ?? '',
          amount_minor: othersMinor[place] ?? 0,
          member_id: member?.id ?? null,
        })),
      )
      .execute()
    await tellGroup(deps, trx, members)
    return null
  })
  return readGroup(deps, customer, groupId)
}

/** Takes a bill of the customer's own out of a group again. Throws Refusal `not_found`. */
export async function removeGroupBill(
  deps: Deps,
  customer: Customer,
  { groupId, billId }: InGroup<{ billId: string }>,
  key: RequestKey,
): Promise<GroupDetail> {
  await once(deps, key, async (trx) => {
    const { members } = await joinedMember(trx, groupId, customer)
    const removed = await trx
      .updateTable('bank.bill')
      .set({ removed_at: deps.clock.businessNow() })
      .where('id', '=', billId)
      .where('group_id', '=', groupId)
      .where('owner_id', '=', customer.id)
      .where('removed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!removed) throw new Refusal('not_found')
    await tellGroup(deps, trx, members)
    return null
  })
  return readGroup(deps, customer, groupId)
}

/**
 * Settles a group up by the fewest payments: whoever owes is asked for it, in the name of whom they owe. What the group
 * had asked for before and nobody has paid takes its leave. Who has closed asks for nothing and is asked for nothing, and
 * of a debt too large for one payment as much is asked for as fits. Throws Refusal `not_found`, `group_settled` where
 * nobody owes anything that can be paid, and `too_many_requests`.
 */
export async function settleGroup(
  deps: Deps,
  customer: Customer,
  groupId: string,
  key: RequestKey,
): Promise<GroupDetail> {
  await count(limiterFor(deps, SETTLE_UPS), customer.id)
  await once(deps, key, async (trx) => {
    const { members } = await joinedMember(trx, groupId, customer)
    // Before the requests, which are theirs.
    const people = await lockCustomersOf(trx, members)
    await takeBackAsked(deps, trx, groupId)
    // Read after that: nobody pays what has been taken back.
    const balances = await balancesOf({ db: trx }, [groupId], await settlementsOf({ ...deps, db: trx }, [groupId]))
    const payments = payable(balances, members, (id) => people.has(id)).flatMap((payment) => {
      const [debtor, creditor] = [people.get(payment.fromId), people.get(payment.toId)]
      return debtor && creditor ? [{ ...payment, debtor, creditor }] : []
    })
    if (payments.length === 0) throw new Refusal('group_settled')
    const group = await trx
      .selectFrom('bank.bill_group')
      .select('name')
      .where('id', '=', groupId)
      .executeTakeFirstOrThrow()
    const mostMinor = deps.policy.limits.out.operationMinor
    for (const { fromId, toId, amountMinor, debtor, creditor } of payments) {
      // By who they are: the group knows the address they were invited at, and nobody in it is shown another.
      const ask = { recipient: debtor.fullName, customer: debtor, note: group.name }
      const asks = [{ ...ask, amountMinor: Math.min(amountMinor, mostMinor) }]
      const [request_id] = await createRequestsWithin(deps, trx, creditor, asks, { counted: false })
      if (request_id === undefined) continue
      await trx
        .insertInto('bank.bill_settlement')
        .values({ request_id, group_id: groupId, from_id: fromId, to_id: toId })
        .execute()
    }
    await tellGroup(deps, trx, members)
    return null
  })
  return readGroup(deps, customer, groupId)
}

/** The customers behind members, by member, without those who have closed; nobody closes before the SQL transaction ends. */
async function lockCustomersOf(
  trx: Transaction<Database>,
  members: readonly MemberRow[],
): Promise<ReadonlyMap<string, Customer>> {
  const rows = await trx
    .selectFrom('bank.customer')
    .select(CUSTOMER_FIELDS)
    .where(
      'id',
      'in',
      members.flatMap(({ customer_id }) => customer_id ?? []),
    )
    .where('closed_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  const found = new Map(rows.map((row) => [row.id, customerOf(row)]))
  return new Map(
    members.flatMap(({ id, customer_id }) => {
      const customer = customer_id === null ? undefined : found.get(customer_id)
      return customer ? [[id, customer] as const] : []
    }),
  )
}

async function takeBackAsked(deps: Deps, trx: Transaction<Database>, groupId: string): Promise<void> {
  const open = (await settlementsOf({ ...deps, db: trx }, [groupId])).filter(({ status }) => status === 'open')
  if (open.length > 0)
    await cancelRequestsWithin(
      deps,
      trx,
      open.map(({ requestId }) => requestId),
    )
}
