import { dayOf } from '#server/calendar/zone.ts'
import { formatAmount } from '#contract/money.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { lossesByCustomer, lossesByShop, type Loss } from '#server/owed/reports.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openDb } from '#server/platform/db/pools.ts'

/** The most that are listed, of each. */
const LIMIT = 100

function print(title: string, losses: readonly Loss[]): void {
  console.log(title)
  for (const { who, times, paidMinor, owedMinor, lostMinor, lastAt } of losses) {
    const [paid, owed, lost] = [paidMinor, owedMinor, lostMinor].map((minor) => formatAmount(minor, 'USD'))
    console.log(`  ${dayOf(lastAt)}  ${who}: paid ${paid} in ${times} times, of which ${owed} is owed and ${lost} lost`)
  }
}

/** `npm run losses`: what a running bank paid for its customers and has not got back. Answers the exit code. */
async function main(): Promise<number> {
  const { appUrl } = await findBank()
  const pool = openPool(appUrl, { max: 1, name: 'alder losses' })
  try {
    const db = openDb(pool)
    const customers = await lossesByCustomer(db, LIMIT)
    if (customers.length === 0) {
      console.log('Nobody owes the bank anything that it paid for them.')
      return 0
    }
    print('What the bank paid for customers:', customers)
    print('What it paid to shops:', await lossesByShop(db, LIMIT))
    return 0
  } finally {
    await pool.end()
  }
}

await runCommand(main)
