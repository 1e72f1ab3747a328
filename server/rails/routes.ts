import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { limitBody } from '#server/platform/http/body.ts'
import { openRouter } from '#server/platform/http/router.ts'
import { isPayoutEvent, railEvent } from '#server/rails/event.ts'
import { applyCollectionEvent } from '#server/rails/outcomes.ts'
import { applyPayoutEvent } from '#server/rails/payout-outcomes.ts'
import { EVENTS_PATH } from '#server/rails/provider.ts'
import { isSigned } from '#server/platform/signature.ts'

/**
 * Where the configured provider tells what became of a collection or a payout. It comes from a server and not from a page, so it
 * stands outside /api: a signature takes the place of session and Origin. A bank without a provider does not have it.
 */
export function railRoutes({ config }: Pick<Deps, 'config'>) {
  const routes = openRouter()
  const { rail } = config
  if (!rail) return routes
  return routes.post(EVENTS_PATH, limitBody, async (c) => {
    const deps = c.get('deps')
    const timestamp = c.req.header('alder-timestamp') ?? ''
    const signature = c.req.header('alder-signature') ?? ''
    const body = await c.req.text()
    if (!isSigned(rail.secret, body, { timestamp, signature }, deps.clock.realNow())) {
      throw new Refusal('signature_refused')
    }
    const event = railEvent.safeParse(parsed(body))
    if (!event.success) throw new Refusal('request_invalid')
    try {
      if (isPayoutEvent(event.data)) await applyPayoutEvent(deps, event.data)
      else await applyCollectionEvent(deps, event.data)
    } catch (error) {
      const { type, id } = event.data
      if (error instanceof Refusal)
        deps.log.error({ code: error.code, type, operationId: id }, 'a rail told what cannot be')
      throw error
    }
    return c.json({}, 200)
  })
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
