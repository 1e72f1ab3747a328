import { z } from 'zod'
import { amountMinor, asset, instant, pageQuery, signedMinor, typedText } from '#contract/common.ts'

/** How many others may share a bill, and how many people a group may have. */
export const MOST_PEOPLE = 50
export const MOST_MEMBERS = 16

/** An email address or a phone number, in any common spelling. */
const address = typedText.min(1).max(254)
/** What the customer calls somebody. */
const name = typedText.min(1).max(100)
const description = typedText.max(140).optional()

export const DIVISIONS = ['equal', 'amounts', 'percents'] as const
export type Division = (typeof DIVISIONS)[number]

const bill = { totalMinor: amountMinor, asset: z.literal('USD'), description }
/** Whole hundredths of a per cent. */
const basisPoints = z.int().min(0).max(10_000)

/** Whoever splits a bill has paid it; the others pay their shares, and their own is what is left. */
const divided = <Person extends z.ZodRawShape>(person: Person) => ({
  equal: z.strictObject({ ...bill, division: z.literal('equal'), people: z.array(z.strictObject(person)) }),
  /** All shares with the customer's own, which may be 0, add up to the total. */
  amounts: z.strictObject({
    ...bill,
    division: z.literal('amounts'),
    people: z.array(z.strictObject({ ...person, amountMinor })),
    ownMinor: z.int().min(0),
  }),
  /** All shares with the customer's own add up to 10,000. */
  percents: z.strictObject({
    ...bill,
    division: z.literal('percents'),
    people: z.array(z.strictObject({ ...person, basisPoints: basisPoints.min(1) })),
    ownBasisPoints: basisPoints,
  }),
})

const withPeople = divided({ address, name })
/** The payment that is split, by its id, where it is one. */
const transactionId = z.string().max(100).optional()

export const splitRequest = z.discriminatedUnion('division', [
  withPeople.equal.extend({ transactionId }),
  withPeople.amounts.extend({ transactionId }),
  withPeople.percents.extend({ transactionId }),
])
export type SplitRequest = z.infer<typeof splitRequest>

/** What has become of somebody's share. */
const SHARE_STATUSES = ['open', 'paid', 'declined', 'cancelled', 'expired'] as const

const billShare = z.object({
  name: z.string(),
  initials: z.string(),
  amountMinor,
  paidMinor: z.int().min(0),
  status: z.enum(SHARE_STATUSES),
  /** The request that was made for it. */
  requestId: z.string(),
})

/** `settled`: all shares are paid. `ended`: none is open any more, and some were not paid. */
const BILL_STATUSES = ['open', 'settled', 'ended'] as const

export const billSummary = z.object({
  id: z.string(),
  description: z.string().nullable(),
  totalMinor: amountMinor,
  asset,
  ownMinor: z.int().min(0),
  /** What the others have paid of their shares so far. */
  paidMinor: z.int().min(0),
  status: z.enum(BILL_STATUSES),
  createdAt: instant,
  shares: z.array(billShare),
})
export type Bill = z.infer<typeof billSummary>

export const billResponse = z.object({ bill: billSummary })
export const billQuery = z.strictObject(pageQuery)
export const billPage = z.object({ bills: z.array(billSummary), nextCursor: z.string().nullable() })

export const newGroup = z.strictObject({
  name: typedText.min(1).max(60),
  people: z.array(z.strictObject({ address, name })),
})
export const newMembers = z.strictObject({ people: z.array(z.strictObject({ address, name })) })

const withMembers = divided({ memberId: z.uuid() })
export const groupBillRequest = z.discriminatedUnion('division', [
  withMembers.equal,
  withMembers.amounts,
  withMembers.percents,
])
export type GroupBillRequest = z.infer<typeof groupBillRequest>

const groupMember = z.object({
  id: z.string(),
  name: z.string(),
  initials: z.string(),
  /** Whether the one who asks is this member. */
  own: z.boolean(),
  /** An invited member takes part in bills once they have joined. */
  joined: z.boolean(),
  /** What the others owe them; below zero what they owe. */
  balanceMinor: signedMinor,
})

/** One of the fewest payments that bring everybody to zero. */
const settlement = z.object({ fromId: z.string(), toId: z.string(), amountMinor })

export const groupSummary = z.object({
  id: z.string(),
  name: z.string(),
  asset,
  /** Whether the one who asks has joined; else they are invited. */
  joined: z.boolean(),
  balanceMinor: signedMinor,
  members: z.array(groupMember),
})
export type Group = z.infer<typeof groupSummary>

const groupBill = z.object({
  id: z.string(),
  paidBy: z.string(),
  description: z.string().nullable(),
  totalMinor: amountMinor,
  asset,
  /** What of it is the share of the one who asks. */
  ownShareMinor: z.int().min(0),
  createdAt: instant,
})

export const groupDetail = groupSummary.extend({
  /** The latest, newest first. */
  bills: z.array(groupBill),
  settleUp: z.array(settlement),
  /** Requests by which the group settles up that nobody has paid yet. */
  asked: z.array(settlement.extend({ requestId: z.string(), paidMinor: z.int().min(0) })),
})
export type GroupDetail = z.infer<typeof groupDetail>

export const groupList = z.object({ groups: z.array(groupSummary) })
export const groupResponse = z.object({ group: groupDetail })
