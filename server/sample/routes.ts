import type { Context } from 'hono'
import type { Transaction } from '#contract/accounts.ts'
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
import { routes } from '#server/identity/access/route.ts'
import { clientOf, writeEntry, writeVisitor } from '#server/identity/access/session.ts'
import { beginSession } from '#server/identity/sessions/begin-session.ts'
import type { Customer } from '#server/identity/customers/customers.ts'
import { meOf } from '#server/identity/customers/me.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'
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

type Arrival = (deps: Deps, customer: Customer, key: RequestKey) => Promise<Transaction>

/** Has money arrive at the customer, once for the request's key. */
async function received(c: Context<ApiEnv>, arrive: Arrival): Promise<{ transaction: Transaction }> {
  const [deps, customer] = [c.get('deps'), c.get('customer')]
  const transaction = await moveMoney(
    c,
    (key) => arrive(deps, customer, key),
    (before) => transactionOfBooked(before, customer.currentAccountId),
  )
  return { transaction }
}

function panelRoutes({ openCustomer }: IdentityOptions) {
  return routes('Sample')
    .get(
      '/sample',
      {
        summary: "The bank's date, and you",
        description: 'All under /sample is there in sample mode alone.',
        response: samplePanel,
        responseDescription: 'As of now',
      },
      (c) => readPanel(c.deps, c.customer),
    )
    .post(
      '/sample/clock',
      {
        anyDate: true,
        refuses: ['date_limit_reached', 'date_moved_often', 'date_kept'],
        summary: 'Put the date forward',
        description:
          "By 1 to 31 days or by one month. It is the whole bank's date, for everyone, and never goes back, nor further than ten years. What is due by then happens right away, day by day: answered once it has, or after ten seconds. Refused where the operator alone moves the date.",
        body: clockRequest,
        response: clockResponse,
        responseDescription: 'The date now',
      },
      async (c) => {
        const { now, movingTo } = await visitorPutsDateForward(c.deps, c.body, c.key)
        return { now: now.toISOString(), movingTo: movingTo?.toISOString() ?? null }
      },
    )
    .post(
      '/sample/charges',
      {
        refuses: ['not_found'],
        summary: 'Have a shop charge your main card',
        description:
          'An invented shop, at home or abroad; the category and the amount are chosen by chance where they are left out. The card may decline.',
        body: chargeRequest,
        response: chargeResponse,
        responseDescription: 'The payment, or why it was declined',
      },
      (c) => shopCharges(c.deps, c.customer, c.body, c.key),
    )
    .post(
      '/sample/salary',
      {
        money: true,
        refuses: ['balance_limit_reached', 'account_closed'],
        summary: 'Receive a salary',
        body: nothing,
        isBodyOptional: true,
        response: sampleTransaction,
        responseDescription: 'The transaction',
      },
      (c) => received(c.http, salaryArrives),
    )
    .post(
      '/sample/payments',
      {
        money: true,
        refuses: ['nobody_asked', 'balance_limit_reached', 'account_closed'],
        summary: 'Have a friend pay what you asked them for',
        description: 'The oldest of your requests and of your shares of a bill that is still open.',
        body: nothing,
        isBodyOptional: true,
        response: sampleTransaction,
        responseDescription: 'The transaction',
      },
      (c) => received(c.http, friendPays),
    )
    .post(
      '/sample/requests',
      {
        summary: 'Have a friend ask you for money',
        description: 'One of the people every sample customer knows, for a small amount.',
        body: nothing,
        isBodyOptional: true,
        response: requestResponse,
        responseDescription: 'The request',
      },
      async (c) => ({ request: await friendAsks(c.deps, c.customer, c.key) }),
    )
    .post(
      '/sample/restart',
      {
        refuses: ['no_new_visitors'],
        summary: 'Start over as a new sample customer',
        description: 'Ends this session and begins another. Who you were stays in the books.',
        body: nothing,
        isBodyOptional: true,
        response: me,
        responseDescription: 'Who you are now',
      },
      async (c) => {
        const deps = c.deps
        const client = clientOf(c.http)
        const { customer, visitor } = await openHere(deps, client, openCustomer)
        writeEntry(c.http, await beginSession(deps, client, { customerId: customer.id, method: 'visit' }))
        writeVisitor(c.http, visitor)
        return meOf(deps, customer)
      },
    )
}

/** The panel that plays the world around the bank. A bank that has none knows none of its addresses. */
export function sampleRoutes(deps: Pick<Deps, 'policy'>, options: IdentityOptions) {
  const panel = panelRoutes(options)
  // The web app's client is typed by what a bank may have; this one does not have it.
  return deps.policy.controlPanel ? panel : (routes('Sample') as unknown as typeof panel)
}
