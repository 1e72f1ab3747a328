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

type EventLook = { icon: LucideIcon; tint: RowTint }

const plainIcon = (icon: LucideIcon): EventLook => ({ icon, tint: 'plain' })
const change = (icon: LucideIcon): EventLook => ({ icon, tint: 'primary' })
/** Returns the look of an event that another person may have caused. */
const doubt = (icon: LucideIcon): EventLook => ({ icon, tint: 'danger' })

/**
 * The icon and color of each security event: green for changes, red for failures and for events that another person may have
 * caused, neutral for sign-ins, sign-outs and similar events.
 */
export const EVENT_ICONS: Record<SecurityEventKind, EventLook> = {
  signed_up: change(Sprout),
  signed_in_with_password: plainIcon(LogIn),
  signed_in_with_passkey: plainIcon(Fingerprint),
  signed_in_with_biometric: plainIcon(Fingerprint),
  signed_in_with_recovery_code: plainIcon(LifeBuoy),
  sign_in_failed: doubt(ShieldAlert),
  password_locked: doubt(Lock),
  codes_locked: doubt(Lock),
  signed_out: plainIcon(LogOut),
  device_signed_out: plainIcon(LogOut),
  other_devices_signed_out: plainIcon(LogOut),
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
  card_details_shown: plainIcon(CreditCard),
  card_frozen: change(Snowflake),
  card_unfrozen: change(CreditCard),
  card_changed: change(CreditCard),
  card_removed: change(CreditCard),
  proof_given: plainIcon(ShieldCheck),
  proof_refused: doubt(ShieldAlert),
  data_downloaded: change(Download),
  kyc_submitted: change(FileClock),
  kyc_approved: change(BadgeCheck),
  kyc_rejected: doubt(BadgeX),
  kyc_again: change(FileClock),
  document_opened: plainIcon(FileSearch),
  account_closed: change(UserX),
}
