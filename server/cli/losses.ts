import { dayOf } from '#server/calendar/zone.ts'
import { formatAmount } from '#contract/money.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { lossesByCustomer, lossesByShop, type Loss } from '#server/owed/reports.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openDb } from '#server/platform/db/pools.ts'

/** The maximum number of lines in each list. */
const LIMIT = 100

function print(title: string, losses: readonly Loss[]): void {
  console.log(title)
  for (const { who: customer, times, paidMinor, owedMinor, lostMinor, lastAt } of losses) {
    const [paid, owed, lost] = [paidMinor, owedMinor, lostMinor].map((minor) => formatAmount(minor, 'USD'))
    console.log(`  ${dayOf(lastAt)}  ${customer}: paid ${paid} in ${times} payments; ${owed} is owed and ${lost} lost`)
  }
}

/**
 * `npm run losses`: lists the costs that a running bank has paid for its customers and that the customers have not repaid.
 * Returns the exit code.
 */
async function main(): Promise<number> {
  const { appUrl } = await findBank()
  const pool = openPool(appUrl, { max: 1, name: 'alder losses' })
  try {
    const db = openDb(pool)
    const customers = await lossesByCustomer(db, LIMIT)
    if (customers.length === 0) {
      console.log('No customer owes the bank for a payment that it covered.')
      return 0
    }
    print('Payments that the bank covered for customers:', customers)
    print('Payments that it covered at shops:', await lossesByShop(db, LIMIT))
    return 0
  } finally {
    await pool.end()
  }
}

await runCommand(main)
