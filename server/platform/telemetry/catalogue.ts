/**
 * Every number that the bank measures, by the name that Prometheus knows it by. Labels take few values, which the bank itself
 * gives: names of routes, slices, jobs and codes, and never an id, an address or an amount. None is called `job` or `instance`:
 * Prometheus calls its targets so, and renames what we would say.
 */
type Described<Kind extends string, Label extends string> = {
  kind: Kind
  help: string
  labels: readonly Label[]
  /** Upper bounds of a histogram. */
  buckets?: readonly number[]
}

const counter = <const Label extends string = never>(
  help: string,
  labels: readonly Label[] = [],
): Described<'counter', Label> => ({ kind: 'counter', help, labels })
const gauge = <const Label extends string = never>(
  help: string,
  labels: readonly Label[] = [],
): Described<'gauge', Label> => ({ kind: 'gauge', help, labels })
const histogram = <const Label extends string = never>(
  help: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
): Described<'histogram', Label> => ({ kind: 'histogram', help, labels, buckets })

/** Seconds that a person waits. */
const WAITED = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10]
/** Seconds that a commit takes. */
const COMMIT = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5]
/** Seconds that a job takes. */
const WORKED = [0.01, 0.1, 0.5, 2, 10, 60, 300]
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export const METRICS = {
  alder_build_info: gauge('Which build this is; always 1', ['version', 'commit', 'mode', 'migrations']),
  alder_ready: gauge('1 where the database answers and has every migration'),
  alder_sample_age_seconds: gauge('How long ago something was last read for these metrics', ['sample']),

  alder_http_request_duration_seconds: histogram('How long requests took', WAITED, [
    'slice',
    'route',
    'method',
    'status',
  ]),
  alder_http_refusals_total: counter('Requests that were refused, by the code of the refusal', ['slice', 'code']),
  alder_rate_limit_hits_total: counter('Requests that were one too many for a limit', ['limit']),
  alder_live_streams: gauge('Open streams of live events'),

  alder_share_running: gauge('What is under way of a share of the work', ['share']),
  alder_share_waiting: gauge('What waits for its turn in a share of the work', ['share']),
  alder_share_refused_total: counter('What a share of the work refused', ['share', 'reason']),

  alder_pool_connections: gauge('Connections to PostgreSQL', ['pool', 'state']),
  alder_pool_waiting: gauge('What waits for a connection', ['pool']),
  alder_pool_wait_seconds: histogram('How long it took to get a connection', COMMIT, ['pool']),

  alder_replica_used: gauge('1 where what only reads may be read from the replica; nothing where there is none'),
  alder_replica_behind_bytes: gauge('How much of the log the replica had not replayed when it was last asked'),
  alder_replica_requests_total: counter('Requests that may read from the replica, by where they began', ['from']),
  alder_replica_fallbacks_total: counter('Those that went on at the primary, by reason', ['reason']),

  alder_ledger_waiting_operations: gauge('Operations that wait for a commit', ['queue']),
  alder_ledger_batch_operations: histogram('How many share a commit', SIZES, ['queue']),
  alder_ledger_batch_seconds: histogram('How long a batch took, from BEGIN until it was on the disk', COMMIT, [
    'queue',
  ]),
  alder_ledger_decide_seconds: histogram('How long of that it took to lock the accounts, read and decide', COMMIT, [
    'queue',
  ]),
  alder_ledger_retries_total: counter('Batches that were tried again, by reason', ['reason']),
  alder_ledger_refusals_total: counter('Operations that the ledger refused', ['code']),

  alder_job_duration_seconds: histogram('How long jobs took', WORKED, ['name', 'outcome']),
  alder_jobs_due: gauge('Jobs that are due and have not begun', ['name']),
  alder_jobs_retried: gauge('Jobs that failed and wait for another try', ['name']),
  alder_jobs_failed: gauge('Jobs that failed for good', ['name']),
  alder_jobs_oldest_due_seconds: gauge('How long the oldest job is due that has not begun', ['name']),
  alder_outbox_oldest_seconds: gauge('How long ago the oldest was written that has not been handed over', ['outbox']),
  alder_late: gauge('1 for what is behind time (/readyz names it)', ['name']),

  alder_money_balance_minor: gauge("The bank's own accounts: credits less debits, in minor units", [
    'account',
    'asset',
  ]),
  alder_money_incoming_minor: gauge("What is held of customers' money on its way to an account of the bank", [
    'account',
    'asset',
  ]),
  alder_money_outgoing_minor: gauge("What is held of the bank's money on its way to customers", ['account', 'asset']),
  alder_money_customers_minor: gauge('What the bank owes all customers together, less what they owe it', ['asset']),
  alder_money_moved_minor_total: counter('What this server booked between customers and the bank', [
    'account',
    'asset',
    'direction',
  ]),

  alder_log_lines_total: counter('Lines of the log by level, those included that were folded', ['level']),
} as const

type Metrics = typeof METRICS
export type MetricName = keyof Metrics
type Of<Kind> = {
  [Name in MetricName]: Metrics[Name] extends Described<infer Own, never> | Described<infer Own, string>
    ? Own extends Kind
      ? Name
      : never
    : never
}[MetricName]
export type CounterName = Of<'counter'>
export type GaugeName = Of<'gauge'>
export type HistogramName = Of<'histogram'>
export type LabelsOf<Name extends MetricName> = Readonly<Record<Metrics[Name]['labels'][number], string>>
