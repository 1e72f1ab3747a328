import { z } from 'zod'
import { CARBON_CATEGORIES, GRAM_STEP } from '#contract/carbon-terms.ts'
import { amountMinor, asset, instant, pageQuery, signedMinor } from '#contract/common.ts'

/** A calendar month: YYYY-MM. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)
const grams = z.int().min(0)
const offsetGrams = z.int().positive().multipleOf(GRAM_STEP)

/** What a month's spending emitted, by the bank's own estimate. */
export const carbonFootprint = z.object({
  month,
  /** Those that can be looked at, oldest first. */
  months: z.array(month),
  /** The sum of the categories. */
  grams,
  categories: z.array(
    z.object({
      category: z.enum(CARBON_CATEGORIES),
      grams,
      /** Of the sum, whole per cent; together 100. */
      percent: z.int(),
      /** What was spent on it, refunds taken off. */
      spentMinor: signedMinor,
      asset,
      /** What the estimate counts for a dollar, in grams, rounded. */
      gramsPerDollar: z.int(),
    }),
  ),
  offsetGrams: grams,
  /** What is left to offset, and what that costs; null where nothing is left, or this bank offsets nothing. */
  offset: z.object({ grams: offsetGrams, amountMinor, asset }).nullable(),
  /** Who offsets: a sample bank pays nobody. Null where this bank offsets nothing. */
  offsetBy: z.enum(['sample']).nullable(),
})
export type CarbonFootprint = z.infer<typeof carbonFootprint>

export const footprintQuery = z.strictObject({ month: month.optional() })

/** What the customer was shown: so many grams of a month, for so much. */
export const offsetRequest = z.strictObject({ month, grams: offsetGrams, amountMinor, asset: z.literal('USD') })
export type OffsetRequest = z.infer<typeof offsetRequest>

/** What was offset, and the number that says so. */
export const carbonCertificate = z.object({
  id: z.string(),
  number: z.string(),
  month,
  grams: offsetGrams,
  amountMinor,
  asset,
  /** It is of a sample bank, and nobody was paid to offset anything. */
  isSample: z.boolean(),
  /** Business time. */
  offsetAt: instant,
})
export type CarbonCertificate = z.infer<typeof carbonCertificate>

export const certificateQuery = z.strictObject(pageQuery)
export const certificatePage = z.object({ certificates: z.array(carbonCertificate), nextCursor: z.string().nullable() })
