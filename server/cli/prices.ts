import { isPriced, PRICED } from '#contract/markets.ts'
import { openClock } from '#server/platform/clock.ts'
import { openPool } from '#server/platform/db/pool.ts'
import { openDb } from '#server/platform/db/pools.ts'
import { policyFor } from '#server/bank/policy.ts'
import { StartError } from '#server/platform/process/start-error.ts'
import { findBank, runCommand } from '#server/cli/command.ts'
import { embeddedFeed } from '#server/markets/feed/embedded.ts'
import type { Price } from '#server/markets/feed/port.ts'
import { readStoredPrices, resumeMarket } from '#server/markets/feed/stored.ts'

const USAGE = `npm run prices [-- resume ${PRICED.join('|')}]`

/**
 * `npm run prices`: lists the last prices that a running bank accepted, and the halted markets. With `resume`, the bank accepts
 * the price that halted a market. Returns the exit code.
 */
async function main(): Promise<number> {
  const asset = readArguments()
  const { config, appUrl } = await findBank()
  const policy = policyFor(config)
  const pool = openPool(appUrl, { max: 2, name: 'alder prices' })
  try {
    const db = openDb(pool)
    const clock = await openClock({ db, policy })
    if (policy.prices === 'simulated') {
      if (asset) throw new StartError('A sample bank makes its own prices; none is ever halted.')
      const feed = embeddedFeed({ clock })
      for (const pricedAsset of PRICED) console.log(lineOf(pricedAsset, (await feed.market(pricedAsset)).price))
      return 0
    }
    if (asset) {
      const price = await resumeMarket({ db, clock }, asset)
      console.log(price ? `Believed: ${lineOf(asset, price)}` : `${asset} is not halted.`)
      return price ? 0 : 1
    }
    const { last, halts } = await readStoredPrices({ db })
    for (const pricedAsset of PRICED) {
      const halt = halts.get(pricedAsset)
      console.log(lineOf(pricedAsset, last.get(pricedAsset) ?? null))
      if (halt)
        console.log(`  halted since ${halt.since.toISOString()} (${halt.reason}): ${lineOf(pricedAsset, halt.refused)}`)
    }
    return halts.size === 0 ? 0 : 1
  } finally {
    await pool.end()
  }
}

function readArguments() {
  const [action, asset, ...extraArguments] = process.argv.slice(2)
  if (action === undefined) return null
  if (action !== 'resume' || asset === undefined || !isPriced(asset) || extraArguments.length > 0)
    throw new StartError(USAGE)
  return asset
}

/** Returns a line with a price and its time, in the format of the price feed. */
function lineOf(asset: string, price: Price | null): string {
  if (!price) return `${asset.padEnd(18)}no price yet`
  const digits = String(price.priceMicros).padStart(7, '0')
  return `${asset.padEnd(18)}${`${digits.slice(0, -6)}.${digits.slice(-6)}`.padStart(18)}  ${price.at.toISOString()}`
}

await runCommand(main)
