import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Place, SecurityEventKind } from '#contract/identity.ts'

export type CustomerRole = 'customer' | 'reviewer'

type CustomerTable = {
  id: string
  full_name: string
  email: string
  phone: string | null
  password_hash: string | null
  current_account_id: number
  created_at: ColumnType<Date, Date, never>
  email_confirmed_at: Date | null
  phone_confirmed_at: Date | null
  /** YYYY-MM-DD; read as text with `to_char`, for a day has no time zone. */
  date_of_birth: ColumnType<never, string | null, string | null>
  address: string | null
  postcode: string | null
  role: ColumnType<CustomerRole, never, never>
  notifications: Generated<boolean>
  transaction_alerts: Generated<boolean>
  biometric_login: Generated<boolean>
  closed_at: Date | null
  verified_at: Date | null
}

type SessionTable = {
  token_hash: string
  id: string
  customer_id: string
  created_at: ColumnType<Date, Date, never>
  last_used_at: Date
  expires_at: ColumnType<Date, Date, never>
  device: ColumnType<string, string, never>
  place: ColumnType<Place, Place, never>
  method: ColumnType<string, string, never>
}

type SecurityEventTable = {
  id: GeneratedAlways<number>
  customer_id: string
  kind: SecurityEventKind
  device: string
  place: Place
  happened_at: Date
}

type KnownDeviceTable = {
  customer_id: string
  token_hash: string
  device: string
  first_used_at: Date
  last_used_at: Date
}

type VisitorTable = { token_hash: string; customer_id: string; created_at: Date }

type PhoneCodeTable = {
  customer_id: string
  phone: string
  digest: string
  tries: Generated<number>
  expires_at: Date
}

export type IdentityTables = {
  'bank.phone_code': PhoneCodeTable
  'bank.customer': CustomerTable
  'bank.known_device': KnownDeviceTable
  'bank.session': SessionTable
  'bank.security_event': SecurityEventTable
  'bank.visitor': VisitorTable
}
