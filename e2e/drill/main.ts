import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { endAll } from '#server/faults/bank-process.ts'
import { BACKUP_AWAY, drillBackup } from './backup.ts'
import { openBank, type DrilledBank } from './bank.ts'
import { type AlertRecorder, type AlertTimes, openAlertRecorder } from './alert-recorder.ts'
import { FACTOR, type DrillFailure, listFailures } from './failures.ts'
import { openLoad } from './load.ts'
import { findPrometheus, openWatch, type PrometheusPrograms } from './prometheus.ts'
import { openOutsideServices } from './outside-services.ts'

/*
 * `npm run test:drill` runs a day of a live bank with two servers, and breaks one part after the other at random moments.
 * Prometheus watches with the rules of deploy/monitoring. Each failure must raise its alerts in time and no others. At the end,
 * every answered payment must be in the ledger once. All times of the rules are divided by FACTOR, so that the day takes 20
 * minutes. The drill uses the installed Prometheus, or else Debian's package. Without either, it prints a sentence and ends.
 * `-- WORD ...` runs only the failures whose names contain one of these words.
 */

const PER_SECOND = 10
/** The time in seconds without failures at the start, and the longest pause between two failures. */
const WELL_S = 30
const PAUSE_S = 20
/** The time in seconds within which the long failures start. */
const LONG_BEGIN_S = 60
/** The time limit of the drill in milliseconds, in case it hangs. */
const LIMIT_MS = 50 * 60_000

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((value) => ({ value, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ value }) => value)

/**
 * Runs all failures. The long ones start at random moments of the first minute; the others run one after the other, with
 * pauses.
 */
async function meetAll(failures: readonly DrillFailure[], conductor: AlertRecorder): Promise<AlertTimes[]> {
  const meetLong = async (failure: DrillFailure): Promise<AlertTimes> => {
    await sleep(Math.random() * LONG_BEGIN_S * 1_000)
    return conductor.meet(failure)
  }
  const meetShort = async (): Promise<AlertTimes[]> => {
    const pendingTimes: Promise<AlertTimes>[] = []
    for (const failure of shuffled(failures.filter(({ isLong }) => !isLong))) {
      await conductor.quiet(Object.keys(failure.raises))
      await new Promise<void>((onMended, reject) =>
        pendingTimes.push(conductor.meet(failure, onMended).catch(reject) as Promise<AlertTimes>),
      )
      await sleep(Math.random() * PAUSE_S * 1_000)
    }
    return Promise.all(pendingTimes)
  }
  const [short, ...long] = await Promise.all([meetShort(), ...failures.filter(({ isLong }) => isLong).map(meetLong)])
  return [...short, ...long]
}

const rowOf = ({ failure, rangAfterS, overAfterS, besides }: AlertTimes) => ({
  failure: failure.name,
  'alert, seconds to it':
    Object.keys(failure.raises)
      .map((name) => `${name} ${rangAfterS[name]?.toFixed(0) ?? 'MISSED'}`)
      .join(', ') || 'none',
  'seconds until over': overAfterS === null ? '' : Math.round(overAfterS),
  besides: [...besides].join(', '),
})

/** Proves the books of the bank. Returns the output if they do not balance. */
function booksOf({ environment }: DrilledBank): string[] {
  const env = { ...process.env, ...environment }
  const command = ['server/cli/books.ts', '--all']
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' })
  console.log(stdout.trim().split('\n').at(-1))
  return status === 0 ? [] : [`the books: ${stderr || stdout}`]
}

async function drill(programs: PrometheusPrograms, words: readonly string[]): Promise<string[]> {
  const dir = mkdtempSync('/var/tmp/alder-drill-')
  chmodSync(dir, 0o711)
  const isWanted = (name: string): boolean => words.length === 0 || words.some((word) => name.includes(word))
  const closers: (() => Promise<unknown>)[] = [
    async () => process.env['KEEP_DRILL'] || rmSync(dir, { recursive: true }),
  ]
  try {
    closers.push(endAll)
    const world = await openOutsideServices()
    closers.push(world.close)
    const bank = await openBank(join(dir, 'bank'), world)
    closers.push(bank.close)
    const ports = bank.servers.map(({ metricsPort }) => metricsPort)
    const load = await openLoad(bank, PER_SECOND)
    const watch = await openWatch(join(dir, 'prometheus'), programs, { ports, factor: FACTOR })
    closers.push(watch.stop)
    await sleep(WELL_S * 1_000)
    const conductor = openAlertRecorder(watch)
    closers.push(conductor.stop)
    const failures = listFailures({ bank, load, world }).filter(({ name }) => isWanted(name))
    const beside = isWanted(BACKUP_AWAY) ? [drillBackup(join(dir, 'backup'), programs)] : []
    const results = Promise.all([meetAll(failures, conductor), ...beside])
    const [alertTimes, ...otherDrills] = await Promise.race([results, ended()])
    await load.stop()
    await sleep(WELL_S * 1_000)
    console.table([...alertTimes, ...otherDrills.map((otherDrill) => otherDrill.met)].map(rowOf))
    console.table(load.count())
    return [
      ...conductor.wrong,
      ...otherDrills.flatMap((otherDrill) => otherDrill.wrong),
      ...(await load.verify()),
      ...booksOf(bank),
    ]
  } finally {
    for (const close of closers.toReversed()) await close()
  }
}

/** Rejects when a person stops the drill, or when it exceeds its time limit. */
function ended(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new Error(`Ended by ${signal}.`)))
    process.once('unhandledRejection', reject)
    setTimeout(() => reject(new Error('The drill took too long.')), LIMIT_MS).unref()
  })
}

const { positionals } = parseArgs({ allowPositionals: true })
const programs = process.platform === 'linux' ? findPrometheus('node_modules/.cache/prometheus') : null
if (programs) {
  const wrong = await drill(programs, positionals)
  for (const fault of wrong) console.error(fault)
  process.exit(wrong.length > 0 ? 1 : 0)
} else console.log('The drill was not made: it takes Prometheus, installed or from a package of Debian.')
