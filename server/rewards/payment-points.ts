import type { Deps } from '#server/platform/deps.ts'
import { countingDay, type PointsCause } from '#server/rewards/causes.ts'
import { openWriteBuffer, type WriteBuffer } from '#server/platform/write-buffer.ts'
import { earnPoints, earnsPoints } from '#server/rewards/earning.ts'

/**
 * The number of pairs of payer and payee that a server remembers for the current day, to avoid repeated queries about their
 * points.
 */
const MAX_REMEMBERED = 50_000

/** Payments between customers, and captured card payments. */
type Payment = Extract<PointsCause, { kind: 'send' | 'card' }>
type Send = Extract<PointsCause, { kind: 'send' }>

export type PaymentPointsDeps = Parameters<typeof earnPoints>[0] & Pick<Deps, 'log'>

/** A buffer of committed payments. Their points are given in batches, so that no payment waits for its points. */
export type PaymentPoints = WriteBuffer<Payment>

declare module '#server/platform/deps.ts' {
  interface Deps {
    paymentPoints: PaymentPoints
  }
}

/**
 * Opens the buffer. If a server stops before it has given the points, a sweep gives them: on another server, or on the same
 * server after its next start. `sweepSends` is for payments between customers, `sweepCaptures` for card payments.
 */
export function openPaymentPoints(deps: PaymentPointsDeps): PaymentPoints {
  const pairs = rememberPairs()
  const points = openWriteBuffer<Payment>({
    waitMs: 250,
    batch: 200,
    // The buffer ignores payments beyond this number. The sweeps give their points.
    most: 50_000,
    write: (payments) => earnPoints(deps, payments),
    // An example of such an error: the payer closes at the same moment.
    onError: (error, { causeId }) =>
      deps.log.warn({ err: error, operationId: causeId }, 'a payment earned no points yet'),
  })
  const add = (payment: Payment) => {
    if (earnsPoints(payment) && !(payment.kind === 'send' && pairs(payment))) points.add(payment)
  }
  return { ...points, add }
}

/**
 * Returns a function that remembers who paid whom on a day. It returns true if it remembers that pair already. A pair earns
 * points once a day, so a second payment needs no query.
 */
function rememberPairs(): (send: Send) => boolean {
  const pairs = new Set<string>()
  let today = ''
  return (send) => {
    const day = countingDay(send)
    if (day !== today || pairs.size >= MAX_REMEMBERED) pairs.clear()
    today = day
    const pair = `${send.customerId} ${send.recipientId}`
    if (pairs.has(pair)) return true
    pairs.add(pair)
    return false
  }
}
