import { parseArgs } from 'node:util'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'
import { openBackfills } from '#server/platform/jobs/backfill.ts'
import { dropFailedJobs, failedJobs, retryFailedJobs } from '#server/platform/jobs/graphile.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { findBank, runCommand } from '#server/cli/command.ts'

/** The maximum number of jobs that one command lists, retries or drops. */
const LIMIT = 1_000

const USAGE = 'npm run jobs [-- --retry ID|all | --drop ID]'

/**
 * `npm run jobs`: lists, retries or drops the jobs of a running bank that have failed finally. Also prints the progress of
 * backfills. Returns the exit code.
 */
async function main(): Promise<number> {
  const { retry, drop } = readArguments()
  const { appUrl } = await findBank()
  const pool = openPool(appUrl, { max: 1, name: 'alder jobs' })
  try {
    const run = runOn(pool)
    const failures = await failedJobs(run, LIMIT)
    if (retry !== undefined) {
      const ids = retry === 'all' ? failures.map(({ id }) => id) : [retry]
      console.log(`Will be tried again: ${await retryFailedJobs(run, ids)}.`)
    } else if (drop === undefined) {
      for (const { id, name, attempts, failedAt, error } of failures)
        console.log(`${id.padStart(8)}  ${name}  ${attempts} tries, the last at ${failedAt.toISOString()}: ${error}`)
      for (const { name, rows, waitsFor } of await openBackfills(run))
        console.log(`backfill  ${name}  ${rows} rows so far${waitsFor}`)
      console.log(failures.length === 0 ? 'No job has failed for good.' : USAGE)
      return failures.length === 0 ? 0 : 1
    } else console.log(`Dropped: ${await dropFailedJobs(run, [drop])}.`)
    return 0
  } finally {
    await pool.end()
  }
}

function readArguments(): { retry?: string | undefined; drop?: string | undefined } {
  try {
    const { values } = parseArgs({ options: { retry: { type: 'string' }, drop: { type: 'string' } } })
    const ids = [values.retry === 'all' ? undefined : values.retry, values.drop].filter((id) => id !== undefined)
    if (ids.some((id) => !/^\d{1,18}$/.test(id))) throw new RangeError('An id is a number')
    return values
  } catch {
    throw new StartError(USAGE)
  }
}

await runCommand(main)
