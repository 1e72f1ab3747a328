import { createMiddleware } from 'hono/factory'
import { cardMessage } from '#contract/card-scheme.ts'
import { Refusal } from '#contract/errors.ts'
import { receiveMessage } from '#server/card-scheme/receive.ts'
import type { Deps } from '#server/platform/deps.ts'
import { admitAs } from '#server/platform/http/admission.ts'
import { wholeAmounts } from '#server/platform/http/amounts.ts'
import { limitBody } from '#server/platform/http/body.ts'
import type { ApiEnv } from '#server/platform/http/context.ts'
import { refusalOfInvalid } from '#server/platform/http/errors.ts'
import { openRouter } from '#server/platform/http/router.ts'
import { parseUnambiguous } from '#server/platform/http/unambiguous.ts'
import { isOverload } from '#server/platform/concurrency.ts'
import { isSigned } from '#server/platform/signature.ts'

/**
 * Where a card scheme sends its messages (docs/card-scheme.md). They come from a server and not from a page, so the route
 * stands outside /api: a signature takes the place of session and Origin. A bank without a scheme does not have it.
 */
export function cardSchemeRoutes({ config }: Pick<Deps, 'config'>) {
  const routes = openRouter()
  const { cardSchemeSecret: secret } = config
  if (secret === null) return routes
  return routes.post('/hooks/cards', limitBody, admitAs('cards'), signedWith(secret), wholeAmounts, async (c) => {
    const deps = c.get('deps')
    const { outgoing } = c.env
    const told = parseUnambiguous(await c.req.text())
    const message = cardMessage.safeParse(told)
    if (!message.success) throw refusalOfInvalid(told, message.error)
    try {
      return c.json(await receiveMessage(deps, message.data, () => !outgoing.destroyed), 200)
    } catch (error) {
      const { type, messageId, authorisationId } = message.data
      if (error instanceof Refusal && !isOverload(error))
        deps.log.warn({ code: error.code, type, messageId, authorisationId }, 'the card scheme told what cannot be')
      throw error
    }
  })
}

const signedWith = (secret: string) =>
  createMiddleware<ApiEnv>(async (c, next) => {
    const timestamp = c.req.header('alder-timestamp') ?? ''
    const signature = c.req.header('alder-signature') ?? ''
    const now = c.get('deps').clock.realNow()
    if (!isSigned(secret, await c.req.text(), { timestamp, signature }, now)) throw new Refusal('signature_refused')
    return next()
  })
