import { z } from '@hono/zod-openapi'
import { groupBillRequest, groupList, groupResponse, newGroup, newMembers } from '#contract/bills.ts'
import { addGroupBill, removeGroupBill, settleGroup } from '#server/bills/group-bills.ts'
import { addMembers, createGroup, groupsOf, joinGroup, leaveGroup, readGroup } from '#server/bills/groups.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'

const tags = ['Bills']
const group = { 200: { description: 'The group', content: { 'application/json': { schema: groupResponse } } } }

const create = defineRoute({
  method: 'post',
  path: '/bill-groups',
  summary: 'Open a group of people who share bills',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: newGroup } } } },
  responses: group,
})

const list = defineRoute({
  method: 'get',
  path: '/bill-groups',
  summary: 'The groups you are in or are invited to',
  tags,
  responses: { 200: { description: 'By name', content: { 'application/json': { schema: groupList } } } },
})

const read = defineRoute({
  method: 'get',
  path: '/bill-groups/{id}',
  summary: 'A group: balances, bills, and what would settle it',
  tags,
  request: { params: idParam },
  responses: group,
})

const invite = defineRoute({
  method: 'post',
  path: '/bill-groups/{id}/members',
  summary: 'Invite more people',
  tags,
  request: { params: idParam, body: { required: true, content: { 'application/json': { schema: newMembers } } } },
  responses: group,
})

const join = defineRoute({
  method: 'post',
  path: '/bill-groups/{id}/join',
  summary: 'Join a group you are invited to',
  tags,
  request: { params: idParam },
  responses: group,
})

const leave = defineRoute({
  method: 'post',
  path: '/bill-groups/{id}/leave',
  summary: 'Leave a group, or decline to join it',
  tags,
  request: { params: idParam },
  responses: { 204: { description: 'Left' } },
})

const addBill = defineRoute({
  method: 'post',
  path: '/bill-groups/{id}/bills',
  middleware: [wholeAmounts],
  summary: 'Add a bill that you paid',
  description: 'No money moves before the group settles up.',
  tags,
  request: { params: idParam, body: { required: true, content: { 'application/json': { schema: groupBillRequest } } } },
  responses: group,
})

const removeBill = defineRoute({
  method: 'post',
  path: '/bill-groups/{id}/bills/{billId}/remove',
  summary: 'Take a bill of yours out again',
  tags,
  request: { params: idParam.extend({ billId: z.string().max(100) }) },
  responses: group,
})

const settle = defineRoute({
  method: 'post',
  path: '/bill-groups/{id}/settle',
  summary: 'Settle up by the fewest payments',
  description: 'Whoever owes money is asked for it. Requests of the group that nobody has paid are taken back first.',
  tags,
  request: { params: idParam },
  responses: group,
})

export const groupRoutes = router()
  .openapi(create, async (c) => {
    const made = await createGroup(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key'))
    return c.json({ group: made }, 200)
  })
  .openapi(list, async (c) => c.json({ groups: await groupsOf(c.get('deps'), c.get('customer')) }, 200))
  .openapi(read, async (c) => {
    const found = await readGroup(c.get('deps'), c.get('customer'), readId(c.req.valid('param').id))
    return c.json({ group: found }, 200)
  })
  .openapi(invite, async (c) => {
    const asked = { groupId: readId(c.req.valid('param').id), ...c.req.valid('json') }
    return c.json({ group: await addMembers(c.get('deps'), c.get('customer'), asked, c.get('key')) }, 200)
  })
  .openapi(join, async (c) => {
    const id = readId(c.req.valid('param').id)
    return c.json({ group: await joinGroup(c.get('deps'), c.get('customer'), id, c.get('key')) }, 200)
  })
  .openapi(leave, async (c) => {
    await leaveGroup(c.get('deps'), c.get('customer'), readId(c.req.valid('param').id), c.get('key'))
    return c.body(null, 204)
  })
  .openapi(addBill, async (c) => {
    const asked = { groupId: readId(c.req.valid('param').id), bill: c.req.valid('json') }
    return c.json({ group: await addGroupBill(c.get('deps'), c.get('customer'), asked, c.get('key')) }, 200)
  })
  .openapi(removeBill, async (c) => {
    const { id, billId } = c.req.valid('param')
    const asked = { groupId: readId(id), billId: readId(billId) }
    return c.json({ group: await removeGroupBill(c.get('deps'), c.get('customer'), asked, c.get('key')) }, 200)
  })
  .openapi(settle, async (c) => {
    const id = readId(c.req.valid('param').id)
    return c.json({ group: await settleGroup(c.get('deps'), c.get('customer'), id, c.get('key')) }, 200)
  })
