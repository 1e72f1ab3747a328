import { dayOf } from '#server/calendar/zone.ts'
import { randomUUID } from 'node:crypto'
import { clockRequest } from '#contract/sample.ts'
import { openClock } from '#server/platform/clock.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openDb } from '#server/platform/db/pools.ts'
import { policyFor } from '#server/bank/policy.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { putDateForward } from '#server/sample/panel.ts'

const USAGE = 'Usage: npm run date -- 3 (days, from 1 to 31)'

/** `npm run date`: moves the date of a running sample bank forward by a number of days. Returns the exit code. */
async function main(): Promise<number> {
  const [days, ...extraArguments] = process.argv.slice(2)
  const request = clockRequest.safeParse({ days: Number(days) })
  if (!request.success || extraArguments.length > 0) {
    console.error(USAGE)
    return 2
  }
  const { config, appUrl } = await findBank()
  const policy = policyFor(config)
  if (!policy.dateControl) throw new StartError('A live bank keeps real time.')
  const pool = openPool(appUrl, { max: 2, name: 'alder date' })
  try {
    const db = openDb(pool)
    const clock = await openClock({ db, policy })
    const { now, movingTo } = await putDateForward({ clock, db, policy }, request.data, {
      operationId: randomUUID(),
      fingerprint: 'operator',
    })
    console.log(`It is ${dayOf(now)} at the bank now.`)
    if (movingTo) console.log(`The date moves on to ${dayOf(movingTo)}, day by day, as long as the bank runs.`)
    return 0
  } finally {
    await pool.end()
  }
}

await runCommand(main)
