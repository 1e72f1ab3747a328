import type { ColumnType, GeneratedAlways } from 'kysely'

export type MailTable = {
  id: string
  place: GeneratedAlways<number>
  customer_id: string | null
  recipient: string
  subject: string
  text: string
  created_at: ColumnType<Date, Date, never>
  sent_at: Date | null
}

export type MailTables = { 'bank.mail': MailTable }
