import type { HttpBindings } from '@hono/node-server'
import type { Deps } from '#server/platform/deps.ts'
import type { BankResponse } from '#server/platform/http/response.ts'
import type { Customer } from '#server/identity/customers/customers.ts'

/** What a handler finds in its context: `c.get('bank')`, `c.get('customer')`, `c.get('session')`. */
export type ApiEnv = {
  Bindings: HttpBindings & { outgoing: BankResponse }
  Variables: {
    deps: Deps
    /** Who asks. Set on every route that is not public (server/identity/access/session.ts). */
    customer: Customer
    /** What names the session in the database: the digest of its token. Set wherever `customer` is. */
    session: string
  }
}
