import { z } from 'zod'
import { SPENDING } from '#contract/categories.ts'
import { declineReason } from '#contract/card-scheme.ts'
import { amountMinor, asset, day, instant } from '#contract/common.ts'
import { reviewReason } from '#contract/kyc.ts'
import { RETURN_REASONS } from '#contract/linked-accounts.ts'
import { FUNDS } from '#contract/markets.ts'
import { OWED_CAUSES } from '#contract/owed.ts'

/** Why a direct debit was not paid. */
export const UNPAID_REASONS = ['insufficient_funds', 'limit', 'other'] as const
export type UnpaidReason = (typeof UNPAID_REASONS)[number]

/** What notices tell. The words are the reader's language's. */
export const FACTS = {
  money: { amountMinor, asset },
  name: { name: z.string() },
  /** The transaction that it is about, where a screen shows it. */
  transaction: { transactionId: z.string().optional() },
  request: { requestId: z.string() },
  part: { paid: z.enum(['part', 'all']) },
  left: { left: z.enum(['some', 'none']) },
  /**
   * `cardId`: the customer's card; notices of earlier versions don't say it. `mostMinor`: what no limit of a card can be raised over,
   * where that is why.
   */
  decline: { reason: declineReason, cardId: z.string().optional(), mostMinor: amountMinor.optional() },
  card: { lastFour: z.string() },
  day: { dueOn: day },
  cause: { cause: z.enum(OWED_CAUSES) },
  /** How the money was to come. Notices of earlier versions were all of a bank's. */
  method: { method: z.enum(['card', 'bank', 'wallet']).default('bank') },
  returned: { reason: z.enum(RETURN_REASONS) },
  sentBack: { limit: z.enum(['balance_limit', 'unverified_limit']) },
  unpaid: { reason: z.enum(UNPAID_REASONS) },
  /** When the goal can be withdrawn from. */
  unlocks: { unlocksAt: instant },
  review: { reason: reviewReason.nullable() },
  group: { groupName: z.string(), groupId: z.string() },
  update: { update: z.enum(['portfolios_open']) },
  feature: { feature: z.enum(['send_to_anyone']) },
  side: { side: z.enum(['buy', 'sell']) },
  fund: { fund: z.enum(FUNDS) },
  uninvested: { reason: z.enum(['funds', 'unsuitable', 'other']) },
  /** Why a scheduled payment was not made: there was too little money, or it was refused for another reason. */
  delayed: { reason: z.enum(['funds', 'other']) },
  unbought: { reason: z.enum(['funds', 'paused', 'other']) },
  category: { category: z.enum(SPENDING) },
  before: { beforeMinor: amountMinor },
  /** `certificate`: its number. */
  offset: { grams: z.int().positive(), certificate: z.string() },
  /** The one that has ended, YYYY-MM. */
  month: { month: z.string() },
  sentences: { title: z.string(), message: z.string() },
} as const satisfies Record<string, z.ZodRawShape>

export type Fact = keyof typeof FACTS

/** All of some facts. */
export type FactsOf<Facts> = Facts extends readonly [infer First extends Fact, ...infer Rest]
  ? z.infer<z.ZodObject<(typeof FACTS)[First]>> & FactsOf<Rest>
  : {}
