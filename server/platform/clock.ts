import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Policy } from '#server/platform/policy.ts'

export type Clock = {
  /** The bank's date and time: what the ledger records. */
  businessNow(): Date
  /** The world's date and time: what rules sessions and codes. */
  realNow(): Date
  /** Reads how far apart the two are again; another server may have put the business date forward. */
  refresh(): Promise<void>
  /**
   * Puts the business date forward, for every server on this database. Throws RangeError in a bank that keeps real time.
   * `within` does it inside the caller's SQL transaction: the caller refreshes the clock once that has committed.
   */
  advance(ms: number, within?: Transaction<Database>): Promise<void>
}

type ClockOptions = { db: Kysely<Database>; policy: Pick<Policy, 'businessEpoch'>; realNow?: () => Date }

/** The clock of this database; a database used for the first time starts at the policy's business epoch. */
export async function openClock({ db, policy, realNow = () => new Date() }: ClockOptions): Promise<Clock> {
  let offsetMs = 0
  const refresh = async (): Promise<void> => {
    const row = await db.selectFrom('bank.clock').select(['real_epoch', 'business_epoch']).executeTakeFirst()
    offsetMs = row ? row.business_epoch.getTime() - row.real_epoch.getTime() : 0
  }
  if (policy.businessEpoch) {
    await db
      .insertInto('bank.clock')
      .values({ real_epoch: realNow(), business_epoch: policy.businessEpoch })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await refresh()
  return {
    realNow,
    businessNow: () => new Date(realNow().getTime() + offsetMs),
    refresh,
    advance: async (ms, within) => {
      if (!policy.businessEpoch || !Number.isSafeInteger(ms) || ms < 0) {
        throw new RangeError(`The business clock cannot be put forward by ${ms} ms`)
      }
      await (within ?? db)
        .updateTable('bank.clock')
        .set(({ ref }) => ({ business_epoch: sql<Date>`${ref('business_epoch')} + ${ms} * interval '1 millisecond'` }))
        .execute()
      if (!within) await refresh()
    },
  }
}
