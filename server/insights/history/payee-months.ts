import { sql } from 'kysely'
import { defineBackfill } from '#server/platform/jobs/backfill.ts'

/** The number of accounts in one SQL transaction. */
const ACCOUNTS_AT_ONCE = 100

/**
 * Rebuilds bank.payee_month from bank.payee_day. Migration 0390 already filled bank.payee_month, but older servers that ran
 * beside newer ones then added payments only to bank.payee_day. The backfill begins once no such server runs.
 */
export const payeeMonthsBackfill = defineBackfill({
  name: 'insights.payee_months',
  batch: async (trx, after) => {
    // Locks the accounts. An update of their days and months (history.ts) waits until this batch is done.
    const accounts = await trx
      .selectFrom('bank.insight_account')
      .select('account_id')
      .where('account_id', '>', Number(after ?? 0))
      .orderBy('account_id')
      .limit(ACCOUNTS_AT_ONCE)
      .forUpdate()
      .execute()
    const ids = accounts.map(({ account_id: id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return null
    await trx.deleteFrom('bank.payee_month').where('account_id', 'in', ids).execute()
    // A larger `last_version` means a later payment. A month has the name that the latest payment has.
    await sql`
      INSERT INTO bank.payee_month (account_id, month, payee, name, days)
      SELECT account_id, left(day::text, 7) AS month, payee, (array_agg(name ORDER BY last_version DESC))[1],
             json_agg(json_build_array(extract(day FROM day), category, in_minor, out_minor) ORDER BY day)
        FROM (SELECT account_id, payee, day, (array_agg(category ORDER BY in_minor + out_minor DESC))[1] AS category,
                     (array_agg(name ORDER BY last_version DESC))[1] AS name, max(last_version) AS last_version,
                     sum(in_minor) AS in_minor, sum(out_minor) AS out_minor
                FROM bank.payee_day WHERE account_id = ANY(${ids}::bigint[]) GROUP BY account_id, payee, day) payee_days
       GROUP BY account_id, month, payee`.execute(trx)
    return { upTo: String(last), rows: ids.length }
  },
})
