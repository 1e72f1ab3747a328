import { z } from 'zod'
import { ASK_INTENTS, SHOP_KINDS } from '#contract/advisor-terms.ts'
import { SPENDING } from '#contract/categories.ts'
import { ARTICLE_IDS } from '#contract/help-texts.ts'
import { isPeriod } from '#server/advisor/questions/periods.ts'

/** The largest amount that a question may name, in US cents. No customer has more. */
const MAX_QUESTION_AMOUNT_MINOR = 1_000_000_000_00
/** The largest number of questions in one message. */
export const MAX_ASKS = 3

/** One question. It contains no figures of the bank: the rules find those and word the reply. */
export const advisorAsk = z.strictObject({
  intent: z.enum(ASK_INTENTS),
  category: z.enum(SPENDING).nullable(),
  /** The kind of shop. Set only if it is narrower than a category. */
  kind: z.enum(SHOP_KINDS).nullable(),
  /** A payee or a savings goal, in the question's own words. */
  name: z.string().min(1).max(80).nullable(),
  /** The amount that the question names, in US cents. */
  amountMinor: z.int().min(1).max(MAX_QUESTION_AMOUNT_MINOR).nullable(),
  /** A period that `daysOf` reads. Null for now and for the current month. */
  period: z.string().max(21).refine(isPeriod).nullable(),
  /** The help article for a `how_to`. */
  article: z.enum(ARTICLE_IDS).nullable(),
})
export type AdvisorAsk = z.infer<typeof advisorAsk>

/** The questions in order. Empty if the message cannot be answered. */
export const modelSelection = z.strictObject({ asks: z.array(advisorAsk).max(MAX_ASKS) })
export type ModelSelection = z.infer<typeof modelSelection>

export const NO_DETAILS: Omit<AdvisorAsk, 'intent'> = {
  category: null,
  kind: null,
  name: null,
  amountMinor: null,
  period: null,
  article: null,
}
