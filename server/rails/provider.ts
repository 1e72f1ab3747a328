import type { Deps } from '#server/platform/deps.ts'
import { linkTo } from '#server/mail/link.ts'
import { sign } from '#server/platform/signature.ts'
import type { TopUpMethod } from '#contract/accounts.ts'
import type { Asset } from '#contract/money.ts'

/** The path for a provider's events. */
export const EVENTS_PATH = '/hooks/rails'

/** What a provider answers where it will never collect this; whatever else is no success is asked again. */
const REFUSED_FOR_GOOD = 422

type Collection = { id: string; customerId: string; method: TopUpMethod; amountMinor: number; asset: Asset }

/**
 * Asks the provider to collect money. Asking again with the same id asks for the same. Answers whether it will try;
 * throws where that is not known.
 */
export async function requestCollection(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  collection: Collection,
): Promise<'accepted' | 'refused'> {
  if (!config.rail) throw new Error('No rail is configured')
  const { url, secret, timeoutMs } = config.rail
  const body = JSON.stringify({ ...collection, callbackUrl: linkTo(config, EVENTS_PATH) })
  const { timestamp, signature } = sign(secret, body, clock.realNow())
  const answer = await fetch(`${url}/collections`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': collection.id,
      'alder-timestamp': timestamp,
      'alder-signature': signature,
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  // The status is enough: a body that never ends is not waited for.
  await answer.body?.cancel()
  if (answer.ok) return 'accepted'
  if (answer.status === REFUSED_FOR_GOOD) return 'refused'
  throw new Error(`The rail answered ${answer.status}`)
}
