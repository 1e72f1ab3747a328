import { setTimeout as wait } from 'node:timers/promises'
import type { Deps } from '#server/platform/deps.ts'
import { Refusal } from '#contract/errors.ts'
import { pendingMigrations } from '#server/platform/db/migrate.ts'
import { runOn } from '#server/platform/db/run.ts'
import { lateParts } from '#server/platform/lateness.ts'
import { openRouter } from '#server/platform/http/router.ts'

/** How long the database has to answer, in milliseconds. */
const PATIENCE_MS = 1_000

async function isReady(deps: Pick<Deps, 'pool'>): Promise<boolean> {
  const giveUp = new AbortController()
  const answer = pendingMigrations(runOn(deps.pool)).then((pending) => pending.length === 0)
  const late = wait(PATIENCE_MS, false, { signal: giveUp.signal, ref: false })
  try {
    return await Promise.race([answer, late])
  } catch {
    return false
  } finally {
    giveUp.abort()
    // The loser of the race is ignored.
    answer.catch(() => undefined)
    late.catch(() => undefined)
  }
}

/**
 * /healthz: the process lives. /readyz: it can serve, so the database answers and has every migration; `late` names what
 * works behind it and is behind time, which is a reason to look and none to send requests elsewhere.
 */
export function healthRoutes(deps: Deps) {
  const look = async () => ((await isReady(deps)) ? { status: 'ready', late: await lateParts(deps) } : null)
  // Anybody may ask, however often: requests during a check share its result.
  let looking: ReturnType<typeof look> | null = null
  const lookOnce = () =>
    (looking ??= look().finally(() => {
      looking = null
    }))
  return openRouter()
    .get('/healthz', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      const found = await lookOnce()
      if (!found) throw new Refusal('unavailable')
      return c.json(found)
    })
}
