import {
  BadgeCheck,
  BadgeX,
  CreditCard,
  Download,
  FileClock,
  FileSearch,
  Fingerprint,
  KeyRound,
  LifeBuoy,
  Lock,
  LogIn,
  LogOut,
  type LucideIcon,
  MailCheck,
  MailQuestionMark,
  PenLine,
  ShieldAlert,
  ShieldCheck,
  ShieldOff,
  Smartphone,
  Snowflake,
  Sprout,
  UserX,
} from 'lucide-react'
import type { SecurityEventKind } from '#contract/security-events.ts'
import type { RowTint } from '#web/ui/row.tsx'

type Look = { icon: LucideIcon; tint: RowTint }

const way = (icon: LucideIcon): Look => ({ icon, tint: 'plain' })
const change = (icon: LucideIcon): Look => ({ icon, tint: 'primary' })
/** Events that another person may have caused. */
const doubt = (icon: LucideIcon): Look => ({ icon, tint: 'danger' })

/** How each kind of security event is drawn: coming and going plainly, changes in green, what went wrong in red. */
export const EVENT_ICONS: Record<SecurityEventKind, Look> = {
  signed_up: change(Sprout),
  signed_in_with_password: way(LogIn),
  signed_in_with_passkey: way(Fingerprint),
  signed_in_with_biometric: way(Fingerprint),
  signed_in_with_recovery_code: way(LifeBuoy),
  sign_in_failed: doubt(ShieldAlert),
  password_locked: doubt(Lock),
  codes_locked: doubt(Lock),
  signed_out: way(LogOut),
  device_signed_out: way(LogOut),
  other_devices_signed_out: way(LogOut),
  password_reset_asked: change(KeyRound),
  password_changed: change(KeyRound),
  email_confirmed: change(MailCheck),
  email_change_asked: change(MailQuestionMark),
  email_changed: change(MailCheck),
  details_changed: change(PenLine),
  phone_confirmed: change(Smartphone),
  phone_lost: doubt(Smartphone),
  passkey_added: change(KeyRound),
  passkey_removed: change(KeyRound),
  passkey_counter: doubt(KeyRound),
  two_factor_on: change(ShieldCheck),
  two_factor_off: change(ShieldOff),
  recovery_codes_made: change(LifeBuoy),
  card_issued: change(CreditCard),
  card_details_shown: way(CreditCard),
  card_frozen: change(Snowflake),
  card_unfrozen: change(CreditCard),
  card_changed: change(CreditCard),
  card_removed: change(CreditCard),
  proof_given: way(ShieldCheck),
  proof_refused: doubt(ShieldAlert),
  data_downloaded: change(Download),
  kyc_submitted: change(FileClock),
  kyc_approved: change(BadgeCheck),
  kyc_rejected: doubt(BadgeX),
  kyc_again: change(FileClock),
  document_opened: way(FileSearch),
  account_closed: change(UserX),
}
