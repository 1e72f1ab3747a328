import { z } from '@hono/zod-openapi'
import { groupBillRequest, groupList, groupResponse, newGroup, newMembers } from '#contract/bills.ts'
import { addGroupBill, removeGroupBill, settleGroup } from '#server/bills/group-bills.ts'
import {
  INVITING_REFUSALS,
  addMembers,
  createGroup,
  groupsOf,
  joinGroup,
  leaveGroup,
  readGroup,
} from '#server/bills/groups.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'
import { routes } from '#server/identity/access/route.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'

export const groupRoutes = routes('Bills')
  .post(
    '/bill-groups',
    {
      refuses: ['groups_full', ...INVITING_REFUSALS],
      summary: 'Open a group of people who share bills',
      body: newGroup,
      response: groupResponse,
      responseDescription: 'The group',
    },
    async (c) => {
      const group = await createGroup(c.deps, c.customer, c.body, c.key)
      return { group }
    },
  )
  .get(
    '/bill-groups',
    { summary: 'The groups you are in or are invited to', response: groupList, responseDescription: 'By name' },
    async (c) => ({ groups: await groupsOf(c.deps, c.customer) }),
  )
  .get(
    '/bill-groups/{id}',
    {
      summary: 'A group, with its balances, bills and the payments that would settle it',
      response: groupResponse,
      responseDescription: 'The group',
    },
    async (c) => {
      const group = await readGroup(c.deps, c.customer, c.id)
      return { group }
    },
  )
  .post(
    '/bill-groups/{id}/members',
    {
      refuses: INVITING_REFUSALS,
      summary: 'Invite more people',
      body: newMembers,
      response: groupResponse,
      responseDescription: 'The group',
    },
    async (c) => {
      const request = { groupId: c.id, ...c.body }
      return { group: await addMembers(c.deps, c.customer, request, c.key) }
    },
  )
  .post(
    '/bill-groups/{id}/join',
    {
      refuses: ['groups_full'],
      summary: 'Join a group you are invited to',
      response: groupResponse,
      responseDescription: 'The group',
    },
    async (c) => {
      const id = c.id
      return { group: await joinGroup(c.deps, c.customer, id, c.key) }
    },
  )
  .post(
    '/bill-groups/{id}/leave',
    { refuses: ['group_unsettled'], summary: 'Leave a group, or decline to join it' },
    async (c) => {
      await leaveGroup(c.deps, c.customer, c.id, c.key)
    },
  )
  .post(
    '/bill-groups/{id}/bills',
    {
      middleware: [wholeAmounts],
      refuses: ['people_missing', 'people_twice', 'shares_differ', 'amount_too_large'],
      summary: 'Add a bill that you paid',
      description: 'No money moves before the group settles up.',
      body: groupBillRequest,
      response: groupResponse,
      responseDescription: 'The group',
    },
    async (c) => {
      const request = { groupId: c.id, bill: c.body }
      return { group: await addGroupBill(c.deps, c.customer, request, c.key) }
    },
  )
  .post(
    '/bill-groups/{id}/bills/{billId}/remove',
    {
      summary: 'Remove a bill that you added',
      params: idParam.extend({ billId: z.string().max(100) }),
      response: groupResponse,
      responseDescription: 'The group',
    },
    async (c) => {
      const { id, billId } = c.params
      const request = { groupId: readId(id), billId: readId(billId) }
      return { group: await removeGroupBill(c.deps, c.customer, request, c.key) }
    },
  )
  .post(
    '/bill-groups/{id}/settle',
    {
      refuses: ['group_settled'],
      summary: 'Settle up with the fewest payments',
      description: 'Each debtor gets a request for money. Unpaid earlier requests of the group are canceled first.',
      response: groupResponse,
      responseDescription: 'The group',
    },
    async (c) => {
      const id = c.id
      return { group: await settleGroup(c.deps, c.customer, id, c.key) }
    },
  )
