import type { ColumnType } from 'kysely'

export type CustomerTable = {
  id: string
  full_name: string
  email: string
  phone: string | null
  password_hash: string | null
  current_account_id: number
  created_at: ColumnType<Date, Date, never>
}

export type SessionTable = {
  token_hash: string
  id: string
  customer_id: string
  created_at: ColumnType<Date, Date, never>
  last_used_at: Date
  expires_at: ColumnType<Date, Date, never>
}

export type IdentityTables = { 'bank.customer': CustomerTable; 'bank.session': SessionTable }
