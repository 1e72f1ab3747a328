import { availableParallelism, cpus } from 'node:os'
import type { Deps } from '#server/platform/deps.ts'
import { startJobs } from '#server/platform/jobs/worker.ts'
import { CARD_SCHEME_SECRET, openCards } from './card-scheme.ts'
import { inProcess } from './child.ts'
import { openSenders } from './http.ts'
import { percentile } from './measure.ts'
import { KINDS, type MixedOrder, type MixedReport } from './mixed-load.ts'
import { openPeopleWithPassword, PASSWORD } from './sign-ins.ts'
import { serve } from './serve.ts'

/** One kind of request at one load; seconds and shares are of the whole run. */
export type OverloadFigure = {
  offered: string
  kind: string
  done_per_s: number
  refused_per_s: number
  failed: number
  p50_ms: number
  p99_ms: number
  refused_p99_ms: number
}

/** How much of the machine's processors each took, in percent of all of them; `others` includes PostgreSQL. */
export type OverloadCpu = { offered: string; done_per_s: number; node: number; load: number; others: number }

type Options = { deps: Deps; seconds: number; times?: number[] }

const CUSTOMERS = 500
/** How many users ask at the same time while the maximum is measured. */
const USERS = 24

/**
 * Finds the most requests a second that the bank can do of a mix (people who look, pay and sign in, and cards that pay), then
 * offers it multiples of that, whether or not it keeps up. The bank must have the scheme's secret and believe what the
 * load says of its addresses (TRUST_PROXY).
 */
export async function benchOverload({ deps, seconds, times = [0.5, 1, 2] }: Options) {
  const { url, close } = await serve(deps)
  const jobs = await startJobs(deps)
  try {
    const order: MixedOrder = {
      url,
      secret: CARD_SCHEME_SECRET,
      seconds,
      perSecond: null,
      users: USERS,
      people: await openSenders(deps, CUSTOMERS),
      cards: await openCards(deps),
      signIns: { emails: await openPeopleWithPassword(deps, CUSTOMERS), password: PASSWORD },
    }
    await offer({ ...order, seconds: 2 }, 'to warm up')
    const most = await offer(order, `${USERS} at a time`)
    const figures = [most.figures]
    const shares = [most.cpu]
    for (const many of times) {
      const perSecond = Math.round(most.cpu.done_per_s * many)
      const offered = await offer({ ...order, perSecond }, `${many} times: ${perSecond}/s`)
      figures.push(offered.figures)
      shares.push(offered.cpu)
    }
    return { figures: figures.flat(), shares }
  } finally {
    await jobs.stop()
    close()
  }
}

function busyMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0)
}

const ownMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

async function offer(order: MixedOrder, offered: string): Promise<{ figures: OverloadFigure[]; cpu: OverloadCpu }> {
  const [busyBefore, ownBefore] = [busyMs(), ownMs()]
  const report = await inProcess<MixedReport>(new URL('./mixed-load.ts', import.meta.url), order)
  const { kinds, seconds, cpuMs } = report
  const [busy, own] = [busyMs() - busyBefore, ownMs() - ownBefore]
  const figures = KINDS.map((kind) => {
    const { doneMs, refusedMs, failed } = kinds[kind]
    return {
      offered,
      kind,
      done_per_s: round(doneMs.length / seconds),
      refused_per_s: round(refusedMs.length / seconds),
      failed,
      p50_ms: Math.round(percentile(doneMs, 0.5)),
      p99_ms: Math.round(percentile(doneMs, 0.99)),
      refused_p99_ms: Math.round(percentile(refusedMs, 0.99)),
    }
  })
  const percent = (ms: number) => Math.round((ms / (seconds * 1_000 * availableParallelism())) * 100)
  const done = KINDS.filter((kind) => kind !== 'readyz').reduce((sum, kind) => sum + kinds[kind].doneMs.length, 0)
  const cpu = {
    offered,
    done_per_s: round(done / seconds),
    node: percent(own),
    load: percent(cpuMs),
    others: percent(Math.max(0, busy - own - cpuMs)),
  }
  return { figures, cpu }
}

const round = (value: number): number => Number(value.toFixed(1))
