import { type OfferedMethod, TOP_UP_METHODS, type TopUpMethod } from '#contract/accounts.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import type { Deps } from '#server/platform/deps.ts'
import { settlementTimeOf } from '#server/rails/settlement-time.ts'

/** A way by which money comes in from outside, and the moment at which it counts as arrived. */
export type Rail =
  /** Settles without a provider at `settlesAt`, in business time. If `settlesAt` is null, the money arrives at once. */
  | { kind: 'simulated'; settlesAt: Date | null }
  /** Sends a provider the request. The money has arrived when the provider confirms it. */
  | { kind: 'provider' }

/**
 * The times after which money is overdue, in milliseconds: after the request to a provider, and after the settlement time of a
 * transfer without a provider.
 */
const PROVIDER_OVERDUE_MS = 7 * DAY_MS
const SETTLEMENT_OVERDUE_MS = DAY_MS

/** Returns the time from which a request to a rail is overdue. */
export function overdueAt(rail: Rail, askedAt: Date): Date {
  if (rail.kind === 'provider') return new Date(askedAt.getTime() + PROVIDER_OVERDUE_MS)
  return new Date((rail.settlesAt ?? askedAt).getTime() + SETTLEMENT_OVERDUE_MS)
}

/** Returns the methods by which a customer can add money, and for each when the money arrives. */
export function offeredMethods({ policy, config }: Pick<Deps, 'policy' | 'config'>): OfferedMethod[] {
  if (policy.rails === 'configured') {
    return (config.rail?.methods ?? []).map((method) => ({ method, arrives: 'when_confirmed' }))
  }
  return TOP_UP_METHODS.map((method) => ({ method, arrives: method === 'bank' ? 'business_days' : 'at_once' }))
}

/** Returns the rail of a method for a request made at `askedAt`; null if the bank does not offer the method. */
export function railFor(deps: Pick<Deps, 'policy' | 'config'>, method: TopUpMethod, askedAt: Date): Rail | null {
  const offered = offeredMethods(deps).find((candidate) => candidate.method === method)
  if (!offered) return null
  if (offered.arrives === 'when_confirmed') return { kind: 'provider' }
  return { kind: 'simulated', settlesAt: offered.arrives === 'business_days' ? settlementTimeOf(askedAt) : null }
}
