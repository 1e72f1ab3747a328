import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/**
 * Refuses amounts that are not spelled as whole numbers. JSON's reader takes 1e3 for 1000 and 10.0 for 10; whoever
 * sends that did not mean minor units. Throws Refusal `amount_invalid` naming the field.
 */
export const wholeAmounts = createMiddleware<ApiEnv>(async (c, next) => {
  const field = notWhole(await c.req.text())
  if (field) throw new Refusal('amount_invalid', field)
  return next()
})

const NOT_WHOLE = /Minor"\s*:\s*-?\d+[.eE]/

/** The first amount in a JSON text that is spelled with a point or an exponent. Text that is no JSON is refused elsewhere. */
function notWhole(text: string): string | undefined {
  // Nearly all bodies spell their keys as they are and have no such number, which one look tells.
  if (!text.includes('\\') && !NOT_WHOLE.test(text)) return undefined
  let found: string | undefined
  const look = (key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value === 'number' && key.endsWith('Minor') && /[.eE]/.test(context?.source ?? '')) found ??= key
    return value
  }
  try {
    JSON.parse(text, look)
  } catch {
    return undefined
  }
  return found
}
