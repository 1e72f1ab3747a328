import { z } from 'zod'
import { ASSET_CODES, MAX_AMOUNT_MINOR } from '#contract/money.ts'

/** An amount to move: a whole number of minor units, above zero. */
export const amountMinor = z.int().positive().max(MAX_AMOUNT_MINOR)

/** A signed amount, such as the balance of an account. */
export const signedMinor = z.int().min(-MAX_AMOUNT_MINOR).max(MAX_AMOUNT_MINOR)

export const asset = z.enum(ASSET_CODES)

/** An instant, ISO 8601 in UTC. */
export const instant = z.iso.datetime()

/** A calendar day, YYYY-MM-DD. */
export const day = z.iso.date()

/** The query parameters of every paged list. */
export const pageQuery = {
  cursor: z.string().min(1).max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
}

/** A name or a place from another system: at least one visible character, and no control characters. */
export const printedText = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text) && /[^\p{Z}\p{C}]/u.test(text), 'not text')

/** Text that a person typed, trimmed. Refuses U+0000 and lone surrogates, which PostgreSQL cannot store. */
export const typedText = z
  .string()
  .trim()
  .refine((text) => text.isWellFormed() && !text.includes('\0'), 'not text')
