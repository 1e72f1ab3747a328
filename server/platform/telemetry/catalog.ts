/**
 * All metrics of the bank, by their names in Prometheus. Labels have few values, all defined by the bank: names of routes,
 * slices, jobs and codes, and never an id, an address or an amount. No label has the name `job` or `instance`: Prometheus uses
 * these for its targets, and would rename the bank's labels.
 */
type MetricDescription<Kind extends string, Label extends string> = {
  kind: Kind
  help: string
  labels: readonly Label[]
  /** The upper bounds of a histogram's buckets. */
  buckets?: readonly number[]
}

const counter = <const Label extends string = never>(
  help: string,
  labels: readonly Label[] = [],
): MetricDescription<'counter', Label> => ({ kind: 'counter', help, labels })
const gauge = <const Label extends string = never>(
  help: string,
  labels: readonly Label[] = [],
): MetricDescription<'gauge', Label> => ({ kind: 'gauge', help, labels })
const histogram = <const Label extends string = never>(
  help: string,
  buckets: readonly number[],
  labels: readonly Label[] = [],
): MetricDescription<'histogram', Label> => ({ kind: 'histogram', help, labels, buckets })

/** Bounds for a person's waiting time, in seconds. */
const WAITED = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10]
/** Bounds for the duration of a ledger batch or a part of it, and of the wait for a connection, in seconds. */
const COMMIT = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 1, 5]
/** Bounds for the duration of a job, in seconds. */
const WORKED = [0.01, 0.1, 0.5, 2, 10, 60, 300]
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

export const METRICS = {
  alder_build_info: gauge('The running build, as labels; always 1', ['version', 'commit', 'mode', 'migrations']),
  alder_ready: gauge('1 if the database responds and has every migration'),
  alder_sample_age_seconds: gauge('Age of the last reading of a sample, in seconds', ['sample']),

  alder_http_request_duration_seconds: histogram('Duration of requests', WAITED, [
    'slice',
    'route',
    'method',
    'status',
  ]),
  alder_http_refusals_total: counter('Refused requests, by the code of the refusal', ['slice', 'code']),
  alder_rate_limit_hits_total: counter('Requests over a rate limit', ['limit']),
  alder_live_streams: gauge('Open streams of live events'),

  alder_share_running: gauge('Tasks in progress within a concurrency limit', ['share']),
  alder_share_waiting: gauge('Tasks that wait for a concurrency limit', ['share']),
  alder_share_refused_total: counter('Tasks that a concurrency limit refused', ['share', 'reason']),

  alder_pool_connections: gauge('Connections to PostgreSQL', ['pool', 'state']),
  alder_pool_waiting: gauge('Tasks that wait for a connection', ['pool']),
  alder_pool_wait_seconds: histogram('Waiting time for a connection', COMMIT, ['pool']),

  alder_replica_used: gauge('1 if reads may use the replica; absent without a replica'),
  alder_replica_behind_bytes: gauge('Bytes of log that the replica had not replayed at the last check'),
  alder_replica_requests_total: counter('Requests that may read from the replica, by the server they started at', [
    'from',
  ]),
  alder_replica_fallbacks_total: counter(
    'Requests that started at the replica and continued at the primary, by reason',
    ['reason'],
  ),

  alder_ledger_waiting_operations: gauge('Operations that wait for a commit', ['queue']),
  alder_ledger_batch_operations: histogram('Operations per commit', SIZES, ['queue']),
  alder_ledger_batch_seconds: histogram('Duration of a batch, from BEGIN until it was on disk', COMMIT, ['queue']),
  alder_ledger_decide_seconds: histogram('Part of the duration of a batch for locking, reading and deciding', COMMIT, [
    'queue',
  ]),
  alder_ledger_retries_total: counter('Retried batches, by reason', ['reason']),
  alder_ledger_refusals_total: counter('Operations that the ledger refused', ['code']),

  alder_job_duration_seconds: histogram('Duration of jobs', WORKED, ['name', 'outcome']),
  alder_jobs_due: gauge('Due jobs that have not begun', ['name']),
  alder_jobs_retried: gauge('Failed jobs that wait for a retry', ['name']),
  alder_jobs_failed: gauge('Jobs that failed permanently', ['name']),
  alder_jobs_oldest_due_seconds: gauge('Time since the oldest job that has not begun was due', ['name']),
  alder_outbox_oldest_seconds: gauge('Age of the oldest message that was not delivered yet', ['outbox']),
  alder_late: gauge('1 if this work is late; /readyz has the same names', ['name']),

  alder_money_balance_minor: gauge("Balances of the bank's own accounts: credits minus debits, in minor units", [
    'account',
    'asset',
  ]),
  alder_money_incoming_minor: gauge("Holds on customers' money on its way to an account of the bank, in minor units", [
    'account',
    'asset',
  ]),
  alder_money_outgoing_minor: gauge("Holds on the bank's money on its way to customers, in minor units", [
    'account',
    'asset',
  ]),
  alder_money_customers_minor: gauge(
    'Sum that the bank owes all customers, minus the sum that they owe, in minor units',
    ['asset'],
  ),
  alder_money_moved_minor_total: counter(
    'Amounts that this server booked between customers and the bank, in minor units',
    ['account', 'asset', 'direction'],
  ),

  alder_log_lines_total: counter('Log lines by level, including folded ones', ['level']),
} as const

type Metrics = typeof METRICS
export type MetricName = keyof Metrics
type Of<Kind> = {
  [Name in MetricName]: Metrics[Name] extends MetricDescription<infer Own, never> | MetricDescription<infer Own, string>
    ? Own extends Kind
      ? Name
      : never
    : never
}[MetricName]
export type CounterName = Of<'counter'>
export type GaugeName = Of<'gauge'>
export type HistogramName = Of<'histogram'>
export type LabelsOf<Name extends MetricName> = Readonly<Record<Metrics[Name]['labels'][number], string>>
