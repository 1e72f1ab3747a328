import type { Measures } from '#server/platform/telemetry/measures.ts'
import {
  type ConcurrencyCounts,
  type ConcurrencyLimit,
  type ConcurrencyOptions,
  limitConcurrency,
} from '#server/platform/concurrency.ts'

/**
 * How much costly work is done at the same time, in all and for one customer or one address; what goes beyond that
 * waits behind its own, and delays no others.
 */
const SHARES = {
  /**
   * Questions of the card scheme, by card: a batch of them that is decided, and one that fills meanwhile. No shop waits longer
   * than this.
   */
  cardQuestions: { running: 128, waiting: 200, runningPerKey: 16, waitingPerKey: 48, patienceMs: 2_000 },
  /** What else the scheme tells, by payment. */
  cardClearings: { running: 128, waiting: 200, runningPerKey: 3, waitingPerKey: 61, patienceMs: 2_000 },
  /** Requests of one customer that change something. Many at a time share a commit of the ledger. */
  payments: { running: 256, waiting: 256, runningPerKey: 32, waitingPerKey: 480, patienceMs: 4_000 },
  /** Those that anybody may make: signing in and up, most of which wait for a share of their own. */
  entries: { running: 512, waiting: 0, runningPerKey: 256, waitingPerKey: 256 },
  /** Requests of one customer that only read: so few at a time that card payments and transfers find a processor free. */
  reads: { running: 4, waiting: 256, runningPerKey: 3, waitingPerKey: 480, patienceMs: 2_000 },
  /** Requests of one customer. No screen asks this much at once. */
  requests: { running: 5_000, waiting: 5_000, runningPerKey: 32, waitingPerKey: 480 },
  /** Requests of one address that have a password hashed; many people may share an address. */
  passwords: { running: 64, waiting: 256, runningPerKey: 4, waitingPerKey: 60 },
  /** Proofs from one address, most of which hash a password: whoever floods the sign-in page is not in their way. */
  proofs: { running: 64, waiting: 256, runningPerKey: 4, waitingPerKey: 60 },
  /** Receipts of one customer. */
  receipts: { running: 2, waiting: 64, runningPerKey: 1, waitingPerKey: 4 },
  /** Statements of one customer, each until it has been read to its end. Those who read slowly make room. */
  statements: { running: 32, waiting: 64, runningPerKey: 1, waitingPerKey: 4, oldestMakesRoom: true },
  /** The same with more lines than a month has: as many as one thread writes side by side within its memory. */
  longStatements: { running: 6, waiting: 64, runningPerKey: 1, waitingPerKey: 4, oldestMakesRoom: true },
  /** Other banks' statements of one customer, read and kept one after the other. */
  imports: { running: 2, waiting: 64, runningPerKey: 1, waitingPerKey: 4 },
  /**
   * Exports of one customer, each until it has been read to its end. Those who read slowly keep nobody waiting; those who
   * come at the same moment wait for as many to make room.
   */
  exports: { running: 64, waiting: 64, runningPerKey: 1, waitingPerKey: 0, oldestMakesRoom: true },
} satisfies Record<string, ConcurrencyOptions>

export type ShareName = keyof typeof SHARES
export type Shares = Readonly<Record<ShareName, ConcurrencyLimit>>
export type ShareOptions = Partial<Record<ShareName, Partial<ConcurrencyOptions>>>

declare module '#server/platform/deps.ts' {
  interface Core {
    shares: Shares
  }
}

/** The shares of one server process; `given` changes some of their sizes. */
export function openShares(measures: Measures, given: ShareOptions = {}): Shares {
  const open = (name: ShareName) => limitConcurrency({ ...SHARES[name], ...given[name] })
  const shares: Shares = {
    cardQuestions: open('cardQuestions'),
    cardClearings: open('cardClearings'),
    payments: open('payments'),
    entries: open('entries'),
    reads: open('reads'),
    requests: open('requests'),
    passwords: open('passwords'),
    proofs: open('proofs'),
    receipts: open('receipts'),
    statements: open('statements'),
    longStatements: open('longStatements'),
    imports: open('imports'),
    exports: open('exports'),
  }
  measureShares(measures, shares)
  return shares
}

function measureShares(measures: Measures, shares: Shares): void {
  const each = <Reading>(read: (share: string, counts: ConcurrencyCounts) => Reading[]): Reading[] =>
    Object.entries(shares).flatMap(([share, limit]) => read(share, limit.counts()))
  measures.watch('alder_share_running', () => each((share, { running }) => [{ labels: { share }, value: running }]))
  measures.watch('alder_share_waiting', () => each((share, { waiting }) => [{ labels: { share }, value: waiting }]))
  measures.watch('alder_share_refused_total', () =>
    each((share, { refused }) =>
      Object.entries(refused).map(([reason, value]) => ({ labels: { share, reason }, value })),
    ),
  )
}
