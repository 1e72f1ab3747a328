import type { Pool } from 'pg'
import { type Run, runOn } from '#server/platform/db/run.ts'
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
  advance(ms: number, within?: Run): Promise<void>
}

type ClockOptions = { pool: Pool; policy: Pick<Policy, 'businessEpoch'>; realNow?: () => Date }

/** The clock of this database; a database used for the first time starts at the policy's business epoch. */
export async function openClock({ pool, policy, realNow = () => new Date() }: ClockOptions): Promise<Clock> {
  let offsetMs = 0
  const refresh = async (): Promise<void> => {
    const { rows } = await pool.query<{ real_epoch: Date; business_epoch: Date }>(
      'SELECT real_epoch, business_epoch FROM bank.clock',
    )
    const [row] = rows
    offsetMs = row ? row.business_epoch.getTime() - row.real_epoch.getTime() : 0
  }
  if (policy.businessEpoch) {
    await pool.query('INSERT INTO bank.clock (real_epoch, business_epoch) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      realNow(),
      policy.businessEpoch,
    ])
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
      const run = within ?? runOn(pool)
      await run(`UPDATE bank.clock SET business_epoch = business_epoch + $1 * interval '1 millisecond'`, [ms])
      if (!within) await refresh()
    },
  }
}
