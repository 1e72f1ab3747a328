import { z } from 'zod'
import { ASSET_CODES, MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** An amount to move: a whole number of minor units, above zero. */
export const amountMinor = z.int().positive().max(MAX_AMOUNT_MINOR)

/** An amount as it stands on an account: signed. */
export const signedMinor = z.int().min(-MAX_AMOUNT_MINOR).max(MAX_AMOUNT_MINOR)

export const asset = z.enum(ASSET_CODES)

/** An instant, ISO 8601 in UTC. */
export const instant = z.iso.datetime()

/** A calendar day, YYYY-MM-DD. */
export const day = z.iso.date()

/** Query parameters of every list that pages. */
export const pageQuery = {
  cursor: z.string().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
}

/** A name or a place as other systems write them: something to see, and no control characters. */
export const printedText = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text) && /[^\p{Z}\p{C}]/u.test(text), 'not text')

/**
 * Text that a person typed, without the spaces around it. Refuses the two things a database does not keep: U+0000 and
 * half a surrogate pair.
 */
export const typedText = z
  .string()
  .trim()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not text')
