import type { HttpBindings } from '@hono/node-server'
import type { Deps } from '#server/platform/deps.ts'
import type { BankResponse } from '#server/platform/http/response.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/** What a handler finds in its context, by `c.get(...)`. Who asks is added by server/identity/access/session.ts. */
export interface ApiVariables {
  deps: Deps
  /** Of a request whose route needs an Idempotency-Key. */
  key: RequestKey
}

export type ApiEnv = { Bindings: HttpBindings & { outgoing: BankResponse }; Variables: ApiVariables }
