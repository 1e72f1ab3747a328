import { type OfferedMethod, TOP_UP_METHODS, type TopUpMethod } from '#contract/accounts.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import type { Deps } from '#server/platform/deps.ts'
import { settlementOf } from '#server/rails/settlement.ts'

/** A way by which money comes in from outside, and when the bank believes that it has. */
export type Rail =
  /** Settles by itself at `settlesAt`, business time, or at once where that is null. */
  | { kind: 'simulated'; settlesAt: Date | null }
  /** A provider is asked, and it is there once the provider has confirmed it. */
  | { kind: 'provider' }

/** For how long the bank waits for a provider's word, in milliseconds; and for its own job once a transfer is due. */
const PROVIDER_OVERDUE_MS = 7 * DAY_MS
const SETTLEMENT_OVERDUE_MS = DAY_MS

/** From when on what was asked for by a rail should be over. */
export function overdueAt(rail: Rail, askedAt: Date): Date {
  if (rail.kind === 'provider') return new Date(askedAt.getTime() + PROVIDER_OVERDUE_MS)
  return new Date((rail.settlesAt ?? askedAt).getTime() + SETTLEMENT_OVERDUE_MS)
}

/** The ways in which a customer can add money, and when it is there. */
export function offeredMethods({ policy, config }: Pick<Deps, 'policy' | 'config'>): OfferedMethod[] {
  if (policy.rails === 'configured') {
    return (config.rail?.methods ?? []).map((method) => ({ method, arrives: 'when_confirmed' }))
  }
  return TOP_UP_METHODS.map((method) => ({ method, arrives: method === 'bank' ? 'business_days' : 'at_once' }))
}

/** The rail that money comes in by, for a request made at `askedAt`; null where the bank has none for the method. */
export function railFor(deps: Pick<Deps, 'policy' | 'config'>, method: TopUpMethod, askedAt: Date): Rail | null {
  const offered = offeredMethods(deps).find((one) => one.method === method)
  if (!offered) return null
  if (offered.arrives === 'when_confirmed') return { kind: 'provider' }
  return { kind: 'simulated', settlesAt: offered.arrives === 'business_days' ? settlementOf(askedAt) : null }
}
