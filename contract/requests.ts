import { z } from 'zod'
import { amountMinor, asset, instant, typedText } from '#contract/common.ts'
import { MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** How long a request may be paid. */
export const REQUEST_DAYS = 14

export const newRequest = z.strictObject({
  /** Who is asked, by email address or phone number in any common spelling; left out for a link that anyone may pay. */
  recipient: typedText.min(1).max(254).optional(),
  amountMinor,
  asset: z.literal('USD'),
  note: typedText.max(140).optional(),
})
export type NewRequest = z.infer<typeof newRequest>

export const requestStatus = z.enum(['open', 'paid', 'declined', 'cancelled', 'expired'])
export type RequestStatus = z.infer<typeof requestStatus>

/** A request as one of its two sides sees it. Times are business times. */
export const moneyRequest = z.object({
  id: z.string(),
  /** Whether the customer who reads it asked for the money, or is asked for it. */
  side: z.enum(['requester', 'payer']),
  /** The other side: the requester's name, or what the requester calls whom they ask; null of a link, which anyone may pay. */
  name: z.string().nullable(),
  amountMinor,
  paidMinor: z.int().min(0).max(MAX_AMOUNT_MINOR),
  asset,
  note: z.string().nullable(),
  status: requestStatus,
  createdAt: instant,
  expiresAt: instant,
  closedAt: instant.nullable(),
  /** From when on the requester may remind the payer; null where there is nobody to remind. */
  remindableAt: instant.nullable(),
  /** For the payer: whether it is from somebody they had not dealt with when they were asked. */
  fromStranger: z.boolean(),
  /** Of a link: its address. */
  url: z.string().nullable(),
})
export type MoneyRequest = z.infer<typeof moneyRequest>

export const requestEvent = z.object({
  id: z.string(),
  kind: z.enum(['asked', 'reminded', 'paid', 'declined', 'cancelled', 'expired']),
  at: instant,
  /** Of a payment: who paid, and how much. */
  name: z.string().nullable(),
  amountMinor: amountMinor.nullable(),
})
export type RequestEvent = z.infer<typeof requestEvent>

/** With what happened to it, oldest first. */
export const requestDetail = z.object({ request: moneyRequest, history: z.array(requestEvent) })
export type RequestDetail = z.infer<typeof requestDetail>

export const requestResponse = z.object({ request: moneyRequest })

/** All of what is left, or a part of it. */
export const requestPayment = z.strictObject({ amountMinor, asset: z.literal('USD') })
export type RequestPayment = z.infer<typeof requestPayment>

/** What the holder of a request's link sees. */
export const linkedRequest = z.object({
  requesterName: z.string(),
  amountMinor,
  paidMinor: z.int().min(0).max(MAX_AMOUNT_MINOR),
  asset,
  note: z.string().nullable(),
  status: requestStatus,
  expiresAt: instant,
  /** Whether the one who reads it has made it, and so cannot pay it. */
  own: z.boolean(),
})
export type LinkedRequest = z.infer<typeof linkedRequest>

/** Blocks whoever asked. `report` also tells those who run the bank of the request. */
export const requestBlock = z.strictObject({ report: z.boolean() })
export type RequestBlock = z.infer<typeof requestBlock>

/** Somebody whose requests the customer does not see. */
export const blockedRequester = z.object({ id: z.string(), name: z.string(), blockedAt: instant })
export type BlockedRequester = z.infer<typeof blockedRequester>

export const blockedRequesters = z.object({ blocked: z.array(blockedRequester) })

/** Of either side the open ones first, then the latest that are over; and whom the customer has blocked. */
export const requestList = z.object({
  received: z.array(moneyRequest),
  sent: z.array(moneyRequest),
  blocked: z.array(blockedRequester),
})
export type RequestList = z.infer<typeof requestList>
