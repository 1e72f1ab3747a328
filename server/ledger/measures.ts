import { CODES_OF_CHART } from '#server/ledger/chart.ts'
import type { Again } from '#server/ledger/settle.ts'
import type { BookedLeg, Outcome } from '#server/ledger/types.ts'
import { type Measures, secondsSince } from '#server/platform/telemetry/measures.ts'

/** How a batch went. */
type Batch = { decided(): void; committed(outcomes: readonly Outcome[]): void }

/** What waits for a commit, in one of the ledger's queues. */
export type QueueMeasures = {
  /** A batch of so many has been begun. */
  begin(size: number): Batch
  again(reason: Again): void
}

export type LedgerMeasures = {
  queue(name: 'posts' | 'riders'): QueueMeasures
  watchWaiting(name: 'posts' | 'riders', read: () => number): void
  /** Operations that a caller's own transaction decided. */
  decided(outcomes: readonly Outcome[]): void
}

export function measureLedger(measures: Measures): LedgerMeasures {
  const decided = (outcomes: readonly Outcome[]): void => {
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

function measureOutcome(measures: Measures, outcome: Outcome): void {
  if (!outcome.ok)
    return outcome.replayed ? undefined : measures.count('alder_ledger_refusals_total', { code: outcome.refusal })
  if (!outcome.booked.replayed) for (const leg of outcome.booked.legs) measureLeg(measures, leg)
}

/** Money that came from an account of the bank's own to a customer, or went to one. */
function measureLeg(measures: Measures, { asset, debit, credit, amountMinor }: BookedLeg): void {
  const [from, to] = [CODES_OF_CHART.get(debit), CODES_OF_CHART.get(credit)]
  if (amountMinor === 0 || (from === undefined) === (to === undefined)) return
  const labels =
    from === undefined
      ? { account: to ?? '', direction: 'from_customers' }
      : { account: from, direction: 'to_customers' }
  measures.count('alder_money_moved_minor_total', { ...labels, asset }, amountMinor)
}
