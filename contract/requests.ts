import { z } from 'zod'
import { amountMinor, asset, instant, typedText } from '#contract/common.ts'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** The number of days after which an unpaid request expires. */
export const REQUEST_DAYS = 14

export const newRequest = z.strictObject({
  /**
   * The payer's email address or phone number, in any common spelling. Missing for a payment link, which any person may pay.
   */
  recipient: typedText.min(1).max(254).optional(),
  amountMinor,
  asset: z.literal('USD'),
  note: typedText.max(140).optional(),
})
export type NewRequest = z.infer<typeof newRequest>

export const requestStatus = z.enum(['open', 'paid', 'declined', 'cancelled', 'expired'])
export type RequestStatus = z.infer<typeof requestStatus>

/** A payment request, as one of its two parties sees it. */
export const moneyRequest = z.object({
  id: z.string(),
  /** The role of the customer who reads the request. */
  side: z.enum(['requester', 'payer']),
  /**
   * The name of the other party. The requester sees the payer's name in the contacts, or the address as the requester typed it.
   * Null if the reader is the requester of a payment link, because any person may pay it.
   */
  name: z.string().nullable(),
  amountMinor,
  paidMinor: z.int().min(0).max(MAX_AMOUNT_MINOR),
  asset,
  note: z.string().nullable(),
  status: requestStatus,
  createdAt: instant,
  expiresAt: instant,
  closedAt: instant.nullable(),
  /**
   * The time from which the requester may send a reminder. Null for the payer, and for a payment link, which has no payer to
   * remind.
   */
  remindableAt: instant.nullable(),
  /** True if the reader is the payer, and had no contact with the requester before the request. */
  fromStranger: z.boolean(),
  /** The URL of a payment link; null for any other request. */
  url: z.string().nullable(),
})
export type MoneyRequest = z.infer<typeof moneyRequest>

export const requestEvent = z.object({
  id: z.string(),
  kind: z.enum(['asked', 'reminded', 'paid', 'declined', 'cancelled', 'expired']),
  at: instant,
  /** The name of the payer, and the amount paid. Both are null unless the event is a payment. */
  name: z.string().nullable(),
  amountMinor: amountMinor.nullable(),
})
export type RequestEvent = z.infer<typeof requestEvent>

/** A request with its history, the oldest event first. */
export const requestDetail = z.object({ request: moneyRequest, history: z.array(requestEvent) })
export type RequestDetail = z.infer<typeof requestDetail>

export const requestResponse = z.object({ request: moneyRequest })

/** A payment of a request: the remaining amount, or a part of it. */
export const requestPayment = z.strictObject({ amountMinor, asset: z.literal('USD') })
export type RequestPayment = z.infer<typeof requestPayment>

/** A payment request, as a visitor of its link sees it. */
export const linkedRequest = z.object({
  requesterName: z.string(),
  amountMinor,
  paidMinor: z.int().min(0).max(MAX_AMOUNT_MINOR),
  asset,
  note: z.string().nullable(),
  status: requestStatus,
  expiresAt: instant,
  /** True if the signed-in customer made the request. A requester cannot pay their own request. */
  own: z.boolean(),
})
export type LinkedRequest = z.infer<typeof linkedRequest>

/** A request to block the requester. If `report` is true, the payment request is also reported to the operators of the bank. */
export const requestBlock = z.strictObject({ report: z.boolean() })
export type RequestBlock = z.infer<typeof requestBlock>

/** A requester whom the customer has blocked. */
export const blockedRequester = z.object({ id: z.string(), name: z.string(), blockedAt: instant })
export type BlockedRequester = z.infer<typeof blockedRequester>

export const blockedRequesters = z.object({ blocked: z.array(blockedRequester) })

/**
 * The payment requests that the customer has received and sent, and the requesters whom the customer has blocked. Open requests
 * are first, followed by the latest closed ones.
 */
export const requestList = z.object({
  received: z.array(moneyRequest),
  sent: z.array(moneyRequest),
  blocked: z.array(blockedRequester),
})
export type RequestList = z.infer<typeof requestList>
