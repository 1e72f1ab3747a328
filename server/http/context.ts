import type { HttpBindings } from '@hono/node-server'
import type { Bank } from '#server/bank.ts'
import type { Answer } from '#server/http/answer.ts'
import type { Customer } from '#server/identity/customers.ts'

/** What a handler finds in its context: `c.get('bank')`, `c.get('customer')`, `c.get('session')`. */
export type BankEnv = {
  Bindings: HttpBindings & { outgoing: Answer }
  Variables: {
    bank: Bank
    /** Who asks. Set on every route that is not public (server/http/session.ts). */
    customer: Customer
    /** What names the session in the database: the digest of its token. Set wherever `customer` is. */
    session: string
  }
}
