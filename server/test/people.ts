import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Dashboard, Transaction } from '#contract/accounts.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { runOn } from '#server/platform/db/run.ts'
import { createCustomer, type Customer, type NewCustomer } from '#server/identity/customers/customers.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { type Audit, auditBooks } from '#server/ledger/books.ts'
import type { Browser } from '#server/test/browser.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { testServer, type TestServer, type TestServerOptions } from '#server/test/server.ts'

/** A signed-in customer, as tests drive one. */
export type Person = {
  customer: Customer
  browser: Browser
  /** Adds money at once. */
  fund(amountMinor: number): Promise<void>
  dashboard(): Promise<Dashboard>
  transactions(query?: string): Promise<Transaction[]>
  balanceMinor(): Promise<number>
}

export type PeopleServer = TestServer & { person(who: NewCustomer): Promise<Person> }

/** A test server, and people who are signed in without having been visitors, of whom an address may open only so many. */
export async function peopleServer(options: TestServerOptions = {}): Promise<PeopleServer> {
  const server = await testServer(options)
  return {
    ...server,
    person: async (who) => {
      const customer = await createCustomer(server.deps, who)
      return actions(server, customer, server.browser(await signInCookie(server.deps, customer.id)))
    },
  }
}

function actions(server: TestServer, customer: Customer, browser: Browser): Person {
  return {
    customer,
    browser,
    fund: async (amountMinor) => {
      // As a rail would, in either mode and outside all limits.
      await server.deps.ledger.post({
        id: randomUUID(),
        kind: 'top_up.card',
        fingerprint: 'fund',
        bookedAt: server.deps.clock.businessNow(),
        legs: [
          {
            kind: 'transfer',
            debit: bankAccount('card_acquiring'),
            credit: customer.currentAccountId,
            amountMinor,
            detail: { label: 'top_up.card', category: 'top_up', method: 'card' },
          },
        ],
      })
    },
    dashboard: async () => (await (await browser.get('/api/v1/dashboard')).json()) as Dashboard,
    transactions: async (query = '') => {
      const answer = await browser.get(`/api/v1/transactions${query}`)
      return ((await answer.json()) as { transactions: Transaction[] }).transactions
    },
    balanceMinor: async () => {
      const accounts = await accountsOf(runOn(server.deps.pool), customer.id)
      return accounts.find(({ id }) => id === customer.currentAccountId)?.balanceMinor ?? 0
    },
  }
}

/** The answer is this refusal, in the one shape of refusals. */
export async function expectRefusal(answer: Response, code: ErrorCode, field?: string): Promise<void> {
  const error = { code, message: ERRORS[code].message, ...(field === undefined ? {} : { field }) }
  expect(await answer.json()).toEqual({ error })
  expect(answer.status).toBe(ERRORS[code].status)
}

/**
 * What the whole bank's books come to: equal before and after means that nothing was written. The points of what was sent
 * so far are among it. Throws where they are wrong.
 */
export async function books({ deps }: Pick<TestServer, 'deps'>): Promise<Omit<Audit, 'problems'>> {
  await deps.paymentPoints.flush()
  const { problems, ...rest } = await auditBooks(runOn(deps.pool))
  expect(problems).toEqual([])
  return rest
}
