import type { SecurityEventKind } from '#contract/security-events.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import type { TestDeps } from '#server/test/bank.ts'

/** What a customer can read that happened to their account, the latest first; the first 50. */
export async function securityEventKinds({ deps }: Pick<TestDeps, 'deps'>, id: string): Promise<SecurityEventKind[]> {
  return (await securityEventsOf(deps, id, { before: null, limit: 50 })).map(({ kind }) => kind)
}
