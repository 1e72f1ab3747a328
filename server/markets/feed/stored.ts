import { bankZone } from '#server/platform/time-zone.ts'
import { DAY_MS } from '#server/platform/durations.ts'
import { sql } from 'kysely'
import { PRICED, type Priced } from '#contract/markets.ts'
import type { Deps } from '#server/platform/deps.ts'
import type { HaltReason } from '#server/markets/feed/guard.ts'
import type { Price } from '#server/markets/feed/port.ts'

type StoreDeps = Pick<Deps, 'db'>

/** A halt of a market. `refused`: the latest price that was not accepted. `since`: the time of the halt. */
export type Halt = { asset: Priced; reason: HaltReason; since: Date; refused: Price }

/** The published prices in the database: the last accepted price of each asset, and the halted markets. */
export type StoredMarket = { last: ReadonlyMap<Priced, Price>; halts: ReadonlyMap<Priced, Halt> }

/**
 * Returns, for each asset, the oldest price that was accepted in the last 24 hours. For a halted market, the 24 hours end at
 * the halt. Prices from before an operator's last acceptance of a new price level do not count.
 */
export async function referencePrices({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Map<Priced, Price>> {
  const { rows } = await sql<Row>`
    SELECT oldest.asset, oldest.price_micros, oldest.at
      FROM unnest(${[...PRICED]}::text[]) AS named
      LEFT JOIN bank.market_halt AS halt ON halt.asset = named
     CROSS JOIN LATERAL (
       SELECT COALESCE(halt.since, ${clock.businessNow()}::timestamptz) - ${DAY_MS} * interval '1 millisecond' AS day_before
     ) AS began
     CROSS JOIN LATERAL (
       SELECT * FROM bank.price
        WHERE asset = named AND at >= GREATEST(day_before,
          (SELECT at FROM bank.price WHERE asset = named AND resumed ORDER BY at DESC LIMIT 1))
        ORDER BY at LIMIT 1
     ) AS oldest`.execute(db)
  return new Map(rows.map((row) => [row.asset as Priced, priceOf(row)]))
}

export async function readStoredPrices({ db }: StoreDeps): Promise<StoredMarket> {
  const [lasts, halts] = await Promise.all([
    // Each asset needs only one index lookup, regardless of the number of stored prices.
    sql<Row>`
      SELECT asset, price_micros, at
        FROM unnest(${[...PRICED]}::text[]) AS named
       CROSS JOIN LATERAL (SELECT * FROM bank.price WHERE asset = named ORDER BY at DESC LIMIT 1) AS last`.execute(db),
    db.selectFrom('bank.market_halt').selectAll().execute(),
  ])
  return {
    last: new Map(lasts.rows.map((row) => [row.asset as Priced, priceOf(row)])),
    halts: new Map(
      halts.map(({ asset, reason, since, price_micros, price_at }) => [
        asset as Priced,
        { asset: asset as Priced, reason, since, refused: priceOf({ asset, price_micros, at: price_at }) },
      ]),
    ),
  }
}

type Row = { asset: string; price_micros: number; at: Date }

const priceOf = ({ asset, price_micros, at }: Row): Price => ({
  asset: asset as Priced,
  priceMicros: price_micros,
  at,
})

/**
 * Stores an accepted price, and ends a halt of its market. `resumed`: an operator has accepted the price. Returns whether the
 * market was halted.
 */
export async function insertPrice(
  { db }: StoreDeps,
  { asset, priceMicros, at }: Price,
  resumed: boolean = false,
): Promise<boolean> {
  await db
    .insertInto('bank.price')
    .values({ asset, at, price_micros: priceMicros, resumed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const [ended] = await db.deleteFrom('bank.market_halt').where('asset', '=', asset).execute()
  return Number(ended?.numDeletedRows ?? 0) > 0
}

/** Halts a market because of a price. A market that is already halted keeps its time and gets the latest reason. */
export async function haltMarket({ db }: StoreDeps, { asset, reason, since, refused }: Halt): Promise<void> {
  const because = { reason, price_micros: refused.priceMicros, price_at: refused.at }
  await db
    .insertInto('bank.market_halt')
    .values({ asset, since, ...because })
    .onConflict((conflict) => conflict.column('asset').doUpdateSet(because))
    .execute()
}

/** Returns the publication time of the first stored price. */
export async function firstPriceAt({ db }: StoreDeps, asset: Priced): Promise<Date | null> {
  const row = await db
    .selectFrom('bank.price')
    .select('at')
    .where('asset', '=', asset)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

/** Returns the first price published after a moment. */
export async function firstPriceAfter({ db }: StoreDeps, asset: Priced, moment: Date): Promise<Price | null> {
  const row = await db
    .selectFrom('bank.price')
    .select(['asset', 'price_micros', 'at'])
    .where('asset', '=', asset)
    .where('at', '>', moment)
    .orderBy('at')
    .limit(1)
    .executeTakeFirst()
  return row ? priceOf(row) : null
}

/** Returns the last price published at or before each moment. */
export async function lastPricesAt(
  { db }: StoreDeps,
  asset: Priced,
  moments: readonly Date[],
): Promise<(Price | null)[]> {
  const { rows } = await sql<{ at: Date | null; price_micros: number | null }>`
    SELECT found.at, found.price_micros
      FROM unnest(${[...moments]}::timestamptz[]) WITH ORDINALITY AS asked (moment, place)
      LEFT JOIN LATERAL (
        SELECT at, price_micros FROM bank.price WHERE asset = ${asset} AND at <= moment ORDER BY at DESC LIMIT 1
      ) AS found ON true
     ORDER BY place`.execute(db)
  return rows.map(({ at, price_micros }) =>
    at === null || price_micros === null ? null : { asset, priceMicros: price_micros, at },
  )
}

/**
 * The age up to which every price is kept, in milliseconds. Of older prices only the first of each hour is kept, and of prices
 * older than `HOURLY_MS` only the first of each day.
 */
const ALL_MS = 2 * DAY_MS
const HOURLY_MS = 90 * DAY_MS
/** The largest number of prices removed in one run, so that locks stay short. */
const MAX_THINNED = 50_000

/** Thins out old prices: removes at most `MAX_THINNED` of them. Returns the number of removed prices. */
export async function thinPrices({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = clock.businessNow().getTime()
  const { numAffectedRows = 0n } = await sql`
    WITH placed AS (
      SELECT asset, at, row_number() OVER (
               PARTITION BY asset, date_trunc(CASE WHEN at < ${new Date(now - HOURLY_MS)} THEN 'day' ELSE 'hour' END, at, ${bankZone()})
               ORDER BY at) AS place
        FROM bank.price WHERE at < ${new Date(now - ALL_MS)}
    ), thinned AS (SELECT asset, at FROM placed WHERE place > 1 LIMIT ${MAX_THINNED})
    DELETE FROM bank.price AS price USING thinned WHERE price.asset = thinned.asset AND price.at = thinned.at`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/**
 * Accepts the price that halted a market, after an operator has checked it. Returns that price, or null if the market is not
 * halted.
 */
export async function resumeMarket({ db, clock }: Pick<Deps, 'db' | 'clock'>, asset: Priced): Promise<Price | null> {
  const halt = (await readStoredPrices({ db })).halts.get(asset)
  if (!halt) return null
  const now = clock.businessNow()
  // A price with a time in the future would block every later price until then.
  const price = { ...halt.refused, at: halt.refused.at < now ? halt.refused.at : now }
  await insertPrice({ db }, price, true)
  return price
}
