import type { Pool } from 'pg'
import type { RateLimiterPostgres } from 'rate-limiter-flexible'

/** The limiters of one server, made as they are first asked for. */
export type Limiters = { pool: Pool; byName: Map<string, RateLimiterPostgres> }

export function openLimiters(pool: Pool): Limiters {
  return { pool, byName: new Map() }
}
