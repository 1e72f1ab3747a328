import type { ColumnType } from 'kysely'
import type { Asset } from '#contract/money.ts'
import type { AccountId } from '#server/ledger/types.ts'

type Defaulted<Value> = ColumnType<Value, Value | undefined, Value>

export type ClaimStatus = 'open' | 'claimed' | 'cancelled' | 'expired'

type ClaimTable = {
  operation_id: string
  sender_id: string
  sender_account_id: AccountId
  sender_name: string
  /** As the sender spelled it. */
  recipient: string
  amount_minor: number
  asset: Asset
  note: string | null
  status: Defaulted<ClaimStatus>
  claimed_by: Defaulted<string | null>
  expires_at: Date
  closed_at: Defaulted<Date | null>
}

type ContactTable = {
  owner_id: string
  /** The email or phone number in its one canonical spelling. */
  address: string
  /** The same as the customer last typed it. */
  spelling: string
  name: string
  last_used_at: Date
}

export type PaymentTables = { 'bank.claim': ClaimTable; 'bank.contact': ContactTable }
