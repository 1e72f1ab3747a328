import type { ColumnType } from 'kysely'

export type NotificationTable = {
  id: string
  customer_id: string
  kind: string
  title: string
  message: string
  created_at: ColumnType<Date, Date, never>
  read_at: Date | null
}

export type NotificationTables = { 'bank.notification': NotificationTable }
