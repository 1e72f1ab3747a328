import type { ColumnType, Generated } from 'kysely'

type EmailChangeTable = {
  customer_id: string
  /** Which wish it is: the links speak of it. */
  id: string
  email: ColumnType<string, string, never>
  old_confirmed: boolean
  new_confirmed: Generated<boolean>
  expires_at: ColumnType<Date, Date, never>
}

export type ProfileTables = { 'bank.email_change': EmailChangeTable }
