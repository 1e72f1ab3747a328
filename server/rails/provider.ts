import type { Deps } from '#server/platform/deps.ts'
import { linkTo } from '#server/mail/link.ts'
import { sign } from '#server/platform/signature.ts'
import { inCall, traceHeaders } from '#server/platform/telemetry/trace.ts'
import type { BankDetails } from '#server/rails/bank-details.ts'
import type { TopUpMethod } from '#contract/accounts.ts'
import type { SentBackReason } from '#contract/incoming-transfers.ts'
import type { Asset } from '#contract/money.ts'

/** The path for a provider's events. */
export const EVENTS_PATH = '/hooks/rails'

/** What a provider answers where it will never do this; whatever else is no success is asked again. */
const REFUSED_FOR_GOOD = 422

type Collection = {
  id: string
  customerId: string
  method: TopUpMethod
  amountMinor: number
  asset: Asset
  /** The customer's account at another bank, where they named it. */
  from?: BankDetails
}

type Payout = {
  id: string
  customerId: string
  /** Who pays, as the payee's bank is told. */
  payerName: string
  amountMinor: number
  asset: Asset
  to: BankDetails
}

type Answer = 'accepted' | 'refused'

/**
 * Asks the provider to collect money. Asking again with the same id asks for the same. Answers whether it will try;
 * throws where that is not known.
 */
export function requestCollection(deps: Pick<Deps, 'config' | 'clock'>, collection: Collection): Promise<Answer> {
  return request(deps, 'collections', collection)
}

/** The same for money to pay out. */
export function requestPayout(deps: Pick<Deps, 'config' | 'clock'>, payout: Payout): Promise<Answer> {
  return request(deps, 'payouts', payout)
}

/** Tells the provider how something that it passed on stands, as it does for requests. */
export function reportStatus(
  deps: Pick<Deps, 'config' | 'clock'>,
  what: 'mandates' | 'debits',
  standing: { id: string; status: string; amountMinor?: number; asset?: Asset; reason?: string },
): Promise<Answer> {
  return send(deps, what, `${standing.id}:${standing.status}`, standing)
}

/** Sends a transfer back to whoever sent it. Asking again with the same id asks for the same, as with requests. */
export function returnTransfer(
  deps: Pick<Deps, 'config' | 'clock'>,
  transfer: { id: string; amountMinor: number; asset: Asset; reason: SentBackReason },
): Promise<Answer> {
  return send(deps, 'returns', transfer.id, transfer)
}

function request(
  deps: Pick<Deps, 'config' | 'clock'>,
  what: 'collections' | 'payouts',
  asked: Collection | Payout,
): Promise<Answer> {
  return send(deps, what, asked.id, { ...asked, callbackUrl: linkTo(deps.config, EVENTS_PATH) })
}

async function send(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  what: string,
  key: string,
  message: object,
): Promise<Answer> {
  if (!config.rail) throw new Error('No rail is configured')
  const { url, secret, timeoutMs } = config.rail
  const body = JSON.stringify(message)
  const { timestamp, signature } = sign(secret, body, clock.realNow())
  const answer = await inCall(`rail ${what}`, () =>
    fetch(`${url}/${what}`, {
      method: 'POST',
      headers: {
        ...traceHeaders(),
        'content-type': 'application/json',
        'idempotency-key': key,
        'alder-timestamp': timestamp,
        'alder-signature': signature,
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }),
  )
  // The status is enough: a body that never ends is not waited for.
  await answer.body?.cancel()
  if (answer.ok) return 'accepted'
  if (answer.status === REFUSED_FOR_GOOD) return 'refused'
  throw new Error(`The rail answered ${answer.status}`)
}
