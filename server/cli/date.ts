import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import { clockRequest } from '#contract/sample.ts'
import { ERRORS, Refusal } from '#contract/errors.ts'
import { openClock } from '#server/platform/clock.ts'
import { readConfig } from '#server/platform/config.ts'
import { findRunning } from '#server/platform/db/embedded.ts'
import { appUrl } from '#server/platform/db/migrate.ts'
import { openPool } from '#server/platform/db/pool.ts'
import type { Database } from '#server/platform/db/schema.ts'
import { policyFor } from '#server/platform/policy.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { putDateForward } from '#server/sample/panel.ts'

const USAGE = 'Usage: npm run date -- 3 (days, from 1 to 31)'

/** `npm run date`: puts the date of a running sample bank forward by so many days. Answers the exit code. */
async function main(): Promise<number> {
  const [days, ...rest] = process.argv.slice(2)
  const asked = clockRequest.safeParse({ days: Number(days) })
  if (!asked.success || rest.length > 0) {
    console.error(USAGE)
    return 2
  }
  const config = readConfig(process.env)
  const policy = policyFor(config)
  if (!policy.dateControl) throw new StartError('A live bank keeps real time.')
  const ownerUrl = config.databaseUrl ?? findRunning(config.dataDir)
  if (!ownerUrl) throw new StartError(`No bank is running on ${config.dataDir}; start one with npm start.`)
  const pool = openPool(appUrl(ownerUrl, config.secret), { max: 2, name: 'alder date' })
  try {
    const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
    const clock = await openClock({ db, policy })
    const now = await putDateForward({ clock, db, policy }, asked.data, {
      operationId: randomUUID(),
      fingerprint: 'operator',
    })
    console.log(`It is ${now.toISOString().slice(0, 10)} at the bank now.`)
    return 0
  } finally {
    await pool.end()
  }
}

try {
  process.exitCode = await main()
} catch (error) {
  if (error instanceof Refusal) console.error(ERRORS[error.code].message)
  else console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
}
