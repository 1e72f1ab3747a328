import type { ColumnType, GeneratedAlways, JSONColumnType } from 'kysely'

export type MailTable = {
  id: string
  place: GeneratedAlways<number>
  /** Whose mailbox and export it is in; null for nobody's. */
  customer_id: string | null
  recipient: string
  kind: string
  params: JSONColumnType<Record<string, unknown>>
  /** Sealed. */
  token: Buffer | null
  created_at: ColumnType<Date, Date, never>
  sent_at: Date | null
}

export type MailTables = { 'bank.mail': MailTable }
