import type { Deps } from '#server/platform/deps.ts'
import { pageUrl } from '#server/mail/link.ts'
import { sign } from '#server/platform/signature.ts'
import { inCall, traceHeaders } from '#server/platform/telemetry/trace.ts'
import type { BankDetails } from '#server/rails/bank-details.ts'
import type { TopUpMethod } from '#contract/accounts.ts'
import type { SentBackReason } from '#contract/incoming-transfers.ts'
import type { Asset } from '#contract/money.ts'

/** The path for a provider's events. */
export const EVENTS_PATH = '/hooks/rails'

/** The HTTP status of a provider's final refusal. After any other error the request is repeated. */
const REFUSED_FOR_GOOD = 422

type Collection = {
  id: string
  customerId: string
  method: TopUpMethod
  amountMinor: number
  asset: Asset
  /** The customer's account at another bank, if the customer named it. */
  from?: BankDetails
}

type Payout = {
  id: string
  customerId: string
  /** The payer's name as the payee's bank receives it. */
  payerName: string
  amountMinor: number
  asset: Asset
  to: BankDetails
}

type Answer = 'accepted' | 'refused'

/**
 * Requests the collection of money. A repetition with the same id is the same request. Returns whether the provider accepted or
 * refused the request; throws if that is unknown.
 */
export function requestCollection(deps: Pick<Deps, 'config' | 'clock'>, collection: Collection): Promise<Answer> {
  return request(deps, 'collections', collection)
}

/** Requests a payout, with the same rules as `requestCollection`. */
export function requestPayout(deps: Pick<Deps, 'config' | 'clock'>, payout: Payout): Promise<Answer> {
  return request(deps, 'payouts', payout)
}

/** Reports the status of a mandate or debit that the provider passed on, in the same way as a request. */
export function reportStatus(
  deps: Pick<Deps, 'config' | 'clock'>,
  resource: 'mandates' | 'debits',
  reportBody: { id: string; status: string; amountMinor?: number; asset?: Asset; reason?: string },
): Promise<Answer> {
  return send(deps, resource, `${reportBody.id}:${reportBody.status}`, reportBody)
}

/** Sends a transfer back to its sender. A repetition with the same id is the same request. */
export function returnTransfer(
  deps: Pick<Deps, 'config' | 'clock'>,
  transfer: { id: string; amountMinor: number; asset: Asset; reason: SentBackReason },
): Promise<Answer> {
  return send(deps, 'returns', transfer.id, transfer)
}

function request(
  deps: Pick<Deps, 'config' | 'clock'>,
  resource: 'collections' | 'payouts',
  content: Collection | Payout,
): Promise<Answer> {
  return send(deps, resource, content.id, { ...content, callbackUrl: pageUrl(deps.config, EVENTS_PATH) })
}

async function send(
  { config, clock }: Pick<Deps, 'config' | 'clock'>,
  resource: string,
  key: string,
  message: object,
): Promise<Answer> {
  if (!config.rail) throw new Error('No rail is configured')
  const { url, secret, timeoutMs } = config.rail
  const body = JSON.stringify(message)
  const { timestamp, signature } = sign(secret, body, clock.realNow())
  const answer = await inCall(`rail ${resource}`, () =>
    fetch(`${url}/${resource}`, {
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
  // The status alone is the answer. The body is not read, because it may be endless.
  await answer.body?.cancel()
  if (answer.ok) return 'accepted'
  if (answer.status === REFUSED_FOR_GOOD) return 'refused'
  throw new Error(`The rail answered ${answer.status}`)
}
