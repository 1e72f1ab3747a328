import type { Order, RecurringBuy } from '#contract/crypto.ts'
import type { Coin } from '#contract/markets.ts'

export type Side = 'buy' | 'sell'

/** The content of the open sheet. */
export type CryptoSheet =
  | { kind: 'coin'; asset: Coin }
  | { kind: 'trade'; side: Side; asset?: Coin }
  | { kind: 'cancel'; order: Order }
  | { kind: 'stop'; plan: RecurringBuy }
  | { kind: 'tax' }
