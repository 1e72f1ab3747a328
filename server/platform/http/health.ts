import type { Deps } from '#server/platform/deps.ts'
import { Refusal } from '#contract/errors.ts'
import { readLateness } from '#server/platform/lateness-snapshot.ts'
import { bodyOf } from '#server/platform/http/errors.ts'
import { openRouter } from '#server/platform/http/router.ts'

/** The paths that load balancers may request with HTTP/1.0 and without a Host header. */
export const HEALTH_PATHS: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

/**
 * Returns the health routes.
 *
 * - /healthz: whether the process is alive.
 * - /readyz: whether the server can serve. The database must answer, must have every migration of this version, and must have
 *   none that this version is incompatible with. `reason` is a sentence about an incompatible migration; other failures have no
 *   reason. `late` names delayed background work, and `held` names the holds of a restored bank. Both need attention, but
 *   requests need not go to another server.
 *
 * Neither route waits behind other requests: otherwise an overloaded bank would lose one server after another.
 */
export function healthRoutes(deps: Pick<Deps, 'readiness' | 'lateness' | 'clock' | 'held'>) {
  return openRouter()
    .get('/healthz', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      const isReady = await deps.readiness.now()
      const reason = deps.readiness.outdated()
      if (reason !== null) return c.json({ ...bodyOf(new Refusal('unavailable')), reason }, 503)
      if (!isReady) throw new Refusal('unavailable')
      const heldKinds = deps.held.kinds()
      return c.json({ status: 'ready', ...(heldKinds.length > 0 ? { held: heldKinds } : {}), ...readLateness(deps) })
    })
}
