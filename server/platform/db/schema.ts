import type { CardTables } from '#server/cards/tables.ts'
import type { IdentityTables } from '#server/identity/tables.ts'
import type { KycTables } from '#server/kyc/tables.ts'
import type { MailTables } from '#server/mail/tables.ts'
import type { MessageTables } from '#server/messages/tables.ts'
import type { NotificationTables } from '#server/notifications/tables.ts'
import type { PaymentTables } from '#server/payments/tables.ts'
import type { ProfileTables } from '#server/profile/tables.ts'
import type { RailTables } from '#server/rails/tables.ts'
import type { SavingsTables } from '#server/savings/tables.ts'

/** The tables that services query through Kysely, each declared beside its slice. The ledger's are not among them. */
export type Database = CardTables &
  IdentityTables &
  KycTables &
  MailTables &
  MessageTables &
  NotificationTables &
  PaymentTables &
  ProfileTables &
  RailTables &
  SavingsTables
