import { billPage, billQuery, billResponse, splitRequest } from '#contract/bills.ts'
import { Refusal } from '#contract/errors.ts'
import { idParam, readId } from '#server/platform/http/id-param.ts'
import { billsOf, cancelBill, readBill, splitBill } from '#server/bills/service.ts'
import { groupRoutes } from '#server/bills/group-routes.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'
import { isUuid } from '#server/platform/uuid.ts'

const tags = ['Bills']

const split = defineRoute({
  method: 'post',
  path: '/bills',
  middleware: [wholeAmounts],
  summary: 'Split a bill',
  description: 'Each of the people is asked for their share by a request; the customer’s own share is what is left.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: splitRequest } } } },
  responses: { 200: { description: 'The bill', content: { 'application/json': { schema: billResponse } } } },
})

const list = defineRoute({
  method: 'get',
  path: '/bills',
  summary: 'The bills you have split, newest first',
  tags,
  request: { query: billQuery },
  responses: { 200: { description: 'A page', content: { 'application/json': { schema: billPage } } } },
})

const read = defineRoute({
  method: 'get',
  path: '/bills/{id}',
  summary: 'A bill, and who has paid',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'The bill', content: { 'application/json': { schema: billResponse } } } },
})

const cancel = defineRoute({
  method: 'post',
  path: '/bills/{id}/cancel',
  summary: 'Take back what nobody has paid yet of a bill',
  tags,
  request: { params: idParam },
  responses: { 200: { description: 'The bill', content: { 'application/json': { schema: billResponse } } } },
})

export const billRoutes = router()
  .openapi(split, async (c) => {
    const bill = await splitBill(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key'))
    return c.json({ bill }, 200)
  })
  .openapi(list, async (c) => {
    const { cursor, limit } = c.req.valid('query')
    if (cursor !== undefined && !isUuid(cursor)) throw new Refusal('cursor_invalid', 'cursor')
    const bills = await billsOf(c.get('deps'), c.get('customer').id, { after: cursor ?? null, limit: limit + 1 })
    const page = bills.slice(0, limit)
    return c.json({ bills: page, nextCursor: bills.length > limit ? (page.at(-1)?.id ?? null) : null }, 200)
  })
  .openapi(read, async (c) => {
    const bill = await readBill(c.get('deps'), c.get('customer').id, readId(c.req.valid('param').id))
    return c.json({ bill }, 200)
  })
  .openapi(cancel, async (c) => {
    const bill = await cancelBill(c.get('deps'), c.get('customer'), readId(c.req.valid('param').id), c.get('key'))
    return c.json({ bill }, 200)
  })
  .route('/', groupRoutes)
