import { type ConcurrencyLimit, type ConcurrencyOptions, limitConcurrency } from '#server/platform/concurrency.ts'

/**
 * How much costly work is done at the same time, in all and for one customer or one address; what goes beyond that
 * waits behind its own, and delays no others.
 */
const SHARES = {
  /** Requests of one customer. No screen asks this much at once. */
  requests: { running: 5_000, waiting: 5_000, runningPerKey: 32, waitingPerKey: 480 },
  /** Requests of one address that have a password hashed; many people may share an address. */
  passwords: { running: 64, waiting: 256, runningPerKey: 4, waitingPerKey: 60 },
  /** Proofs from one address, most of which hash a password: whoever floods the sign-in page is not in their way. */
  proofs: { running: 64, waiting: 256, runningPerKey: 4, waitingPerKey: 60 },
  /** Receipts of one customer. */
  receipts: { running: 2, waiting: 64, runningPerKey: 1, waitingPerKey: 4 },
  /** Statements of one customer for other programs: one at a time, for some have thousands of lines. */
  statements: { running: 1, waiting: 64, runningPerKey: 1, waitingPerKey: 4 },
  /** Statements of one customer as a PDF: the longest take minutes to draw, and keep only each other waiting. */
  statementPdfs: { running: 1, waiting: 64, runningPerKey: 1, waitingPerKey: 4 },
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

/** The shares of one server process; `given` changes some of their sizes. */
export function openShares(given: ShareOptions = {}): Shares {
  const open = (name: ShareName) => limitConcurrency({ ...SHARES[name], ...given[name] })
  return {
    requests: open('requests'),
    passwords: open('passwords'),
    proofs: open('proofs'),
    receipts: open('receipts'),
    statements: open('statements'),
    statementPdfs: open('statementPdfs'),
    imports: open('imports'),
    exports: open('exports'),
  }
}
