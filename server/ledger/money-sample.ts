import type { Measures, Reading } from '#server/platform/telemetry/measures.ts'
import type { Sample } from '#server/platform/telemetry/samples.ts'
import type { Run } from '#server/platform/db/run.ts'
import { CODES_OF_CHART } from '#server/ledger/chart.ts'

/** Money does not change so fast that anybody looks more often, in milliseconds. */
const EVERY_MS = 60_000

type Row = { account: string; asset: string; balance: number; held: number; incoming: number }

/**
 * What stands in the bank's own accounts, a row each, found by their numbers. All accounts of an asset add up to zero, so what
 * the bank owes its customers is what these lack: nothing else has to be added up.
 */
export function moneySample(run: Run, measures: Measures): Sample {
  let rows: Row[] = []
  const each = (read: (row: Row) => number) => () =>
    rows.map((row) => ({ labels: { account: row.account, asset: row.asset }, value: read(row) }))
  measures.watch(
    'alder_money_balance_minor',
    each(({ balance }) => balance),
  )
  measures.watch(
    'alder_money_incoming_minor',
    each(({ incoming }) => incoming),
  )
  measures.watch(
    'alder_money_outgoing_minor',
    each(({ held }) => held),
  )
  measures.watch('alder_money_customers_minor', (): Reading<'alder_money_customers_minor'>[] =>
    rows.map(({ asset, balance }) => ({ labels: { asset }, value: -balance })),
  )
  return {
    name: 'money',
    everyMs: EVERY_MS,
    async read() {
      const found = await run(
        `SELECT code, asset, balance_minor::text AS balance, held_minor::text AS held, incoming_minor::text AS incoming
           FROM ledger.account WHERE id = ANY($1::bigint[])`,
        [[...CODES_OF_CHART.keys()]],
      )
      rows = found.rows.map((row) => ({
        account: row['code'] as string,
        asset: row['asset'] as string,
        balance: Number(row['balance']),
        held: Number(row['held']),
        incoming: Number(row['incoming']),
      }))
    },
  }
}
