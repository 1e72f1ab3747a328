import { join } from 'node:path'
import type { Deps } from '#server/platform/deps.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { CARD_SCHEME_SECRET, openCards } from './card-scheme.ts'
import { inProcess } from './child.ts'
import { MIX_KINDS, type MixKind, type DayLoadParameters, type DayReport, DAY_KINDS, MIX } from './day-load.ts'
import { openSenders } from './http.ts'
import { percentile } from './measure.ts'
import { ownMs, postgresMs } from './processor-time.ts'
import { openPeopleWithPassword, PASSWORD } from './sign-ins.ts'
import { serve } from './serve.ts'

/** The results of one kind of request under one load. */
export type DayFigure = {
  load: string
  kind: string
  done_per_s: number
  refused_per_s: number
  failed: number
  p50_ms: number
  p99_ms: number
  refused_p99_ms: number
}

/**
 * The processor time of a request under one load, in milliseconds, for the server's process and for PostgreSQL. The value for
 * PostgreSQL is null if the system does not count processor time. Neither value includes the process that sends the load.
 */
export type DayCost = {
  load: string
  requests: number
  refused: number
  done_per_s: number
  node_ms: number
  postgres_ms: number | null
}

type Options = { deps: Deps; dataFolder: string; seconds: number }

const CUSTOMERS = 500
/** The number of concurrent requests while one kind is measured by itself. */
const ALONE = 8
const AT_ONCE = [1, 8, 64, 256]
/** The offered rates, as multiples of the highest rate that the bank completed. */
const OFFERED = [0.5, 1, 2]

/**
 * Measures a day at the bank in three parts: each kind of request by itself, a mix of all kinds from users who wait for each
 * answer, and the mix at a steady rate. The steady rate goes up to twice the bank's capacity. The bank must be configured with
 * CARD_SCHEME_SECRET, and it must trust the IP addresses in the headers of the requests (TRUST_PROXY).
 */
export async function benchDay({ deps, dataFolder, seconds }: Options) {
  const { url, close } = await serve(deps)
  const jobs = await startJobs(deps)
  const figures: DayFigure[] = []
  const costs: DayCost[] = []
  const measure = async (load: string, parameters: DayLoadParameters): Promise<DayCost> => {
    const measurement = await offer(load, parameters, dataFolder)
    figures.push(...measurement.figures)
    costs.push(measurement.cost)
    return measurement.cost
  }
  try {
    const parameters: DayLoadParameters = {
      url,
      secret: CARD_SCHEME_SECRET,
      seconds,
      perSecond: null,
      users: ALONE,
      mix: MIX,
      probes: false,
      people: await openSenders(deps, CUSTOMERS),
      cards: await openCards(deps),
      signIns: { emails: await openPeopleWithPassword(deps, CUSTOMERS), password: PASSWORD },
    }
    await offer('to warm up', { ...parameters, seconds: 3 }, dataFolder)
    for (const kind of MIX_KINDS) await measure(NAMES[kind], { ...parameters, mix: [[kind, 100]] })
    let maxDonePerSecond = 0
    for (const users of AT_ONCE) {
      const { done_per_s: donePerSecond, refused } = await measure(`the mix, ${users} at once`, {
        ...parameters,
        users,
        probes: true,
      })
      // If the bank refused requests, the completed requests are not the mix of a day anymore. Their rate is not the bank's
      // capacity.
      if (refused === 0) maxDonePerSecond = Math.max(maxDonePerSecond, donePerSecond)
    }
    for (const share of OFFERED) {
      const perSecond = Math.round(maxDonePerSecond * share)
      await measure(`the mix, ${perSecond} offered a second`, { ...parameters, perSecond, probes: true })
    }
    return { figures, costs }
  } finally {
    await jobs.stop()
    close()
  }
}

const NAMES: Record<MixKind, string> = {
  dashboard: 'dashboards alone',
  transactions: 'lists of transactions alone',
  send: 'sends alone',
  authorise: 'card payments alone, with their captures',
  sign_in: 'sign-ins alone',
}

async function offer(
  load: string,
  parameters: DayLoadParameters,
  dataFolder: string,
): Promise<{ figures: DayFigure[]; cost: DayCost }> {
  const pgdata = join(dataFolder, 'postgres')
  const cpuBefore = { node: ownMs(), postgres: postgresMs(pgdata) }
  const { kinds, seconds } = await inProcess<DayReport>(new URL('./day-load.ts', import.meta.url), parameters)
  const cpuAfter = { node: ownMs(), postgres: postgresMs(pgdata) }
  const figures = DAY_KINDS.filter((kind) => {
    const { doneMs, refusedMs, failed } = kinds[kind]
    return doneMs.length + refusedMs.length + failed > 0
  }).map((kind) => {
    const { doneMs, refusedMs, failed } = kinds[kind]
    return {
      load,
      kind,
      done_per_s: round(doneMs.length / seconds, 1),
      refused_per_s: round(refusedMs.length / seconds, 1),
      failed,
      p50_ms: Math.round(percentile(doneMs, 0.5)),
      p99_ms: Math.round(percentile(doneMs, 0.99)),
      refused_p99_ms: Math.round(percentile(refusedMs, 0.99)),
    }
  })
  // An authorization and its capture are one card payment, so captures are not counted as requests.
  const requests = MIX_KINDS.reduce((sum, kind) => sum + kinds[kind].doneMs.length, 0)
  const perRequest = (ms: number): number => round(ms / Math.max(1, requests), 3)
  const postgres =
    cpuBefore.postgres === null || cpuAfter.postgres === null ? null : cpuAfter.postgres - cpuBefore.postgres
  return {
    figures,
    cost: {
      load,
      requests,
      refused: DAY_KINDS.reduce((sum, kind) => sum + kinds[kind].refusedMs.length, 0),
      done_per_s: round(requests / seconds, 1),
      node_ms: perRequest(cpuAfter.node - cpuBefore.node),
      postgres_ms: postgres === null ? null : perRequest(postgres),
    },
  }
}

const round = (value: number, digits: number): number => Number(value.toFixed(digits))
