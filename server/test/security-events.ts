import type { SecurityEventKind } from '#contract/security-events.ts'
import { securityEventsOf } from '#server/identity/sessions/security-events.ts'
import type { TestDeps } from '#server/test/bank.ts'

/** Returns the kinds of a customer's latest 50 security events, latest first. */
export async function securityEventKinds({ deps }: Pick<TestDeps, 'deps'>, id: string): Promise<SecurityEventKind[]> {
  return (await securityEventsOf(deps, id, { before: null, limit: 50 })).map(({ kind }) => kind)
}
