import type { Transaction } from 'kysely'
import type { GroupBillRequest, GroupDetail } from '#contract/bills.ts'
import { Refusal } from '#contract/errors.ts'
import { balancesOf, settlementsOf } from '#server/bills/balances.ts'
import { divide } from '#contract/division.ts'
import { joinedMember, readGroup } from '#server/bills/groups.ts'
import { type MemberRow, notifyGroup } from '#server/bills/members.ts'
import { settlementPayments } from '#server/bills/settlement-payments.ts'
import { CUSTOMER_FIELDS, type Customer, customerOf } from '#server/identity/customers/customers.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { countRequest, limiterFor } from '#server/platform/http/rate-limit.ts'
import { runOnce } from '#server/platform/idempotency.ts'
import { createRequestsWithin } from '#server/requests/create-request.ts'
import { cancelRequestsWithin } from '#server/requests/end-request.ts'

type InGroup<More> = More & { groupId: string }

/**
 * The largest number of settle-ups for one customer in 24 hours of real time, over all groups. Each settle-up requests money
 * from other members in the creditors' names.
 */
const SETTLE_UPS = { name: 'group-settle-ups', points: 20, seconds: 24 * 60 * 60 }

/**
 * Records a bill that the customer paid for a group. No money moves until the group settles up: the bill only changes the
 * balances. Throws Refusal `not_found` if the customer or a named member is not in the group, `people_twice`,
 * `amount_too_large` if a share exceeds the largest single payment, and the refusals of `divide`.
 */
export async function addGroupBill(
  deps: Deps,
  customer: Customer,
  { groupId, bill }: InGroup<{ bill: GroupBillRequest }>,
  key: RequestKey,
): Promise<GroupDetail> {
  const { ownMinor, othersMinor } = divide(bill.totalMinor, bill)
  // A share is limited to the largest single payment, because the shares of many bills are added up to the members' balances.
  if (othersMinor.some((minor) => minor > deps.policy.limits.out.operationMinor))
    throw new Refusal('amount_too_large', 'totalMinor')
  await runOnce(deps, key, async (trx) => {
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
    await notifyGroup(deps, trx, members)
    return null
  })
  return readGroup(deps, customer, groupId)
}

/** Removes a bill that the customer added to a group. Throws Refusal `not_found`. */
export async function removeGroupBill(
  deps: Deps,
  customer: Customer,
  { groupId, billId }: InGroup<{ billId: string }>,
  key: RequestKey,
): Promise<GroupDetail> {
  await runOnce(deps, key, async (trx) => {
    const { members } = await joinedMember(trx, groupId, customer)
    const removedBill = await trx
      .updateTable('bank.bill')
      .set({ removed_at: deps.clock.businessNow() })
      .where('id', '=', billId)
      .where('group_id', '=', groupId)
      .where('owner_id', '=', customer.id)
      .where('removed_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!removedBill) throw new Refusal('not_found')
    await notifyGroup(deps, trx, members)
    return null
  })
  return readGroup(deps, customer, groupId)
}

/**
 * Settles a group with the fewest payments. Each debtor receives a request for money in the creditor's name. First, unpaid
 * requests from an earlier settle-up are canceled. Closed customers neither send nor receive requests. A request is never for
 * more than the largest single payment, even if the debt is. Throws Refusal `not_found`, `group_settled` if no debt is left
 * that can be paid, and `too_many_requests`.
 */
export async function settleGroup(
  deps: Deps,
  customer: Customer,
  groupId: string,
  key: RequestKey,
): Promise<GroupDetail> {
  await countRequest(limiterFor(deps, SETTLE_UPS), customer.id)
  await runOnce(deps, key, async (trx) => {
    const { members } = await joinedMember(trx, groupId, customer)
    // The lock order is customers first, then their requests.
    const people = await lockCustomersOf(trx, members)
    await cancelOpenSettlements(deps, trx, groupId)
    // The balances are read after the cancellation because a canceled request can no longer be paid.
    const balances = await balancesOf({ db: trx }, [groupId], await settlementsOf({ ...deps, db: trx }, [groupId]))
    const payments = settlementPayments(balances, members, (id) => people.has(id)).flatMap((payment) => {
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
      // The request names the customer instead of an address, because members may see only the address at which a person was
      // invited.
      const recipient = { recipient: debtor.fullName, customer: debtor, note: group.name }
      const requests = [{ ...recipient, amountMinor: Math.min(amountMinor, mostMinor) }]
      const [request_id] = await createRequestsWithin(deps, trx, creditor, requests, { counted: false })
      if (request_id === undefined) continue
      await trx
        .insertInto('bank.bill_settlement')
        .values({ request_id, group_id: groupId, from_id: fromId, to_id: toId })
        .execute()
    }
    await notifyGroup(deps, trx, members)
    return null
  })
  return readGroup(deps, customer, groupId)
}

/**
 * Returns the customers behind the members, by member id, without closed customers. The lock prevents a customer from closing
 * before the SQL transaction ends.
 */
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
  const customersById = new Map(rows.map((row) => [row.id, customerOf(row)]))
  return new Map(
    members.flatMap(({ id, customer_id }) => {
      const customer = customer_id === null ? undefined : customersById.get(customer_id)
      return customer ? [[id, customer] as const] : []
    }),
  )
}

async function cancelOpenSettlements(deps: Deps, trx: Transaction<Database>, groupId: string): Promise<void> {
  const openSettlements = (await settlementsOf({ ...deps, db: trx }, [groupId])).filter(
    ({ status }) => status === 'open',
  )
  if (openSettlements.length > 0)
    await cancelRequestsWithin(
      deps,
      trx,
      openSettlements.map(({ requestId }) => requestId),
    )
}
