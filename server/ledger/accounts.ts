// placeholder: signatures agreed, body follows
import type { Asset } from '#contract/money.ts'
import type { AccountId, Run } from '#server/ledger/types.ts'

/** What a customer's account is for. The bank's own accounts are in chart.ts. */
export type CustomerAccountCode = 'current' | 'savings' | 'card' | 'points' | 'crypto' | 'fund'

export type NewAccount = { holderId: string; code: CustomerAccountCode; asset: Asset }

export type Account = {
  id: AccountId
  holderId: string | null
  code: string
  asset: Asset
  balanceMinor: number
  /** Set aside by open holds. */
  heldMinor: number
  /** Balance less held: what can be spent. */
  availableMinor: number
  status: 'open' | 'frozen' | 'closed'
  version: number
}

/** Opens accounts, in the order given, with a floor of zero; answers their ids. */
export declare function openAccounts(run: Run, accounts: NewAccount[]): Promise<AccountId[]>
/** A holder's accounts, by id. */
export declare function accountsOf(run: Run, holderId: string): Promise<Account[]>
