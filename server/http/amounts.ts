import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import type { BankEnv } from '#server/http/context.ts'

/** An amount with a point or an exponent, wherever it stands in the body; inside a text its quotes would be escaped. */
const FRACTIONAL = /"(\w*Minor)"\s*:\s*-?\d+[.eE]/

/**
 * Refuses amounts that are not spelled as whole numbers. JSON's reader takes 1e3 for 1000 and 10.0 for 10; whoever
 * sends that did not mean minor units. Throws Refusal `amount_invalid` naming the field.
 */
export const wholeAmounts = createMiddleware<BankEnv>(async (c, next) => {
  const [, field] = FRACTIONAL.exec(await c.req.text()) ?? []
  if (field) throw new Refusal('amount_invalid', field)
  return next()
})
