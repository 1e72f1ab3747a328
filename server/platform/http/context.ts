import type { HttpBindings } from '@hono/node-server'
import type { Deps } from '#server/platform/deps.ts'
import type { BankResponse } from '#server/platform/http/response.ts'
import type { RequestKey } from '#server/platform/http/request-key.ts'

/**
 * The variables in a handler's context, read with `c.get(...)`. server/identity/access/session.ts adds the caller's session.
 */
export interface ApiVariables {
  deps: Deps
  /** The request's key. It is set only for routes that require an Idempotency-Key. */
  key: RequestKey
}

export type ApiEnv = { Bindings: HttpBindings & { outgoing: BankResponse }; Variables: ApiVariables }
