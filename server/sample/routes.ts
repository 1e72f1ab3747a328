import type { Context } from 'hono'
import type { Transaction } from '#contract/accounts.ts'
import { me } from '#contract/identity.ts'
import { requestResponse } from '#contract/requests.ts'
import {
  chargeRequest,
  chargeResponse,
  clockRequest,
  clockResponse,
  emptyObject,
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
import { openVisitor } from '#server/identity/sessions/visitors.ts'
import {
  friendAsks,
  friendPays,
  readPanel,
  salaryArrives,
  shopCharges,
  visitorPutsDateForward,
} from '#server/sample/panel.ts'

type Arrival = (deps: Deps, customer: Customer, key: RequestKey) => Promise<Transaction>

/** Credits money to the customer once per request key. */
async function receiveMoney(c: Context<ApiEnv>, arrive: Arrival): Promise<{ transaction: Transaction }> {
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
        summary: "The bank's date and your details",
        description: 'The routes under /sample exist only in sample mode.',
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
          "By 1 to 31 days or by one month. The date is the whole bank's date, for everyone. It never moves back, and at most ten years ahead. Everything due by then happens right away, day by day. The response comes once that is done, or after ten seconds. Refused if only the operator moves the date.",
        body: clockRequest,
        response: clockResponse,
        responseDescription: 'The current date',
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
          'The shop is invented, at home or abroad. A missing category or amount is chosen at random. The card may decline.',
        body: chargeRequest,
        response: chargeResponse,
        responseDescription: 'The payment, or the reason why it was declined',
      },
      (c) => shopCharges(c.deps, c.customer, c.body, c.key),
    )
    .post(
      '/sample/salary',
      {
        money: true,
        refuses: ['balance_limit_reached', 'account_closed'],
        summary: 'Receive a salary',
        body: emptyObject,
        isBodyOptional: true,
        response: sampleTransaction,
        responseDescription: 'The transaction',
      },
      (c) => receiveMoney(c.http, salaryArrives),
    )
    .post(
      '/sample/payments',
      {
        money: true,
        refuses: ['nobody_asked', 'balance_limit_reached', 'account_closed'],
        summary: 'Have a friend pay your request',
        description: 'The friend pays your oldest open request or share of a bill.',
        body: emptyObject,
        isBodyOptional: true,
        response: sampleTransaction,
        responseDescription: 'The transaction',
      },
      (c) => receiveMoney(c.http, friendPays),
    )
    .post(
      '/sample/requests',
      {
        summary: 'Have a friend request money from you',
        description: 'The friend is one of the people that every sample customer knows. The amount is small.',
        body: emptyObject,
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
        description: 'Ends this session and begins another. The previous customer stays in the books.',
        body: emptyObject,
        isBodyOptional: true,
        response: me,
        responseDescription: 'The new customer',
      },
      async (c) => {
        const deps = c.deps
        const client = clientOf(c.http)
        const { customer, visitor } = await openVisitor(deps, client, openCustomer)
        writeEntry(c.http, await beginSession(deps, client, { customerId: customer.id, method: 'visit' }))
        writeVisitor(c.http, visitor)
        return meOf(deps, customer)
      },
    )
}

/** Returns the routes of the panel that simulates the world around the bank, or no routes if the bank has no panel. */
export function sampleRoutes(deps: Pick<Deps, 'policy'>, options: IdentityOptions) {
  const panel = panelRoutes(options)
  // The cast keeps the type of the web client, which includes the panel's routes, for a bank without them.
  return deps.policy.controlPanel ? panel : (routes('Sample') as unknown as typeof panel)
}
