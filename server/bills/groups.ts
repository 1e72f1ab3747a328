import { confirmedAddresses } from '#server/requests/payers.ts'
import { lockCustomer } from '#server/identity/customers/lock.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { z } from 'zod'
import { type Group, type GroupDetail, MAX_MEMBERS, type newGroup, type newMembers } from '#contract/bills.ts'
import { Refusal } from '#contract/errors.ts'
import { avatarText } from '#contract/initials.ts'
import { balancesOf, type GroupSettlement, settlementsOf } from '#server/bills/balances.ts'
import { lockGroup, memberIn, type MemberRow, membersOf, notifyGroup, type Viewer } from '#server/bills/members.ts'
import { notifyInvitedJob } from '#server/bills/notify-invited.ts'
import { customersAmong, settlementPayments, paymentsAmongMembers } from '#server/bills/settlement-payments.ts'
import { readContact } from '#server/identity/customers/contact.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import type { Database } from '#server/platform/db/schema.ts'
import type { Deps } from '#server/platform/deps.ts'
import { countRequest, counterKey, limiterFor } from '#server/platform/http/rate-limit.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
import { runOnce } from '#server/platform/idempotency.ts'

const DAY_SECONDS = 24 * 60 * 60
/** The largest number of invitations by one customer in 24 hours of real time: to one address, and in total. */
const TO_ONE = { name: 'group-invitations-to-one', points: 10, seconds: DAY_SECONDS }
const IN_ALL = { name: 'group-invitations', points: 200, seconds: DAY_SECONDS }

/** The largest number of groups a customer may have joined. Invitations do not count. */
const MAX_GROUPS = 20
/** The largest number of groups and invitations in a list. The earliest ones are left out. */
const MAX_LISTED = 100
/** The largest number of a group's bills that are shown, latest first. */
const MAX_SHOWN = 50

type People = z.infer<typeof newMembers>['people']

const viewerOf = async (deps: Pick<Deps, 'db'>, customer: Customer): Promise<Viewer> => ({
  customer,
  addresses: await confirmedAddresses(deps, customer.id),
})

/**
 * Creates a group with the customer and the people they invite. Throws Refusal `people_missing`, `recipient_invalid`,
 * `people_twice`, `recipient_is_self`, `people_too_many`, `too_many_requests` and `groups_full`.
 */
export async function createGroup(
  deps: Deps,
  customer: Customer,
  { name, people }: z.infer<typeof newGroup>,
  key: RequestKey,
): Promise<GroupDetail> {
  if (people.length === 0) throw new Refusal('people_missing', 'people')
  await countInvitations(deps, customer, people)
  const { result: id } = await runOnce(deps, key, async (trx) => {
    await refuseTooManyGroups(trx, customer)
    const groupId = key.operationId
    await trx
      .insertInto('bank.bill_group')
      .values({ id: groupId, name, created_at: deps.clock.businessNow() })
      .execute()
    await trx
      .insertInto('bank.bill_group_member')
      .values({
        id: randomUUIDv7(),
        group_id: groupId,
        address: customer.email,
        name: customer.fullName,
        invited_by: customer.id,
        customer_id: customer.id,
      })
      .execute()
    await invite(trx, customer, { groupId, people })
    return groupId
  })
  return readGroup(deps, customer, id)
}

/** Throws Refusal `groups_full` at the limit. The lock makes simultaneous creations and joins run one after the other. */
async function refuseTooManyGroups(trx: Transaction<Database>, { id }: Customer): Promise<void> {
  await lockCustomer(trx, id)
  const { groups } = await trx
    .selectFrom('bank.bill_group_member')
    .select(({ fn }) => fn.countAll<number>().as('groups'))
    .where('customer_id', '=', id)
    .where('left_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (groups >= MAX_GROUPS) throw new Refusal('groups_full')
}

/**
 * Throws Refusal `too_many_requests` if a customer invites too often. The count happens before any lock is taken, so that no
 * other request waits for it. An invitation that is refused later for another reason still counts.
 */
async function countInvitations(deps: Pick<Deps, 'limiters' | 'config'>, customer: Customer, people: People) {
  for (const { address } of people.slice(0, MAX_MEMBERS)) {
    const value = readContact(address, customer.phone)?.value
    if (value === undefined) continue
    await countRequest(limiterFor(deps, IN_ALL), customer.id)
    await countRequest(limiterFor(deps, TO_ONE), `${customer.id} ${counterKey(deps, value)}`)
  }
}

export const INVITING_REFUSALS = [
  'people_missing',
  'people_twice',
  'people_too_many',
  'recipient_is_self',
  'recipient_invalid',
] as const

type Invitation = { groupId: string; people: People }

/**
 * Invites people to a group that the caller has locked or just created. An invited person takes part only after accepting the
 * invitation.
 */
async function invite(trx: Transaction<Database>, customer: Customer, { groupId, people }: Invitation): Promise<void> {
  const members = (await membersOf(trx, [groupId])).filter(({ left_at }) => left_at === null)
  if (members.length + people.length > MAX_MEMBERS) {
    throw new Refusal('people_too_many', 'people')
  }
  const contacts = people.map(({ address }) => readContact(address, customer.phone))
  const addresses = contacts.map((contact) => contact?.value)
  if (addresses.includes(undefined)) throw new Refusal('recipient_invalid', 'people')
  if (addresses.some((address) => address === customer.email || address === customer.phone)) {
    throw new Refusal('recipient_is_self', 'people')
  }
  const invited = new Set(members.map(({ address }) => address))
  if (new Set(addresses).size < addresses.length || addresses.some((address) => invited.has(address ?? ''))) {
    throw new Refusal('people_twice', 'people')
  }
  const invitations = people.map(({ name }, index) => ({
    id: randomUUIDv7(),
    group_id: groupId,
    address: addresses[index] ?? '',
    name,
    invited_by: customer.id,
  }))
  await trx.insertInto('bank.bill_group_member').values(invitations).execute()
  await enqueue(trx, notifyInvitedJob, { memberIds: invitations.map(({ id }) => id) })
}

/**
 * Invites more people to a group. Throws the refusals of `createGroup` except `groups_full`, and `not_found` if the customer
 * has not joined the group.
 */
export async function addMembers(
  deps: Deps,
  customer: Customer,
  { groupId, people }: { groupId: string; people: People },
  key: RequestKey,
): Promise<GroupDetail> {
  if (people.length === 0) throw new Refusal('people_missing', 'people')
  await countInvitations(deps, customer, people)
  await runOnce(deps, key, async (trx) => {
    await joinedMember(trx, groupId, customer)
    await invite(trx, customer, { groupId, people })
    return null
  })
  return readGroup(deps, customer, groupId)
}

/** Locks a group and returns its members and the customer's own member. Throws Refusal `not_found`. */
export async function joinedMember(
  trx: Transaction<Database>,
  groupId: string,
  customer: Customer,
): Promise<{ members: MemberRow[]; own: MemberRow }> {
  const members = await lockGroup(trx, groupId)
  const member = memberIn(members, { customer, addresses: [] })
  if (!member) throw new Refusal('not_found')
  return { members, own: member }
}

/** Accepts an invitation. Throws Refusal `not_found` without an invitation, and `groups_full`. */
export async function joinGroup(
  deps: Deps,
  customer: Customer,
  groupId: string,
  key: RequestKey,
): Promise<GroupDetail> {
  const viewer = await viewerOf(deps, customer)
  await runOnce(deps, key, async (trx) => {
    const members = await lockGroup(trx, groupId)
    const member = memberIn(members, viewer)
    if (!member) throw new Refusal('not_found')
    if (member.customer_id !== null) return null
    await refuseTooManyGroups(trx, customer)
    // A customer who joins again becomes their earlier member again, with that member's bills.
    const before = members.find(({ customer_id }) => customer_id === customer.id)
    const { id } = before ?? member
    await dropInvitations(trx, members, viewer, id)
    await trx
      .updateTable('bank.bill_group_member')
      // The member takes the address of the new invitation: another person may have been invited at the earlier address.
      .set({ customer_id: customer.id, name: customer.fullName, address: member.address, left_at: null })
      .where('id', '=', id)
      .execute()
    await notifyGroup(deps, trx, members)
    return null
  })
  return readGroup(deps, customer, groupId)
}

/** Deletes a customer's invitations to a group at all their addresses. The accepted invitation is kept as their member. */
async function dropInvitations(
  trx: Transaction<Database>,
  members: readonly MemberRow[],
  { addresses }: Viewer,
  becameId: string | null,
): Promise<void> {
  const ids = members
    .filter(({ customer_id, address }) => customer_id === null && addresses.includes(address))
    .map(({ id }) => id)
    .filter((id) => id !== becameId)
  if (ids.length > 0) await trx.deleteFrom('bank.bill_group_member').where('id', 'in', ids).execute()
}

/**
 * Leaves a group, or declines an invitation. Throws Refusal `not_found`, and `group_unsettled` if the customer owes money to a
 * current member or is owed money by one. Debts with members who have left do not matter.
 */
export async function leaveGroup(deps: Deps, customer: Customer, groupId: string, key: RequestKey): Promise<void> {
  const viewer = await viewerOf(deps, customer)
  await runOnce(deps, key, async (trx) => {
    const members = await lockGroup(trx, groupId)
    const member = memberIn(members, viewer)
    if (!member) throw new Refusal('not_found')
    if (member.customer_id === null) {
      await dropInvitations(trx, members, viewer, null)
      return null
    }
    const balances = await balancesOf({ db: trx }, [groupId], await settlementsOf({ ...deps, db: trx }, [groupId]))
    const openPayments = paymentsAmongMembers(balances, members)
    if (openPayments.some(({ fromId, toId }) => fromId === member.id || toId === member.id))
      throw new Refusal('group_unsettled')
    await trx
      .updateTable('bank.bill_group_member')
      .set({ left_at: deps.clock.businessNow() })
      .where('id', '=', member.id)
      .execute()
    await notifyGroup(deps, trx, members)
    return null
  })
}

type GroupRow = { id: string; name: string }

function summaryOf(
  group: GroupRow,
  members: readonly MemberRow[],
  balances: ReadonlyMap<string, number>,
  viewer: Viewer,
): Group {
  const ownMember = memberIn(members, viewer)
  return {
    id: group.id,
    name: group.name,
    asset: 'USD',
    joined: ownMember?.customer_id !== null,
    balanceMinor: (ownMember && balances.get(ownMember.id)) ?? 0,
    members: members
      .filter(({ left_at }) => left_at === null)
      .map((member) => ({
        id: member.id,
        name: member.name,
        initials: avatarText(member.name),
        own: member.id === ownMember?.id,
        joined: member.customer_id !== null,
        balanceMinor: balances.get(member.id) ?? 0,
      })),
  }
}

/** Reads the groups that a customer has joined or is invited to, ordered by name. */
export async function groupsOf(deps: Pick<Deps, 'db' | 'clock'>, customer: Customer): Promise<Group[]> {
  const viewer = await viewerOf(deps, customer)
  const memberRow = await deps.db
    .selectFrom('bank.bill_group_member')
    .select('group_id')
    .where('left_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('customer_id', '=', customer.id),
        ...(viewer.addresses.length > 0
          ? [eb.and([eb('customer_id', 'is', null), eb('address', 'in', viewer.addresses)])]
          : []),
      ]),
    )
    // Invitations from a customer whom the reader has blocked are hidden. The inviter is not notified.
    .where(({ eb, or, not, exists, selectFrom }) =>
      or([
        eb('customer_id', 'is not', null),
        not(
          exists(
            selectFrom('bank.request_block as b')
              .select('b.id')
              .where('b.blocker_id', '=', customer.id)
              .whereRef('b.blocked_id', '=', 'bank.bill_group_member.invited_by'),
          ),
        ),
      ]),
    )
    .orderBy('place', 'desc')
    .limit(MAX_LISTED)
    .execute()
  const ids = memberRow.map(({ group_id }) => group_id)
  if (ids.length === 0) return []
  const [groups, members, settlements] = await Promise.all([
    deps.db
      .selectFrom('bank.bill_group')
      .select(['id', 'name'])
      .where('id', 'in', ids)
      .orderBy('name')
      .orderBy('id')
      .execute(),
    membersOf(deps.db, ids),
    settlementsOf(deps, ids),
  ])
  const balances = await balancesOf(deps, ids, settlements)
  return groups.map((group) =>
    summaryOf(
      group,
      members.filter(({ group_id }) => group_id === group.id),
      balances,
      viewer,
    ),
  )
}

/**
 * Reads a group with its latest bills and the payments that would settle it. Throws Refusal `not_found` if the customer is
 * neither a member nor invited.
 */
export async function readGroup(
  deps: Pick<Deps, 'db' | 'clock'>,
  customer: Customer,
  id: string,
): Promise<GroupDetail> {
  const viewer = await viewerOf(deps, customer)
  const [group, members, settlements, bills] = await Promise.all([
    deps.db.selectFrom('bank.bill_group').select(['id', 'name']).where('id', '=', id).executeTakeFirst(),
    membersOf(deps.db, [id]),
    settlementsOf(deps, [id]),
    latestBills(deps, id),
  ])
  const member = memberIn(members, viewer)
  if (!group || !member) throw new Refusal('not_found')
  const balances = await balancesOf(deps, [id], settlements)
  const customers = await customersAmong(deps.db, members)
  const summary = summaryOf(group, members, balances, viewer)
  return {
    ...summary,
    bills: bills.map((bill) => groupBillOf(bill, members, member.id)),
    settleUp: settlementPayments(balances, members, (memberId) => customers.has(memberId)),
    asked: settlements.filter(({ status }) => status === 'open').map(settlementView),
  }
}

const settlementView = ({ requestId, fromId, toId, amountMinor, paidMinor }: GroupSettlement) => ({
  requestId,
  fromId,
  toId,
  amountMinor,
  paidMinor,
})

type LatestBill = Awaited<ReturnType<typeof latestBills>>[number]

async function latestBills(deps: Pick<Deps, 'db'>, groupId: string) {
  const bills = await deps.db
    .selectFrom('bank.bill')
    .selectAll()
    .where('group_id', '=', groupId)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  if (bills.length === 0) return []
  const shares = await deps.db
    .selectFrom('bank.bill_share')
    .select(['bill_id', 'member_id', 'amount_minor'])
    .where(
      'bill_id',
      'in',
      bills.map(({ id }) => id),
    )
    .execute()
  return bills.map((bill) => ({ ...bill, shares: shares.filter(({ bill_id }) => bill_id === bill.id) }))
}

function groupBillOf(bill: LatestBill, members: readonly MemberRow[], ownId: string): GroupDetail['bills'][number] {
  const payer = members.find(({ customer_id }) => customer_id === bill.owner_id)
  return {
    id: bill.id,
    paidBy: payer?.id ?? '',
    description: bill.description,
    totalMinor: bill.total_minor,
    asset: bill.asset,
    ownShareMinor:
      payer?.id === ownId
        ? bill.own_minor
        : (bill.shares.find(({ member_id }) => member_id === ownId)?.amount_minor ?? 0),
    createdAt: bill.created_at.toISOString(),
  }
}
