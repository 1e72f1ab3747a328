import type { Measures } from '#server/platform/telemetry/measures.ts'
import {
  type ConcurrencyCounts,
  type ConcurrencyLimit,
  type ConcurrencyOptions,
  limitConcurrency,
} from '#server/platform/concurrency.ts'

/**
 * The limits on concurrent costly work. Each has a limit for all keys together and a limit for one key. A key is a customer, a
 * card, a payment or an address. Work above the limit of a key waits behind the other work of the same key and does not delay
 * other keys.
 */
const CONCURRENCY_LIMITS = {
  /**
   * The card scheme's authorization requests, by card. The requests in progress are those of the batch that is being decided,
   * and those that wait for the next batch. A request waits for its turn for at most `patienceMs` milliseconds.
   */
  cardQuestions: { running: 128, waiting: 200, runningPerKey: 16, waitingPerKey: 48, patienceMs: 2_000 },
  /** All other messages of the card scheme, by payment. */
  cardClearings: { running: 128, waiting: 200, runningPerKey: 3, waitingPerKey: 61, patienceMs: 2_000 },
  /**
   * The requests of one customer that change something. The limit is high, because many requests can share one commit of the
   * ledger.
   */
  payments: { running: 256, waiting: 256, runningPerKey: 32, waitingPerKey: 480, patienceMs: 4_000 },
  /**
   * The requests without a session, such as signing in and signing up. Most of them also wait in another share, such as
   * `passwords`.
   */
  entries: { running: 512, waiting: 0, runningPerKey: 256, waitingPerKey: 256 },
  /**
   * The requests of one customer that only read. The limit is low, so that card payments and transfers find a free processor.
   */
  reads: { running: 4, waiting: 256, runningPerKey: 3, waitingPerKey: 480, patienceMs: 2_000 },
  /** All requests of one customer. The limit is above the number that any screen sends at the same time. */
  requests: { running: 5_000, waiting: 5_000, runningPerKey: 32, waitingPerKey: 480 },
  /** Requests from one address that hash a password. Many people may share an address. */
  passwords: { running: 64, waiting: 256, runningPerKey: 4, waitingPerKey: 60 },
  /**
   * Proofs of identity from one address. Most proofs require the hashing of a password. Proofs have their own share, so that a
   * flood of sign-ins does not block them.
   */
  proofs: { running: 64, waiting: 256, runningPerKey: 4, waitingPerKey: 60 },
  /** The receipts of one customer that are being created. */
  receipts: { running: 2, waiting: 64, runningPerKey: 1, waitingPerKey: 4 },
  /**
   * The statements of one customer. A statement keeps its place until the client has read it to the end. If all places are
   * taken when another request arrives, the oldest statement is ended.
   */
  statements: { running: 32, waiting: 64, runningPerKey: 1, waitingPerKey: 4, oldestMakesRoom: true },
  /**
   * Statements that have more lines than those of a usual month. The memory of one thread is sufficient for this number of
   * statements at the same time.
   */
  longStatements: { running: 3, waiting: 64, runningPerKey: 1, waitingPerKey: 4, oldestMakesRoom: true },
  /** Imports of other banks' statements. The imports of one customer run one after the other. */
  imports: { running: 2, waiting: 64, runningPerKey: 1, waitingPerKey: 4 },
  /**
   * The exports of one customer. An export keeps its place until the client has read it to the end. If all places are taken
   * when another request arrives, the oldest export is ended. The new export waits until a place is free.
   */
  exports: { running: 64, waiting: 64, runningPerKey: 1, waitingPerKey: 0, oldestMakesRoom: true },
} satisfies Record<string, ConcurrencyOptions>

export type ConcurrencyLimitName = keyof typeof CONCURRENCY_LIMITS
export type ConcurrencyLimits = Readonly<Record<ConcurrencyLimitName, ConcurrencyLimit>>
export type ConcurrencyLimitOptions = Partial<Record<ConcurrencyLimitName, Partial<ConcurrencyOptions>>>

declare module '#server/platform/deps.ts' {
  interface Core {
    concurrencyLimits: ConcurrencyLimits
  }
}

/** Opens the shares of one server process. `options` replaces some of the limits. */
export function openConcurrencyLimits(measures: Measures, options: ConcurrencyLimitOptions = {}): ConcurrencyLimits {
  const openLimit = (name: ConcurrencyLimitName) => limitConcurrency({ ...CONCURRENCY_LIMITS[name], ...options[name] })
  const limits: ConcurrencyLimits = {
    cardQuestions: openLimit('cardQuestions'),
    cardClearings: openLimit('cardClearings'),
    payments: openLimit('payments'),
    entries: openLimit('entries'),
    reads: openLimit('reads'),
    requests: openLimit('requests'),
    passwords: openLimit('passwords'),
    proofs: openLimit('proofs'),
    receipts: openLimit('receipts'),
    statements: openLimit('statements'),
    longStatements: openLimit('longStatements'),
    imports: openLimit('imports'),
    exports: openLimit('exports'),
  }
  measureConcurrencyLimits(measures, limits)
  return limits
}

function measureConcurrencyLimits(measures: Measures, limits: ConcurrencyLimits): void {
  const readEachShare = <Reading>(read: (share: string, counts: ConcurrencyCounts) => Reading[]): Reading[] =>
    Object.entries(limits).flatMap(([share, limit]) => read(share, limit.counts()))
  measures.watch('alder_share_running', () =>
    readEachShare((share, { running }) => [{ labels: { share }, value: running }]),
  )
  measures.watch('alder_share_waiting', () =>
    readEachShare((share, { waiting }) => [{ labels: { share }, value: waiting }]),
  )
  measures.watch('alder_share_refused_total', () =>
    readEachShare((share, { refused }) =>
      Object.entries(refused).map(([reason, value]) => ({ labels: { share, reason }, value })),
    ),
  )
}
