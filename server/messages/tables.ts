import type { ColumnType, GeneratedAlways } from 'kysely'

type TextMessageTable = {
  id: string
  place: GeneratedAlways<number>
  customer_id: string
  recipient: string
  kind: string
  params: Buffer | null
  created_at: ColumnType<Date, Date, never>
  expires_at: ColumnType<Date, Date, never>
  sent_at: Date | null
}

export type MessageTables = { 'bank.text_message': TextMessageTable }
