import { setTimeout as sleep } from 'node:timers/promises'
import type { DrillFailure } from './failures.ts'
import type { FiringAlert, PrometheusWatch } from './prometheus.ts'

/** The alerts of one failure, with times in seconds. */
export type AlertTimes = {
  failure: DrillFailure
  /** The time from the start of the failure to each of its alerts. */
  rangAfterS: Record<string, number>
  /** The time from the repair to the end of the last alert, or null if no alert fired. */
  overAfterS: number | null
  /** Other alerts that fired and are allowed. */
  besides: Set<string>
}

type Open = AlertTimes & { begunAt: number; mendedAt: number | null; lastRangAt: number | null }

export type AlertRecorder = {
  /**
   * Starts a failure. Repairs it once its alerts have fired or their time limit is over. Then calls `onMended`, and waits until
   * the alerts are over.
   */
  meet(failure: DrillFailure, onMended?: () => void): Promise<AlertTimes>
  /** Resolves once none of these alerts fires and no current failure can make one fire. */
  quiet(names: readonly string[]): Promise<void>
  /** The faults: alerts that did not fire, and alerts that fired without a cause. */
  wrong: string[]
  stop(): Promise<void>
}

const LOOK_MS = 1_000
/** The time within which alerts must end, in seconds: the longest of their windows plus the longest retry delay of a job. */
const OVER_S = 900
/**
 * An alert counts as over after this many seconds of silence. Servers that have just started have not yet read the figures from
 * the tables.
 */
const SILENT_S = 60

/** Returns whether `key` means this alert: by its name, or by its name and its subject. */
const isAlert = (key: string, { name, about }: FiringAlert): boolean => key === name || key === `${name} ${about}`
const expectedKeys = ({ raises, also = [] }: DrillFailure): string[] => [...Object.keys(raises), ...also]

/** Records the alerts that fire, and reports those that no current failure explains. */
export function openAlertRecorder(watch: PrometheusWatch): AlertRecorder {
  const openIncidents = new Set<Open>()
  const faults: string[] = []
  const falseAlertKeys = new Set<string>()
  let ringingAlerts: FiringAlert[] = []
  let blindAt = -Infinity
  let isGoing = true

  const matchAlerts = (now: number): void => {
    for (const incident of openIncidents)
      for (const alert of ringingAlerts) {
        const key = Object.keys(incident.failure.raises).find((raised) => isAlert(raised, alert))
        if (key !== undefined) {
          incident.rangAfterS[key] ??= (now - incident.begunAt) / 1_000
          incident.lastRangAt = now
        } else if (incident.failure.also?.some((may) => isAlert(may, alert))) incident.besides.add(alert.name)
      }
    for (const alert of ringingAlerts) {
      const isMeant = [...openIncidents].some(({ failure }) =>
        expectedKeys(failure).some((meant) => isAlert(meant, alert)),
      )
      const key = `${alert.name} ${alert.about}`
      if (isMeant) continue
      if (!falseAlertKeys.has(key)) {
        const meanwhile = [...openIncidents].map(({ failure }) => failure.name).join('; ')
        faults.push(`${key} rang for nothing, while: ${meanwhile || 'all was well'}`)
        console.log(`${time()} FALSE ${key}`)
      }
      falseAlertKeys.add(key)
    }
  }
  const lookLoop = (async () => {
    while (isGoing) {
      // If Prometheus is too busy to answer, the last known alerts stay.
      ringingAlerts = await watch.ringing().catch(() => ringingAlerts)
      if ([...openIncidents].some(({ failure, mendedAt }) => failure.blinds && mendedAt === null))
        blindAt = performance.now()
      matchAlerts(performance.now())
      await sleep(LOOK_MS)
    }
  })()

  async function untilRung(incident: Open): Promise<void> {
    const { raises, name, lastsS } = incident.failure
    const limitS = Math.max(lastsS ?? 0, ...Object.values(raises))
    // While a failure blinds the bank, other rules see nothing, so their time starts again afterwards. The rules of the
    // blinding failure itself do see it.
    const countedFrom = (): number => (incident.failure.blinds ? incident.begunAt : Math.max(incident.begunAt, blindAt))
    const isLate = () => performance.now() - countedFrom() > limitS * 1_000
    while (!isLate() && (lastsS !== undefined || !Object.keys(raises).every((alert) => alert in incident.rangAfterS)))
      await sleep(LOOK_MS)
    for (const [alert, mostS] of Object.entries(raises)) {
      const rangAfterS = incident.rangAfterS[alert]
      if (rangAfterS === undefined) faults.push(`${alert} was missed: ${name}`)
      else if (incident.begunAt / 1_000 + rangAfterS - countedFrom() / 1_000 > mostS)
        faults.push(`${alert} was late, after ${rangAfterS.toFixed(0)} s: ${name}`)
    }
  }

  async function untilOver(incident: Open): Promise<void> {
    const mendedAt = performance.now()
    incident.mendedAt = mendedAt
    const stillRings = () =>
      ringingAlerts.some((alert) => expectedKeys(incident.failure).some((meant) => isAlert(meant, alert)))
    let silentAt = performance.now()
    while (performance.now() - silentAt < SILENT_S * 1_000) {
      if (stillRings()) silentAt = performance.now()
      if (silentAt - mendedAt > OVER_S * 1_000) {
        faults.push(`It still rings ${OVER_S} s after it was mended: ${incident.failure.name}`)
        break
      }
      await sleep(LOOK_MS)
    }
    incident.overAfterS = incident.lastRangAt === null ? null : Math.max(0, incident.lastRangAt - mendedAt) / 1_000
  }

  return {
    wrong: faults,
    meet: async (failure, onMended) => {
      const incident: Open = {
        failure,
        begunAt: performance.now(),
        mendedAt: null,
        lastRangAt: null,
        rangAfterS: {},
        overAfterS: null,
        besides: new Set(),
      }
      openIncidents.add(incident)
      console.log(`${time()} begins: ${failure.name}`)
      await failure.begin()
      await untilRung(incident)
      await failure.mend()
      console.log(`${time()} mended: ${failure.name} ${JSON.stringify(incident.rangAfterS)}`)
      onMended?.()
      await untilOver(incident)
      openIncidents.delete(incident)
      return incident
    },
    quiet: async (names) => {
      const mayRing = () =>
        ringingAlerts.some((alert) => names.some((name) => isAlert(name, alert))) ||
        [...openIncidents].some(({ failure }) => expectedKeys(failure).some((name) => names.includes(name)))
      while (mayRing()) await sleep(LOOK_MS)
    },
    stop: async () => {
      isGoing = false
      await lookLoop
    },
  }
}

const time = (): string => new Date().toISOString().slice(11, 19)
