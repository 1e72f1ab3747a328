import type { Deps } from '#server/platform/deps.ts'
import { Refusal } from '#contract/errors.ts'
import { knownLate } from '#server/platform/known-late.ts'
import { bodyOf } from '#server/platform/http/errors.ts'
import { openRouter } from '#server/platform/http/router.ts'

/** Balancers may ask with HTTP/1.0, and without naming a host. */
export const HEALTH_PATHS: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz'])

/**
 * /healthz: the process lives. /readyz: it can serve, so the database answers, has every migration, and none that this
 * version cannot serve beside (`reason` says which). `late` names what works behind it and is behind time, and `held` what a
 * restored bank holds back: reasons to look, and none to send requests elsewhere. Neither route waits for
 * what other requests wait for, or a bank with too much to do would lose its servers one after the other.
 */
export function healthRoutes(deps: Pick<Deps, 'readiness' | 'lateness' | 'clock' | 'held'>) {
  return openRouter()
    .get('/healthz', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      const ready = await deps.readiness.now()
      const reason = deps.readiness.outdated()
      if (reason !== null) return c.json({ ...bodyOf(new Refusal('unavailable')), reason }, 503)
      if (!ready) throw new Refusal('unavailable')
      const held = deps.held.kinds()
      return c.json({ status: 'ready', ...(held.length > 0 ? { held } : {}), ...knownLate(deps) })
    })
}
