import type { Asset } from '#contract/money.ts'
import type { Run } from '#server/platform/db/run.ts'
import type { AccountId } from '#server/ledger/types.ts'

/**
 * The bank's own accounts, one per purpose and asset. `normal` is the usual side of the balance: debit if the bank owns or
 * spends it, credit if the bank owes or earns it.
 */
const CHART = [
  { id: 101, code: 'card_scheme', asset: 'USD', normal: 'debit', name: 'Card scheme settlement' },
  { id: 102, code: 'ach_clearing', asset: 'USD', normal: 'debit', name: 'ACH clearing' },
  { id: 103, code: 'wallet_clearing', asset: 'USD', normal: 'debit', name: 'Wallet provider clearing' },
  { id: 104, code: 'unclaimed_payments', asset: 'USD', normal: 'credit', name: 'Payments waiting to be claimed' },
  { id: 105, code: 'card_acquiring', asset: 'USD', normal: 'debit', name: 'Card acquirer (money added by card)' },
  { id: 106, code: 'fees', asset: 'USD', normal: 'credit', name: 'Fee income' },
  { id: 107, code: 'rewards_expense', asset: 'USD', normal: 'debit', name: 'Rewards and cashback expense' },
  { id: 108, code: 'points_issued', asset: 'POINTS', normal: 'debit', name: 'Reward points issued' },
  { id: 109, code: 'market_maker', asset: 'USD', normal: 'debit', name: 'Market maker, cash' },
  { id: 110, code: 'market_maker', asset: 'BTC', normal: 'debit', name: 'Market maker, bitcoin' },
  { id: 111, code: 'market_maker', asset: 'ETH', normal: 'debit', name: 'Market maker, ether' },
  { id: 112, code: 'market_maker', asset: 'LTC', normal: 'debit', name: 'Market maker, litecoin' },
  {
    id: 113,
    code: 'market_maker',
    asset: 'FUND_CONSERVATIVE',
    normal: 'debit',
    name: 'Market maker, Conservative Growth',
  },
  { id: 114, code: 'market_maker', asset: 'FUND_BALANCED', normal: 'debit', name: 'Market maker, Balanced Portfolio' },
  { id: 115, code: 'market_maker', asset: 'FUND_AGGRESSIVE', normal: 'debit', name: 'Market maker, Aggressive Growth' },
  { id: 116, code: 'return_losses', asset: 'USD', normal: 'debit', name: 'Losses on returned payments' },
  { id: 117, code: 'interest_expense', asset: 'USD', normal: 'debit', name: 'Interest paid to customers' },
  { id: 118, code: 'disputed_payments', asset: 'USD', normal: 'debit', name: 'Card payments in dispute' },
  {
    id: 119,
    code: 'account_verification',
    asset: 'USD',
    normal: 'debit',
    name: 'Deposits that verify linked accounts',
  },
  {
    id: 120,
    code: 'card_losses',
    asset: 'USD',
    normal: 'debit',
    name: 'Card payments that customers could not cover',
  },
  { id: 121, code: 'loan_interest', asset: 'USD', normal: 'credit', name: 'Interest earned on loans' },
  { id: 122, code: 'carbon_offsets', asset: 'USD', normal: 'credit', name: 'Carbon offsets payable' },
  { id: 123, code: 'transfers_to_return', asset: 'USD', normal: 'credit', name: 'Incoming transfers to be sent back' },
  { id: 124, code: 'settlement_account', asset: 'USD', normal: 'debit', name: 'Account at the central bank' },
] as const satisfies { id: AccountId; code: string; asset: Asset; normal: 'debit' | 'credit'; name: string }[]

export type ChartEntry = (typeof CHART)[number]
export type BankAccountCode = ChartEntry['code']

/** The code of each of the bank's own accounts, by account number. */
export const CODES_OF_CHART: ReadonlyMap<AccountId, BankAccountCode> = new Map(CHART.map(({ id, code }) => [id, code]))

/** Returns the number of one of the bank's own accounts. Throws if the chart has no such account for that asset. */
export function bankAccount(code: BankAccountCode, asset: Asset = 'USD'): AccountId {
  const entry = CHART.find((candidate) => candidate.code === code && candidate.asset === asset)
  if (!entry) throw new Error(`The chart has no account ${code} in ${asset}`)
  return entry.id
}

/** Adds the accounts of the chart that are missing in the books. The owner role runs it after the migrations. */
export async function ensureChart(run: Run): Promise<void> {
  await run(
    `INSERT INTO ledger.account (id, code, asset)
     SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[]) ON CONFLICT (id) DO NOTHING`,
    [CHART.map((entry) => entry.id), CHART.map((entry) => entry.code), CHART.map((entry) => entry.asset)],
  )
}
