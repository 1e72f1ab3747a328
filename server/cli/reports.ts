import { dayOf } from '#server/calendar/zone.ts'
import { formatAmount } from '#contract/money.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openDb } from '#server/platform/db/pools.ts'
import { reportedRequests } from '#server/requests/blocks.ts'

/** The maximum number of reports that the command lists. */
const LIMIT = 100

/** `npm run reports`: lists the payment requests that customers of a running bank have reported. Returns the exit code. */
async function main(): Promise<number> {
  const { appUrl } = await findBank()
  const pool = openPool(appUrl, { max: 1, name: 'alder reports' })
  try {
    const db = openDb(pool)
    const reports = await reportedRequests({ db }, LIMIT)
    for (const { reportedAt, requesterId, requesterName, amountMinor, asset, note, reporters } of reports) {
      const requestText = `${requesterName} (${requesterId}) asked for ${formatAmount(amountMinor, asset)}`
      const noteText = note === null ? '' : ` ${JSON.stringify(note)}`
      console.log(`${dayOf(reportedAt)}  ${requestText}${noteText}, reported by ${reporters} so far`)
    }
    if (reports.length === 0) console.log('No one has been reported.')
    return 0
  } finally {
    await pool.end()
  }
}

await runCommand(main)
