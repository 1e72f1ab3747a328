import type { Pool } from 'pg'
import type { RateLimiterPostgres } from 'rate-limiter-flexible'
import type { Measures } from '#server/platform/telemetry/measures.ts'

/** The rate limiters of one server, each made at its first use. */
export type Limiters = { pool: Pool; byName: Map<string, RateLimiterPostgres>; measures: Measures }

export function openLimiters(pool: Pool, measures: Measures): Limiters {
  return { pool, byName: new Map(), measures }
}
