import { setTimeout as wait } from 'node:timers/promises'
import type { Bank } from '#server/bank.ts'
import { Refusal } from '#contract/errors.ts'
import { pendingMigrations } from '#server/db/migrate.ts'
import { runOn } from '#server/db/run.ts'
import { router } from '#server/http/router.ts'

/** How long the database has to answer, in milliseconds. */
const PATIENCE_MS = 1_000

async function isReady(bank: Pick<Bank, 'pool'>): Promise<boolean> {
  const giveUp = new AbortController()
  const answer = pendingMigrations(runOn(bank.pool)).then((pending) => pending.length === 0)
  const late = wait(PATIENCE_MS, false, { signal: giveUp.signal, ref: false })
  try {
    return await Promise.race([answer, late])
  } catch {
    return false
  } finally {
    giveUp.abort()
    // The loser of the race has nobody left to tell.
    answer.catch(() => undefined)
    late.catch(() => undefined)
  }
}

/** /healthz: the process lives. /readyz: it can serve, so the database answers and has every migration. */
export function healthRoutes(bank: Pick<Bank, 'pool'>) {
  return router()
    .get('/healthz', (c) => c.json({ status: 'alive' }))
    .get('/readyz', async (c) => {
      if (!(await isReady(bank))) throw new Refusal('unavailable')
      return c.json({ status: 'ready' })
    })
}
