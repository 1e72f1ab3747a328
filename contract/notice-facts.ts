import { z } from 'zod'
import { SPENDING } from '#contract/categories.ts'
import { declineReason } from '#contract/card-scheme.ts'
import { amountMinor, asset, day, instant } from '#contract/common.ts'
import { reviewReason } from '#contract/kyc.ts'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'
import { FUNDS } from '#contract/markets.ts'
import { OWED_CAUSES } from '#contract/owed.ts'

/** The reasons why a direct debit was not paid. */
export const UNPAID_REASONS = ['insufficient_funds', 'limit', 'other'] as const
export type UnpaidReason = (typeof UNPAID_REASONS)[number]

/** The groups of parameters that notices contain. The texts of a notice are created in the reader's language. */
export const FACTS = {
  money: { amountMinor, asset },
  name: { name: z.string() },
  /** The id of the transaction of the notice; missing if no screen shows the transaction. */
  transaction: { transactionId: z.string().optional() },
  request: { requestId: z.string() },
  part: { paid: z.enum(['part', 'all']) },
  left: { left: z.enum(['some', 'none']) },
  /**
   * The decline of a card payment. `cardId` is the id of the customer's card; it is missing in notices of earlier versions.
   * `mostMinor` is the highest limit that a card can have; it is present only if the payment exceeded this limit.
   */
  decline: { reason: declineReason, cardId: z.string().optional(), mostMinor: amountMinor.optional() },
  card: { lastFour: z.string() },
  day: { dueOn: day },
  cause: { cause: z.enum(OWED_CAUSES) },
  /** The method of the top-up. It is missing in notices of earlier versions, all of which were about bank transfers. */
  method: { method: z.enum(['card', 'bank', 'wallet']).default('bank') },
  returned: { reason: z.enum(RETURN_REASONS) },
  sentBack: { limit: z.enum(['balance_limit', 'unverified_limit']) },
  unpaid: { reason: z.enum(UNPAID_REASONS) },
  /** The time from which money can be withdrawn from the goal. */
  unlocks: { unlocksAt: instant },
  review: { reason: reviewReason.nullable() },
  group: { groupName: z.string(), groupId: z.string() },
  update: { update: z.enum(['portfolios_open']) },
  feature: { feature: z.enum(['send_to_anyone']) },
  side: { side: z.enum(['buy', 'sell']) },
  fund: { fund: z.enum(FUNDS) },
  uninvested: { reason: z.enum(['funds', 'unsuitable', 'other']) },
  /** The reason why a scheduled payment was not made. `funds`: the balance was too low. */
  delayed: { reason: z.enum(['funds', 'other']) },
  unbought: { reason: z.enum(['funds', 'paused', 'other']) },
  category: { category: z.enum(SPENDING) },
  before: { beforeMinor: amountMinor },
  /** The offset emissions in grams, and the number of the certificate. */
  offset: { grams: z.int().positive(), certificate: z.string() },
  /** The month that has ended, YYYY-MM. */
  month: { month: z.string() },
  sentences: { title: z.string(), message: z.string() },
} as const satisfies Record<string, z.ZodRawShape>

export type Fact = keyof typeof FACTS

/** The combined type of several facts. */
export type FactsOf<Facts> = Facts extends readonly [infer First extends Fact, ...infer Rest]
  ? z.infer<z.ZodObject<(typeof FACTS)[First]>> & FactsOf<Rest>
  : {}
