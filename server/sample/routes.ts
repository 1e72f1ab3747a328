import { me } from '#contract/identity.ts'
import { requestResponse } from '#contract/requests.ts'
import {
  chargeRequest,
  chargeResponse,
  clockRequest,
  clockResponse,
  nothing,
  samplePanel,
  sampleTransaction,
} from '#contract/sample.ts'
import { transactionOfBooked } from '#server/accounts/transaction.ts'
import type { Deps } from '#server/platform/deps.ts'
import { moveMoney } from '#server/identity/access/money.ts'
import { defineRoute, router } from '#server/identity/access/route.ts'
import { clientOf, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { beginSession } from '#server/identity/sessions/begin-session.ts'
import { meOf } from '#server/identity/customers/me.ts'
import type { IdentityOptions } from '#server/identity/routes/routes.ts'
import { openHere } from '#server/identity/sessions/visitors.ts'
import {
  friendAsks,
  friendPays,
  readPanel,
  salaryArrives,
  shopCharges,
  visitorPutsDateForward,
} from '#server/sample/panel.ts'

const tags = ['Sample']
const noBody = { body: { required: false, content: { 'application/json': { schema: nothing } } } }

const getPanel = defineRoute({
  method: 'get',
  path: '/sample',
  summary: "The bank's date, and you",
  description: 'All under /sample is there in sample mode alone.',
  tags,
  responses: { 200: { description: 'As of now', content: { 'application/json': { schema: samplePanel } } } },
})

const postClock = defineRoute({
  method: 'post',
  path: '/sample/clock',
  summary: 'Put the date forward',
  description:
    "By 1 to 31 days or by one month. It is the whole bank's date, for everyone, and never goes back, nor further than ten years. What is due by then happens right away. Refused where the operator alone moves the date.",
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: clockRequest } } } },
  responses: { 200: { description: 'The date now', content: { 'application/json': { schema: clockResponse } } } },
})

const booked = {
  200: { description: 'The transaction', content: { 'application/json': { schema: sampleTransaction } } },
}

const postCharge = defineRoute({
  method: 'post',
  path: '/sample/charges',
  summary: 'Have a shop charge your main card',
  description:
    'An invented shop, at home or abroad; the category and the amount are chosen by chance where they are left out. The card may decline.',
  tags,
  request: { body: { required: true, content: { 'application/json': { schema: chargeRequest } } } },
  responses: {
    200: {
      description: 'The payment, or why it was declined',
      content: { 'application/json': { schema: chargeResponse } },
    },
  },
})

const postSalary = defineRoute({
  method: 'post',
  path: '/sample/salary',
  needs: { money: true },
  summary: 'Receive a salary',
  tags,
  request: noBody,
  responses: booked,
})

const postRequest = defineRoute({
  method: 'post',
  path: '/sample/requests',
  summary: 'Have a friend ask you for money',
  description: 'One of the people every sample customer knows, for a small amount.',
  tags,
  request: noBody,
  responses: { 200: { description: 'The request', content: { 'application/json': { schema: requestResponse } } } },
})

const postPayment = defineRoute({
  method: 'post',
  path: '/sample/payments',
  needs: { money: true },
  summary: 'Have a friend pay what you asked them for',
  description: 'The oldest of your requests and of your shares of a bill that is still open.',
  tags,
  request: noBody,
  responses: booked,
})

const postRestart = defineRoute({
  method: 'post',
  path: '/sample/restart',
  summary: 'Start over as a new sample customer',
  description: 'Ends this session and begins another. Who you were stays in the books.',
  tags,
  request: noBody,
  responses: { 200: { description: 'Who you are now', content: { 'application/json': { schema: me } } } },
})

function panelRoutes({ openCustomer }: IdentityOptions) {
  return router()
    .openapi(getPanel, (c) => c.json(readPanel(c.get('deps'), c.get('customer')), 200))
    .openapi(postClock, async (c) => {
      const now = await visitorPutsDateForward(c.get('deps'), c.req.valid('json'), c.get('key'))
      return c.json({ now: now.toISOString() }, 200)
    })
    .openapi(postCharge, async (c) =>
      c.json(await shopCharges(c.get('deps'), c.get('customer'), c.req.valid('json'), c.get('key')), 200),
    )
    .openapi(postSalary, async (c) => {
      const customer = c.get('customer')
      const transaction = await moveMoney(
        c,
        (key) => salaryArrives(c.get('deps'), customer, key),
        (before) => transactionOfBooked(before, customer.currentAccountId),
      )
      return c.json({ transaction }, 200)
    })
    .openapi(postPayment, async (c) => {
      const customer = c.get('customer')
      const transaction = await moveMoney(
        c,
        (key) => friendPays(c.get('deps'), customer, key),
        (paid) => transactionOfBooked(paid, customer.currentAccountId),
      )
      return c.json({ transaction }, 200)
    })
    .openapi(postRequest, async (c) => {
      return c.json({ request: await friendAsks(c.get('deps'), c.get('customer'), c.get('key')) }, 200)
    })
    .openapi(postRestart, async (c) => {
      const deps = c.get('deps')
      const client = clientOf(c)
      const { customer, visitor } = await openHere(deps, client, openCustomer)
      writeEntry(c, await beginSession(deps, client, { customerId: customer.id, method: 'visit' }))
      writeVisitor(c, visitor)
      return c.json(meOf(deps, customer), 200)
    })
}

/** The panel that plays the world around the bank. A bank that has none knows none of its addresses. */
export function sampleRoutes(deps: Pick<Deps, 'policy'>, options: IdentityOptions) {
  const routes = panelRoutes(options)
  // The web app's client is typed by what a bank may have; this one does not have it.
  return deps.policy.controlPanel ? routes : (router() as unknown as typeof routes)
}
