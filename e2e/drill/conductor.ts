import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure } from './failures.ts'
import type { Ringing, Watch } from './prometheus.ts'

/** What was met with of one failure, in seconds. */
export type Met = {
  failure: Failure
  /** How long after its beginning each of its alerts rang. */
  rangAfterS: Record<string, number>
  /** How long after it was mended the last of them was over; null where none rang. */
  overAfterS: number | null
  /** What rang besides and may. */
  besides: Set<string>
}

type Open = Met & { begunAt: number; mendedAt: number | null; lastRangAt: number | null }

export type Conductor = {
  /** Begins a failure, mends it once its alerts have rung, and waits until they are over. `onMended` is told in between. */
  meet(failure: Failure, onMended?: () => void): Promise<Met>
  /** Resolves once nothing of these rings and no failure under way may make it ring. */
  quiet(names: readonly string[]): Promise<void>
  /** What is wrong: alerts that were missed, and those that rang for nothing. */
  wrong: string[]
  stop(): Promise<void>
}

const LOOK_MS = 1_000
/** How long alerts may take until they are over, in seconds: the longest of their windows, and what a job waits until it is tried again. */
const OVER_S = 900
/** What is silent for so long is over; servers that were just started have not yet read what stands in the tables. Seconds. */
const SILENT_S = 60

/** Whether this rings: an alert by its name, or by its name and what it is about. */
const rings = (key: string, { name, about }: Ringing): boolean => key === name || key === `${name} ${about}`
const expected = ({ raises, also = [] }: Failure): string[] => [...Object.keys(raises), ...also]

/** Watches what rings, and knows what may. */
export function openConductor(watch: Watch): Conductor {
  const open = new Set<Open>()
  const wrong: string[] = []
  const falsely = new Set<string>()
  let ringing: Ringing[] = []
  let blindAt = -Infinity
  let isGoing = true

  const look = (now: number): void => {
    for (const one of open)
      for (const alert of ringing) {
        const key = Object.keys(one.failure.raises).find((raised) => rings(raised, alert))
        if (key !== undefined) {
          one.rangAfterS[key] ??= (now - one.begunAt) / 1_000
          one.lastRangAt = now
        } else if (one.failure.also?.some((may) => rings(may, alert))) one.besides.add(alert.name)
      }
    for (const alert of ringing) {
      const isMeant = [...open].some(({ failure }) => expected(failure).some((meant) => rings(meant, alert)))
      const key = `${alert.name} ${alert.about}`
      if (isMeant) continue
      if (!falsely.has(key)) {
        const meanwhile = [...open].map(({ failure }) => failure.name).join('; ')
        wrong.push(`${key} rang for nothing, while: ${meanwhile || 'all was well'}`)
        console.log(`${time()} FALSE ${key}`)
      }
      falsely.add(key)
    }
  }
  const looking = (async () => {
    while (isGoing) {
      // What rang stays where Prometheus is too busy to say.
      ringing = await watch.ringing().catch(() => ringing)
      if ([...open].some(({ failure, mendedAt }) => failure.blinds && mendedAt === null)) blindAt = performance.now()
      look(performance.now())
      await sleep(LOOK_MS)
    }
  })()

  async function untilRung(one: Open): Promise<void> {
    const { raises, name, lastsS } = one.failure
    const limitS = Math.max(lastsS ?? 0, ...Object.values(raises))
    // A rule counts from the beginning once it can see again. The rules of what blinds the others see it.
    const countedFrom = (): number => (one.failure.blinds ? one.begunAt : Math.max(one.begunAt, blindAt))
    const isLate = () => performance.now() - countedFrom() > limitS * 1_000
    while (!isLate() && (lastsS !== undefined || !Object.keys(raises).every((alert) => alert in one.rangAfterS)))
      await sleep(LOOK_MS)
    for (const [alert, mostS] of Object.entries(raises)) {
      const rangAfterS = one.rangAfterS[alert]
      if (rangAfterS === undefined) wrong.push(`${alert} was missed: ${name}`)
      else if (one.begunAt / 1_000 + rangAfterS - countedFrom() / 1_000 > mostS)
        wrong.push(`${alert} was late, after ${rangAfterS.toFixed(0)} s: ${name}`)
    }
  }

  async function untilOver(one: Open): Promise<void> {
    const mendedAt = performance.now()
    one.mendedAt = mendedAt
    const stillRings = () => ringing.some((alert) => expected(one.failure).some((meant) => rings(meant, alert)))
    let silentAt = performance.now()
    while (performance.now() - silentAt < SILENT_S * 1_000) {
      if (stillRings()) silentAt = performance.now()
      if (silentAt - mendedAt > OVER_S * 1_000) {
        wrong.push(`It still rings ${OVER_S} s after it was mended: ${one.failure.name}`)
        break
      }
      await sleep(LOOK_MS)
    }
    one.overAfterS = one.lastRangAt === null ? null : Math.max(0, one.lastRangAt - mendedAt) / 1_000
  }

  return {
    wrong,
    meet: async (failure, onMended) => {
      const one: Open = {
        failure,
        begunAt: performance.now(),
        mendedAt: null,
        lastRangAt: null,
        rangAfterS: {},
        overAfterS: null,
        besides: new Set(),
      }
      open.add(one)
      console.log(`${time()} begins: ${failure.name}`)
      await failure.begin()
      await untilRung(one)
      await failure.mend()
      console.log(`${time()} mended: ${failure.name} ${JSON.stringify(one.rangAfterS)}`)
      onMended?.()
      await untilOver(one)
      open.delete(one)
      return one
    },
    quiet: async (names) => {
      const mayRing = () =>
        ringing.some((alert) => names.some((name) => rings(name, alert))) ||
        [...open].some(({ failure }) => expected(failure).some((name) => names.includes(name)))
      while (mayRing()) await sleep(LOOK_MS)
    },
    stop: async () => {
      isGoing = false
      await looking
    },
  }
}

const time = (): string => new Date().toISOString().slice(11, 19)
