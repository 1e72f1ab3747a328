import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Dashboard, Transaction } from '#contract/accounts.ts'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { runOn } from '#server/platform/db/run.ts'
import { createCustomer, type Customer, type NewCustomer } from '#server/identity/customers/customers.ts'
import { accountsOf } from '#server/ledger/accounts.ts'
import { bankAccount } from '#server/ledger/chart.ts'
import { type Audit, auditBooks } from '#server/ledger/audit.ts'
import type { Browser } from '#server/test/browser.ts'
import { signInCookie } from '#server/test/sign-in.ts'
import { testServer, type TestServer, type TestServerOptions } from '#server/test/server.ts'

/** A signed-in customer with the means to act in tests. */
export type TestPerson = {
  customer: Customer
  browser: Browser
  /** Adds money to the customer's current account at once, in US cents. */
  fund(amountMinor: number): Promise<void>
  dashboard(): Promise<Dashboard>
  transactions(query?: string): Promise<Transaction[]>
  balanceMinor(): Promise<number>
}

export type PeopleServer = TestServer & { person(who: NewCustomer): Promise<TestPerson> }

/**
 * Opens a test server whose people are signed in without being visitors, because one IP address may open only a few visitors.
 */
export async function peopleServer(options: TestServerOptions = {}): Promise<PeopleServer> {
  const server = await testServer(options)
  return {
    ...server,
    person: async (details) => {
      const customer = await createCustomer(server.deps, details)
      return actions(server, customer, server.browser(await signInCookie(server.deps, customer.id)))
    },
  }
}

function actions(server: TestServer, customer: Customer, browser: Browser): TestPerson {
  return {
    customer,
    browser,
    fund: async (amountMinor) => {
      // The top-up is booked directly in the ledger, so it works in either mode and has no limits.
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

/** Checks that a response is this refusal, in the common format of refusals. */
export async function expectRefusal(answer: Response, code: ErrorCode, field?: string): Promise<void> {
  const error = { code, message: ERRORS[code].message, ...(field === undefined ? {} : { field }) }
  expect(await answer.json()).toEqual({ error })
  expect(answer.status).toBe(ERRORS[code].status)
}

/**
 * Audits the books of the whole bank and returns the totals. Equal totals before and after mean that nothing was written.
 * Points of earlier payments are included. Throws if the books are wrong.
 */
export async function auditTestBooks({ deps }: Pick<TestServer, 'deps'>): Promise<Omit<Audit, 'problems'>> {
  await deps.paymentPoints.flush()
  const { problems, ...totals } = await auditBooks(runOn(deps.pool))
  expect(problems).toEqual([])
  return totals
}
