import { createMiddleware } from 'hono/factory'
import { Refusal } from '#contract/errors.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'

/**
 * Refuses amounts that are not written as whole numbers. JSON.parse reads 1e3 as 1000 and 10.0 as 10, but a client that sends
 * these did not mean minor units. Throws Refusal `amount_invalid` with the name of the field.
 */
export const wholeAmounts = createMiddleware<ApiEnv>(async (c, next) => {
  const field = notWhole(await c.req.text())
  if (field) throw new Refusal('amount_invalid', field)
  return next()
})

const NOT_WHOLE = /Minor"\s*:\s*-?\d+[.eE]/

/**
 * Returns the name of the first field of a JSON text whose amount has a point or an exponent. Returns undefined if no amount
 * has one. Invalid JSON is refused elsewhere.
 */
function notWhole(text: string): string | undefined {
  // Nearly all bodies have neither escaped keys nor such a number. One search excludes them.
  if (!text.includes('\\') && !NOT_WHOLE.test(text)) return undefined
  let problem: string | undefined
  const checkValue = (key: string, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value === 'number' && key.endsWith('Minor') && /[.eE]/.test(context?.source ?? '')) problem ??= key
    return value
  }
  try {
    JSON.parse(text, checkValue)
  } catch {
    return undefined
  }
  return problem
}
