import type { Measures, MetricReading } from '#server/platform/telemetry/measures.ts'
import type { GaugeReader } from '#server/platform/telemetry/gauge-readers.ts'
import type { Run } from '#server/platform/db/run.ts'
import { CODES_OF_CHART } from '#server/ledger/chart.ts'

/** The interval between two samples in milliseconds. The sums change slowly. */
const EVERY_MS = 60_000

type Row = { account: string; asset: string; balance: number; held: number; incoming: number }

/**
 * Samples the balances of the bank's own accounts. One row per account is found by its number. The balances of all accounts in
 * an asset add up to zero. The bank's debt to its customers is therefore the negative sum of these balances, and customers'
 * accounts need not be added up.
 */
export function moneyGauges(run: Run, measures: Measures): GaugeReader {
  let rows: Row[] = []
  const samplesOf = (read: (row: Row) => number) => () =>
    rows.map((row) => ({ labels: { account: row.account, asset: row.asset }, value: read(row) }))
  measures.watch(
    'alder_money_balance_minor',
    samplesOf(({ balance }) => balance),
  )
  measures.watch(
    'alder_money_incoming_minor',
    samplesOf(({ incoming }) => incoming),
  )
  measures.watch(
    'alder_money_outgoing_minor',
    samplesOf(({ held }) => held),
  )
  measures.watch('alder_money_customers_minor', (): MetricReading<'alder_money_customers_minor'>[] =>
    rows.map(({ asset, balance }) => ({ labels: { asset }, value: -balance })),
  )
  return {
    name: 'money',
    everyMs: EVERY_MS,
    async read() {
      const flows = await run(
        `SELECT code, asset, balance_minor::text AS balance, held_minor::text AS held, incoming_minor::text AS incoming
           FROM ledger.account WHERE id = ANY($1::bigint[])`,
        [[...CODES_OF_CHART.keys()]],
      )
      rows = flows.rows.map((row) => ({
        account: row['code'] as string,
        asset: row['asset'] as string,
        balance: Number(row['balance']),
        held: Number(row['held']),
        incoming: Number(row['incoming']),
      }))
    },
  }
}
