import { CODES_OF_CHART } from '#server/ledger/chart.ts'
import type { RetryReason } from '#server/ledger/commit-with-retries.ts'
import type { BookedLeg, PostingOutcome } from '#server/ledger/types.ts'
import { type Measures, secondsSince } from '#server/platform/telemetry/measures.ts'

/** Records the progress of one batch: the decision on its operations, and their commit. */
type Batch = { decided(): void; committed(outcomes: readonly PostingOutcome[]): void }

/** The measures of one of the ledger's queues. */
export type QueueMeasures = {
  /** Records the start of a batch of this size. */
  begin(size: number): Batch
  again(reason: RetryReason): void
}

export type LedgerMeasures = {
  queue(name: 'posts' | 'riders'): QueueMeasures
  watchWaiting(name: 'posts' | 'riders', read: () => number): void
  /** Records operations decided in a caller's own transaction. */
  decided(outcomes: readonly PostingOutcome[]): void
}

export function measureLedger(measures: Measures): LedgerMeasures {
  const decided = (outcomes: readonly PostingOutcome[]): void => {
    if (measures.isOn) for (const outcome of outcomes) measureOutcome(measures, outcome)
  }
  return {
    decided,
    watchWaiting: (queue, read) =>
      measures.watch('alder_ledger_waiting_operations', () => [{ labels: { queue }, value: read() }]),
    queue: (queue) => ({
      begin(size) {
        const begunAt = performance.now()
        measures.observe('alder_ledger_batch_operations', { queue }, size)
        return {
          decided: () => measures.observe('alder_ledger_decide_seconds', { queue }, secondsSince(begunAt)),
          committed(outcomes) {
            measures.observe('alder_ledger_batch_seconds', { queue }, secondsSince(begunAt))
            decided(outcomes)
          },
        }
      },
      again: (reason) => measures.count('alder_ledger_retries_total', { reason }),
    }),
  }
}

function measureOutcome(measures: Measures, outcome: PostingOutcome): void {
  if (!outcome.ok)
    return outcome.replayed ? undefined : measures.count('alder_ledger_refusals_total', { code: outcome.refusal })
  if (!outcome.booked.replayed) for (const leg of outcome.booked.legs) measureLeg(measures, leg)
}

/** Records money that moved between one of the bank's own accounts and a customer. */
function measureLeg(measures: Measures, { asset, debit, credit, amountMinor }: BookedLeg): void {
  const [fromCode, toCode] = [CODES_OF_CHART.get(debit), CODES_OF_CHART.get(credit)]
  if (amountMinor === 0 || (fromCode === undefined) === (toCode === undefined)) return
  const labels =
    fromCode === undefined
      ? { account: toCode ?? '', direction: 'from_customers' }
      : { account: fromCode, direction: 'to_customers' }
  measures.count('alder_money_moved_minor_total', { ...labels, asset }, amountMinor)
}
