import { setTimeout as rest } from 'node:timers/promises'
import { dayBefore } from '#server/calendar/days.ts'
import { dayOf } from '#server/calendar/zone.ts'
import type { Seal } from '#server/ledger/seals/seal-format.ts'
import { lastSeal, sealStep, type StepSizes } from '#server/ledger/seals/sealing.ts'
import { checkFuture } from '#server/ledger/seals/verify.ts'
import type { Deps } from '#server/platform/deps.ts'
import { inTransaction, runIn } from '#server/platform/db/run.ts'
import { defineRecurringJob } from '#server/platform/jobs/job.ts'
import { enqueue } from '#server/platform/jobs/queue.ts'
import { keepersIn, publishHeadJob } from '#server/seals/publish-heads.ts'

type SealDeps = Pick<Deps, 'db' | 'clock' | 'config'>

/** The longest run, in milliseconds. The next run continues, for example with the past of an old bank. */
const RUN_MS = 60_000

/** Returns the last complete day of the bank. */
const lastDayOver = ({ clock }: Pick<Deps, 'clock'>): string => dayBefore(dayOf(clock.businessNow()))

/**
 * Seals the operations since the last seal, a few thousand at a time, and enqueues the publication of the head. Pauses as long
 * as it works, so that PostgreSQL has a core for customers. Returns null if the run took longer than `withinMs`.
 */
export async function sealBooks(
  deps: SealDeps,
  { withinMs = Infinity, sizes = {} }: { withinMs?: number; sizes?: StepSizes } = {},
): Promise<Seal | null> {
  const startedAt = performance.now()
  for (;;) {
    const stepBegun = performance.now()
    const seal = await inTransaction(deps.db, async (trx) => {
      const newSeal = await sealStep(runIn(trx), {
        ...sizes,
        day: lastDayOver(deps),
        sealedAt: deps.clock.realNow(),
      })
      if (newSeal)
        for (const keeper of keepersIn(deps.config))
          await enqueue(trx, publishHeadJob, { number: newSeal.number, keeper })
      return newSeal
    })
    const now = performance.now()
    if (seal) return seal
    if (now - startedAt >= withinMs) return null
    await rest(now - stepBegun)
  }
}

export const sealJob = defineRecurringJob({
  name: 'seals.seal_day',
  everyMinutes: 5,
  isDue: async (deps) => {
    const { day } = await lastSeal(runIn(deps.db))
    return day === null || day < lastDayOver(deps)
  },
  work: async (deps) => {
    const seal = await sealBooks(deps, { withinMs: RUN_MS })
    if (!seal) return
    const futureCheck = await checkFuture(runIn(deps.db))
    if (futureCheck.length > 0) deps.log.error({ left: futureCheck }, 'rows of the ledger are in no seal')
    deps.log.info({ seal: seal.number, head: seal.head, operations: seal.operations }, 'the ledger was sealed')
  },
})
