import { TOP_UP_METHODS, type TopUpMethod } from '#contract/accounts.ts'
import type { Deps } from '#server/platform/deps.ts'
import { settlementOf } from '#server/rails/settlement.ts'

/** A way by which money comes in from outside, and when the bank believes that it has. */
export type Rail =
  /** Nobody is asked: it is there at `settlesAt`, business time, or at once where that is null. */
  | { kind: 'simulated'; settlesAt: Date | null }
  /** A provider is asked, and it is there once the provider has confirmed it. */
  | { kind: 'provider' }

/** The methods that a customer can add money by. */
export function topUpMethods({ policy, config }: Pick<Deps, 'policy' | 'config'>): readonly TopUpMethod[] {
  return policy.rails === 'simulated' ? TOP_UP_METHODS : (config.rail?.methods ?? [])
}

/** The rail that money comes in by, for a request made at `askedAt`; null where the bank has none for the method. */
export function railFor(deps: Pick<Deps, 'policy' | 'config'>, method: TopUpMethod, askedAt: Date): Rail | null {
  if (!topUpMethods(deps).includes(method)) return null
  if (deps.policy.rails === 'configured') return { kind: 'provider' }
  return { kind: 'simulated', settlesAt: method === 'bank' ? settlementOf(askedAt) : null }
}
