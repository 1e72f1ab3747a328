import { z } from 'zod'
import { ASK_INTENTS, SHOP_KINDS } from '#contract/advisor-terms.ts'
import { SPENDING } from '#contract/categories.ts'
import { ARTICLE_IDS } from '#contract/help-texts.ts'
import { isPeriod } from '#server/advisor/questions/periods.ts'

/** More than anybody has. */
const AMOUNT_MOST_MINOR = 1_000_000_000_00
/** How many questions one message may ask. */
export const ASKS_MOST = 3

/** One thing that is asked for. It holds no figure of the bank's: the rules find those, and word the reply. */
export const ask = z.strictObject({
  intent: z.enum(ASK_INTENTS),
  category: z.enum(SPENDING).nullable(),
  /** What a shop sells, where that is narrower than a category. */
  kind: z.enum(SHOP_KINDS).nullable(),
  /** Who was paid, or a savings goal, in the question's own words. */
  name: z.string().min(1).max(80).nullable(),
  /** US cents. */
  amountMinor: z.int().min(1).max(AMOUNT_MOST_MINOR).nullable(),
  /** As `daysOf` reads it; null for now, and for the month that runs. */
  period: z.string().max(21).refine(isPeriod).nullable(),
  /** The help article of a `how_to`. */
  article: z.enum(ARTICLE_IDS).nullable(),
})
export type Ask = z.infer<typeof ask>

/** What is asked, in its order; empty where it cannot be answered. */
export const selection = z.strictObject({ asks: z.array(ask).max(ASKS_MOST) })
export type Selection = z.infer<typeof selection>

export const NO_DETAILS: Omit<Ask, 'intent'> = {
  category: null,
  kind: null,
  name: null,
  amountMinor: null,
  period: null,
  article: null,
}
