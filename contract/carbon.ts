import { z } from 'zod'
import { CARBON_CATEGORIES, GRAM_STEP } from '#contract/carbon-terms.ts'
import { amountMinor, asset, instant, pageQuery, signedMinor } from '#contract/common.ts'

/** A calendar month: YYYY-MM. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)
const grams = z.int().min(0)
const offsetGrams = z.int().positive().multipleOf(GRAM_STEP)

/** The emissions of a month's spending, estimated by the bank. */
export const carbonFootprint = z.object({
  month,
  /** The months from the first with emissions to the current one, at most twelve, the oldest first. */
  months: z.array(month),
  /** The emissions of all categories together, in grams. */
  grams,
  categories: z.array(
    z.object({
      category: z.enum(CARBON_CATEGORIES),
      grams,
      /** The category's share of the emissions, in whole percent. The shares add up to 100, or to 0 without emissions. */
      percent: z.int(),
      /** The spending in the category, less refunds. */
      spentMinor: signedMinor,
      asset,
      /** The estimated emissions for each US dollar spent, in whole grams. */
      gramsPerDollar: z.int(),
    }),
  ),
  offsetGrams: grams,
  /**
   * The emissions that can still be offset, and the price. Null if all emissions are offset, or if this bank offers no offsets.
   */
  offset: z.object({ grams: offsetGrams, amountMinor, asset }).nullable(),
  /**
   * The provider of offsets. `sample` means that this is a sample bank, which pays no provider. Null if this bank offers no
   * offsets.
   */
  offsetBy: z.enum(['sample']).nullable(),
})
export type CarbonFootprint = z.infer<typeof carbonFootprint>

export const footprintQuery = z.strictObject({ month: month.optional() })

/** A customer's acceptance of an offer, with the grams and the price that the screen showed. */
export const offsetRequest = z.strictObject({ month, grams: offsetGrams, amountMinor, asset: z.literal('USD') })
export type OffsetRequest = z.infer<typeof offsetRequest>

/** The certificate of an offset, with its number. */
export const carbonCertificate = z.object({
  id: z.string(),
  number: z.string(),
  month,
  grams: offsetGrams,
  amountMinor,
  asset,
  /** True for a certificate of a sample bank, which paid no provider. */
  isSample: z.boolean(),
  /** The time of the offset, in business time. */
  offsetAt: instant,
})
export type CarbonCertificate = z.infer<typeof carbonCertificate>

export const certificateQuery = z.strictObject(pageQuery)
export const certificatePage = z.object({ certificates: z.array(carbonCertificate), nextCursor: z.string().nullable() })
