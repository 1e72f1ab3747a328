import { z } from 'zod'
import { amountMinor, asset, instant, pageQuery, signedMinor, typedText } from '#contract/common.ts'

/** The maximum number of other people who share a bill, and the maximum number of members of a group. */
export const MAX_PEOPLE = 50
export const MAX_MEMBERS = 16

/** An email address or a phone number, in any common spelling. */
const address = typedText.min(1).max(254)
/** The customer's own name for a person. */
const name = typedText.min(1).max(100)
const description = typedText.max(140).optional()

export const DIVISIONS = ['equal', 'amounts', 'percents'] as const
export type Division = (typeof DIVISIONS)[number]

const bill = { totalMinor: amountMinor, asset: z.literal('USD'), description }
/** A share of a bill, in whole hundredths of a percent. */
const basisPoints = z.int().min(0).max(10_000)

/**
 * The ways to split a bill. The customer who splits the bill has paid it. The other people pay their shares to the customer.
 * The remainder is the customer's own share.
 */
const divisionFields = <Person extends z.ZodRawShape>(person: Person) => ({
  equal: z.strictObject({ ...bill, division: z.literal('equal'), people: z.array(z.strictObject(person)) }),
  /** The shares and the customer's own share add up to the total. The customer's own share may be 0. */
  amounts: z.strictObject({
    ...bill,
    division: z.literal('amounts'),
    people: z.array(z.strictObject({ ...person, amountMinor })),
    ownMinor: z.int().min(0),
  }),
  /** The shares and the customer's own share add up to 10,000 hundredths of a percent. */
  percents: z.strictObject({
    ...bill,
    division: z.literal('percents'),
    people: z.array(z.strictObject({ ...person, basisPoints: basisPoints.min(1) })),
    ownBasisPoints: basisPoints,
  }),
})

const withPeople = divisionFields({ address, name })
/** The id of the payment that is split, if the bill comes from a payment. */
const transactionId = z.string().max(100).optional()

export const splitRequest = z.discriminatedUnion('division', [
  withPeople.equal.extend({ transactionId }),
  withPeople.amounts.extend({ transactionId }),
  withPeople.percents.extend({ transactionId }),
])
export type SplitRequest = z.infer<typeof splitRequest>

/** The statuses of a person's share. */
const SHARE_STATUSES = ['open', 'paid', 'declined', 'cancelled', 'expired'] as const

const billShare = z.object({
  name: z.string(),
  initials: z.string(),
  amountMinor,
  paidMinor: z.int().min(0),
  status: z.enum(SHARE_STATUSES),
  /** The payment request for this share. */
  requestId: z.string(),
})

/** The statuses of a bill. `settled`: all shares are paid. `ended`: no share is open, and at least one share was not paid. */
const BILL_STATUSES = ['open', 'settled', 'ended'] as const

export const billSummary = z.object({
  id: z.string(),
  description: z.string().nullable(),
  totalMinor: amountMinor,
  asset,
  ownMinor: z.int().min(0),
  /** The sum that the other people have paid so far. */
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

const withMembers = divisionFields({ memberId: z.uuid() })
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
  /** True if the member is the customer who reads the group. */
  own: z.boolean(),
  /** False while the member is only invited. Bills include a member once the member has joined. */
  joined: z.boolean(),
  /** The amount that the other members owe this member; negative if this member owes the others. */
  balanceMinor: signedMinor,
})

/** A payment between two members. The group is settled by the lowest possible number of such payments. */
const settlement = z.object({ fromId: z.string(), toId: z.string(), amountMinor })

export const groupSummary = z.object({
  id: z.string(),
  name: z.string(),
  asset,
  /** True if the customer has joined the group; false if the customer is invited. */
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
  /** The customer's own share of the bill. */
  ownShareMinor: z.int().min(0),
  createdAt: instant,
})

export const groupDetail = groupSummary.extend({
  /** The latest bills, the newest first. */
  bills: z.array(groupBill),
  settleUp: z.array(settlement),
  /** The unpaid payment requests that members have sent to settle the group. */
  asked: z.array(settlement.extend({ requestId: z.string(), paidMinor: z.int().min(0) })),
})
export type GroupDetail = z.infer<typeof groupDetail>

export const groupList = z.object({ groups: z.array(groupSummary) })
export const groupResponse = z.object({ group: groupDetail })
