import { billPage, billQuery, billResponse, splitRequest } from '#contract/bills.ts'
import { Refusal } from '#contract/errors.ts'
import { billsOf, cancelBill, readBill, splitBill } from '#server/bills/service.ts'
import { groupRoutes } from '#server/bills/group-routes.ts'
import { routes } from '#server/identity/access/route.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'
import { isUuid } from '#server/platform/uuid.ts'

export const billRoutes = routes('Bills')
  .post(
    '/bills',
    {
      middleware: [wholeAmounts],
      refuses: [
        'people_missing',
        'people_twice',
        'people_too_many',
        'shares_differ',
        'request_to_self',
        'recipient_invalid',
        'transaction_not_found',
        'amount_too_large',
      ],
      summary: 'Split a bill',
      description: 'Each of the people gets a request for their share. The rest of the bill is your own share.',
      body: splitRequest,
      response: billResponse,
      responseDescription: 'The bill',
    },
    async (c) => {
      const bill = await splitBill(c.deps, c.customer, c.body, c.key)
      return { bill }
    },
  )
  .get(
    '/bills',
    {
      summary: 'The bills you have split, newest first',
      query: billQuery,
      response: billPage,
      responseDescription: 'A page',
    },
    async (c) => {
      const { cursor, limit } = c.query
      if (cursor !== undefined && !isUuid(cursor)) throw new Refusal('cursor_invalid', 'cursor')
      const bills = await billsOf(c.deps, c.customer.id, { after: cursor ?? null, limit: limit + 1 })
      const page = bills.slice(0, limit)
      return { bills: page, nextCursor: bills.length > limit ? (page.at(-1)?.id ?? null) : null }
    },
  )
  .get(
    '/bills/{id}',
    { summary: 'A bill, with the status of each share', response: billResponse, responseDescription: 'The bill' },
    async (c) => {
      const bill = await readBill(c.deps, c.customer.id, c.id)
      return { bill }
    },
  )
  .post(
    '/bills/{id}/cancel',
    {
      refuses: ['bill_not_open'],
      summary: 'Cancel the unpaid requests of a bill',
      response: billResponse,
      responseDescription: 'The bill',
    },
    async (c) => {
      const bill = await cancelBill(c.deps, c.customer, c.id, c.key)
      return { bill }
    },
  )
  .mount(groupRoutes)
