import { policyFor } from '#server/bank/policy.ts'
import { checkFuture } from '#server/ledger/seals/verify.ts'
import { openClock } from '#server/platform/clock.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { runOn } from '#server/platform/db/run.ts'
import { openDb } from '#server/platform/db/pools.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { sealBooks } from '#server/seals/seal-books.ts'

/**
 * `npm run seal`: seals the bookings of a running bank since the last seal, and prints the head of the new seal. Returns the
 * exit code.
 */
async function main(): Promise<number> {
  if (process.argv.length > 2) throw new StartError('Usage: npm run seal')
  const { config, appUrl } = await findBank()
  const pool = openPool(appUrl, { max: 2, name: 'alder seal' })
  try {
    const db = openDb(pool)
    const clock = await openClock({ db, policy: policyFor(config) })
    const seal = await sealBooks({ db, clock, config })
    if (seal) console.log(`Seal ${seal.number}: ${seal.operations} operations. Its head is\n${seal.head}`)
    const problems = await checkFuture(runOn(pool))
    for (const problem of problems) console.error(`Not sealed: ${problem}`)
    return problems.length === 0 ? 0 : 1
  } finally {
    await pool.end()
  }
}

await runCommand(main)
