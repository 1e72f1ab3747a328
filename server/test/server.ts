import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createApi, type ApiOptions, mountSlices } from '#server/api.ts'
import type { ConnectionLimits } from '#server/platform/http/connections.ts'
import { createHttpServer } from '#server/platform/http/listen.ts'
import { createCustomer, createCustomerOnce } from '#server/identity/customers/customers.ts'
import { type Browser, openBrowser } from '#server/test/browser.ts'
import { renderInProcess } from '#server/test/renderer.ts'
import { holdToDocument } from '#server/test/api-conformance.ts'
import { testDeps, type TestDeps, type TestBankOptions } from '#server/test/bank.ts'

export type TestServer = TestDeps & {
  url: string
  /** Opens a new browser without a session, or with the cookie of one. */
  browser(cookie?: string): Browser
  /** Opens a browser as a visitor with a customer. */
  visitor(): Promise<Browser>
}

export type TestServerOptions = TestBankOptions & Partial<ApiOptions> & { connections?: Partial<ConnectionLimits> }

/** A folder without a web app, because reading the app takes as long as opening the rest of the bank. */
const NO_BUILD = '/nowhere'

/** Opens a real bank over HTTP on a new database and a free port. The caller closes it. */
export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const bank = await testDeps(options)
  const { deps } = bank
  const api = createApi(deps, {
    openCustomer: openPlainCustomer,
    documents: { render: renderInProcess },
    webRoot: NO_BUILD,
    ...options,
  })
  const server = createHttpServer(
    deps,
    holdToDocument(api, mountSlices(deps, { openCustomer: openPlainCustomer })),
    options.connections,
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const browser = (cookie?: string): Browser => openBrowser(() => url, deps.config.origin ?? url, cookie)
  return {
    ...bank,
    url,
    browser,
    visitor: async () => {
      const visitor = browser()
      await visitor.post('/api/v1/session/visit')
      return visitor
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await bank.close()
    },
  }
}

/** Opens a visitor's customer without the sample history, which most tests do not need. */
const openPlainCustomer: ApiOptions['openCustomer'] = async (deps, { key }, details) => {
  const person = details ?? { fullName: 'Vera Visitor', email: `visitor.${randomUUID()}@example.com` }
  return key ? (await createCustomerOnce(deps, person, key)).customer : createCustomer(deps, person)
}
