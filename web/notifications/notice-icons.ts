import {
  ArrowDownLeft,
  BadgeCheck,
  BadgeX,
  Bell,
  BellRing,
  CalendarCheck,
  CalendarClock,
  CalendarX,
  CircleAlert,
  CircleX,
  CreditCard,
  Crown,
  FileClock,
  HandCoins,
  Handshake,
  LockOpen,
  type LucideIcon,
  PiggyBank,
  Plus,
  Sparkles,
  TrendingUp,
  Undo2,
  UsersRound,
  UserPlus,
} from 'lucide-react'
import type { NoticeKind } from '#contract/notifications.ts'
import type { RowTint } from '#web/ui/row.tsx'

type Look = { icon: LucideIcon; tint: RowTint }

const LOOKS: Partial<Record<NoticeKind, Look>> = {
  payment_received: { icon: ArrowDownLeft, tint: 'primary' },
  payment_claimed: { icon: Handshake, tint: 'primary' },
  payment_expired: { icon: Undo2, tint: 'plain' },
  card_payment: { icon: CreditCard, tint: 'blue' },
  card_declined: { icon: CircleX, tint: 'danger' },
  card_refunded: { icon: Undo2, tint: 'primary' },
  top_up_settled: { icon: Plus, tint: 'primary' },
  top_up_failed: { icon: CircleAlert, tint: 'danger' },
  top_up_returned: { icon: Undo2, tint: 'plain' },
  goal_move_skipped: { icon: PiggyBank, tint: 'orange' },
  goal_unlocking: { icon: LockOpen, tint: 'orange' },
  request_received: { icon: HandCoins, tint: 'primary' },
  request_from_stranger: { icon: HandCoins, tint: 'plain' },
  request_reminder: { icon: BellRing, tint: 'orange' },
  request_paid: { icon: ArrowDownLeft, tint: 'primary' },
  request_declined: { icon: CircleAlert, tint: 'plain' },
  request_expired: { icon: FileClock, tint: 'plain' },
  bill_group_invited: { icon: UsersRound, tint: 'primary' },
  loan_offered: { icon: BadgeCheck, tint: 'primary' },
  loan_refused: { icon: BadgeX, tint: 'plain' },
  loan_offer_expired: { icon: FileClock, tint: 'plain' },
  loan_disbursed: { icon: ArrowDownLeft, tint: 'primary' },
  loan_instalment_short: { icon: CalendarX, tint: 'orange' },
  loan_late: { icon: CircleAlert, tint: 'danger' },
  loan_repaid: { icon: BadgeCheck, tint: 'primary' },
  kyc_approved: { icon: BadgeCheck, tint: 'primary' },
  kyc_rejected: { icon: BadgeX, tint: 'danger' },
  kyc_again: { icon: FileClock, tint: 'orange' },
  premium_short: { icon: CircleAlert, tint: 'danger' },
  premium_ended: { icon: Crown, tint: 'plain' },
  friend_joined: { icon: UserPlus, tint: 'primary' },
  scheduled_sent: { icon: CalendarCheck, tint: 'primary' },
  scheduled_delayed: { icon: CalendarClock, tint: 'orange' },
  scheduled_skipped: { icon: CalendarX, tint: 'danger' },
  investment_update: { icon: TrendingUp, tint: 'purple' },
  new_feature: { icon: Sparkles, tint: 'orange' },
}

const PLAIN: Look = { icon: Bell, tint: 'plain' }

/** How a kind of notice is drawn; a bell for one that has no picture of its own. */
export const lookOf = (kind: string): Look => LOOKS[kind as NoticeKind] ?? PLAIN
