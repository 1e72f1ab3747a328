import type { ColumnType, Generated } from 'kysely'
import type { TopUpMethod } from '#contract/accounts.ts'
import type { Asset } from '#contract/money.ts'
import type { AccountId } from '#server/ledger/types.ts'
import type { RailEvent } from '#server/rails/event.ts'

type Fixed<Value> = ColumnType<Value, Value, never>

type CollectionTable = {
  operation_id: Fixed<string>
  customer_id: Fixed<string>
  account_id: Fixed<AccountId>
  method: Fixed<TopUpMethod>
  amount_minor: Fixed<number>
  asset: Fixed<Asset>
  rail: Fixed<'simulated' | 'provider'>
  status: Generated<'pending' | 'confirmed' | 'failed' | 'expired' | 'return_due' | 'returned'>
  created_at: Fixed<Date>
  overdue_at: Fixed<Date>
}

type EventTable = {
  id: Fixed<string>
  operation_id: Fixed<string>
  type: Fixed<RailEvent['type']>
  received_at: Fixed<Date>
}

export type RailTables = { 'bank.collection': CollectionTable; 'bank.rail_event': EventTable }
