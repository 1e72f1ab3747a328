import { nothing } from '#contract/sample.ts'
import { billerAsked, billerCollected, otherBanks, payoutReturned } from '#contract/sample-elsewhere.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import type { Deps } from '#server/platform/deps.ts'
import { billerAsks, billerCollects, payoutComesBack, readOtherBanks } from '#server/sample/elsewhere.ts'

const tags = ['Sample']
const noBody = { body: { required: false, content: { 'application/json': { schema: nothing } } } }

const getOtherBanks = defineRoute({
  method: 'get',
  path: '/sample/other-banks',
  summary: 'What your other banks show',
  description: 'What arrived there from this one, the deposits that verify a linked account among it.',
  tags,
  responses: { 200: { description: 'Newest first', content: { 'application/json': { schema: otherBanks } } } },
})

const postMandate = defineRoute({
  method: 'post',
  path: '/sample/mandates',
  summary: 'Have a biller ask for a direct debit',
  tags,
  request: noBody,
  responses: { 200: { description: 'Who asked', content: { 'application/json': { schema: billerAsked } } } },
})

const postDebit = defineRoute({
  method: 'post',
  path: '/sample/direct-debits',
  summary: 'Have a biller collect',
  description: 'Today, or on the next business day.',
  tags,
  request: noBody,
  responses: {
    200: { description: 'What became of it', content: { 'application/json': { schema: billerCollected } } },
  },
})

const postReturn = defineRoute({
  method: 'post',
  path: '/sample/payout-returns',
  summary: 'Have your other bank send your latest withdrawal back',
  tags,
  request: noBody,
  responses: { 200: { description: 'What came back', content: { 'application/json': { schema: payoutReturned } } } },
})

const elsewhereRoutes = router()
  .openapi(getOtherBanks, async (c) => c.json(await readOtherBanks(c.get('deps'), c.get('customer').id), 200))
  .openapi(postMandate, async (c) => c.json(await billerAsks(c.get('deps'), c.get('customer'), c.get('key')), 200))
  .openapi(postDebit, async (c) => c.json(await billerCollects(c.get('deps'), c.get('customer'), c.get('key')), 200))
  .openapi(postReturn, async (c) => {
    return c.json(await payoutComesBack(c.get('deps'), c.get('customer'), c.get('key')), 200)
  })

/** Billers and other banks, as the panel plays them; a bank without a panel has none of it. */
export function elsewhere({ policy }: Pick<Deps, 'policy'>): typeof elsewhereRoutes {
  return policy.controlPanel ? elsewhereRoutes : router()
}
