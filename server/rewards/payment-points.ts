import type { Deps } from '#server/platform/deps.ts'
import { countedOn, type PointsCause } from '#server/rewards/causes.ts'
import { gather, type Gathered } from '#server/platform/gather.ts'
import { earnPoints, isEnough } from '#server/rewards/earning.ts'

/** How many sends a server remembers of the day, by who paid whom, so that it need not ask again whether they earn. */
const MOST_REMEMBERED = 50_000

/** Sends, and what shops took of cards. */
type Payment = Extract<PointsCause, { kind: 'send' | 'card' }>
type Send = Extract<PointsCause, { kind: 'send' }>

export type PaymentPointsDeps = Parameters<typeof earnPoints>[0] & Pick<Deps, 'log'>

/** Payments that earn points a moment after their commit, together, so that no payment waits for them. */
export type PaymentPoints = Gathered<Payment>

declare module '#server/platform/deps.ts' {
  interface Deps {
    paymentPoints: PaymentPoints
  }
}

/** A server that dies before it has given them leaves them to the sweep of another, or its own next start. */
export function openPaymentPoints(deps: PaymentPointsDeps): PaymentPoints {
  const asked = rememberPairs()
  const points = gather<Payment>({
    waitMs: 250,
    batch: 200,
    // What is left out earns when the sweep finds it.
    most: 50_000,
    write: (payments) => earnPoints(deps, payments),
    // Such as one by somebody who closes at this moment.
    onError: (error, { causeId }) =>
      deps.log.warn({ err: error, operationId: causeId }, 'a payment earned no points yet'),
  })
  const add = (payment: Payment) => {
    if (isEnough(payment) && !(payment.kind === 'send' && asked(payment))) points.add(payment)
  }
  return { ...points, add }
}

/** Whether the one has paid the other before on that day: a pair earns once, so asking again would be in vain. */
function rememberPairs(): (send: Send) => boolean {
  const pairs = new Set<string>()
  let today = ''
  return (send) => {
    const day = countedOn(send)
    if (day !== today || pairs.size >= MOST_REMEMBERED) pairs.clear()
    today = day
    const pair = `${send.customerId} ${send.recipientId}`
    if (pairs.has(pair)) return true
    pairs.add(pair)
    return false
  }
}
