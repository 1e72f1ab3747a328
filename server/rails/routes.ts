import { z } from 'zod'
import { Refusal } from '#contract/errors.ts'
import type { Deps } from '#server/platform/deps.ts'
import { admitAs } from '#server/bank/admission.ts'
import { limitBody } from '#server/platform/http/body.ts'
import { openRouter } from '#server/platform/http/router.ts'
import { HOOKS_WAIT_MS } from '#server/platform/jobs/date-gate.ts'
import { signedWith } from '#server/platform/http/signed.ts'
import { parseUnambiguous } from '#server/platform/http/unambiguous.ts'
import { eventFields } from '#server/rails/event.ts'
import { EVENTS_PATH } from '#server/rails/provider.ts'

/** What every event has; the rest is read by the slice that knows what to do with it. */
const event = z.looseObject({ type: z.string(), ...eventFields })

/**
 * Where the configured provider tells what became of what it was asked for, and what billers ask. It comes from a server and not from a page, so it stands
 * outside /api: a signature takes the place of session and Origin. A bank without a provider does not have it.
 */
export function railRoutes({ config, slices }: Pick<Deps, 'config' | 'slices'>) {
  const routes = openRouter()
  const { rail } = config
  if (!rail) return routes
  const known = slices.flatMap(({ railEvents = [] }) => railEvents)
  return routes.post(
    EVENTS_PATH,
    limitBody(),
    signedWith(rail.secret, rail.previousSecret),
    admitAs('payments', () => 'rails'),
    async (c) => {
      const deps = c.get('deps')
      const told = event.safeParse(parseUnambiguous(await c.req.text())).data
      const events = known.find(({ types }) => types.includes(told?.type ?? ''))
      if (!told || !events) throw new Refusal('request_invalid')
      try {
        await deps.dates.pass(() => events.apply(deps, told), HOOKS_WAIT_MS)
      } catch (error) {
        const { type, id } = told
        // Where the bank cannot, it is no fault of the rail's.
        if (error instanceof Refusal && error.code !== 'unavailable')
          deps.log.error({ code: error.code, type, id }, 'a rail told what cannot be')
        throw error
      }
      return c.json({}, 200)
    },
  )
}
