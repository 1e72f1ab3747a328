import type { ColumnType, Generated } from 'kysely'
import type { AccountId } from '#server/ledger/types.ts'

type CardTable = {
  id: Generated<string>
  customer_id: string
  account_id: AccountId
  type: 'debit' | 'credit'
  name: string
  last_four: string
  /** The last day the card works, YYYY-MM-DD; read as text with `to_char`, for a day has no time zone. */
  expires_on: ColumnType<never, string, string>
  is_virtual: boolean
  is_primary: boolean
  created_at: Date
}

export type CardTables = { 'bank.card': CardTable }
