import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { admitAs } from '#server/bank/admission.ts'
import { limitBody } from '#server/platform/http/body.ts'
import { openRouter } from '#server/platform/http/router.ts'
import { HOOKS_WAIT_MS } from '#server/platform/jobs/date-gate.ts'
import { signedWith } from '#server/platform/http/signed-requests.ts'
import { parseStrictJson } from '#server/platform/http/strict-json.ts'
import { eventFields } from '#server/rails/event.ts'
import { EVENTS_PATH } from '#server/rails/provider.ts'

/** The fields of every event. The slice that handles the event reads the others. */
const event = z.looseObject({ type: z.string(), ...eventFields })

/**
 * Receives events from the configured provider: about the bank's requests, and about billers' requests. They come from a server
 * and not from a page. The route is therefore outside /api, and a signature replaces the session and the Origin check. A bank
 * without a provider does not have the route.
 */
export function railRoutes({ config, slices }: Pick<Deps, 'config' | 'slices'>) {
  const routes = openRouter()
  const { rail } = config
  if (!rail) return routes
  const eventTypes = slices.flatMap(({ railEvents = [] }) => railEvents)
  return routes.post(
    EVENTS_PATH,
    limitBody(),
    signedWith(rail.secret, rail.previousSecret),
    admitAs('payments', () => 'rails'),
    async (c) => {
      const deps = c.get('deps')
      const parsed = event.safeParse(parseStrictJson(await c.req.text())).data
      const events = eventTypes.find(({ types }) => types.includes(parsed?.type ?? ''))
      if (!parsed || !events) throw new Refusal('request_invalid')
      try {
        await deps.dates.pass(() => events.apply(deps, parsed), HOOKS_WAIT_MS)
      } catch (error) {
        const { type, id } = parsed
        // `unavailable` is the bank's problem and not an error of the rail.
        if (error instanceof Refusal && error.code !== 'unavailable')
          deps.log.error({ code: error.code, type, id }, 'a rail sent an impossible event')
        throw error
      }
      return c.json({}, 200)
    },
  )
}
