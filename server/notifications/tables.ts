import type { ColumnType, JSONColumnType } from 'kysely'

export type NotificationTable = {
  id: string
  customer_id: string
  kind: string
  params: JSONColumnType<Record<string, unknown>>
  created_at: ColumnType<Date, Date, never>
  read_at: Date | null
}

export type NotificationTables = { 'bank.notification': NotificationTable }
