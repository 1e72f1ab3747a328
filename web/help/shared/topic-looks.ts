import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { ArrowLeftRight, CreditCard, type LucideIcon, ShieldCheck, UserRound } from 'lucide-react'
import type { HelpTopic } from '#web/help/shared/topics.ts'
import type { RowTint } from '#web/ui/row.tsx'

/** The name, icon and color of each topic. */
export const TOPIC_LOOKS: Readonly<Record<HelpTopic, { name: MessageDescriptor; icon: LucideIcon; tint: RowTint }>> = {
  cards: { name: msg`Managing Cards`, icon: CreditCard, tint: 'blue' },
  security: { name: msg`Security & Privacy`, icon: ShieldCheck, tint: 'primary' },
  account: { name: msg`Account Settings`, icon: UserRound, tint: 'purple' },
  payments: { name: msg`Payments & Transfers`, icon: ArrowLeftRight, tint: 'orange' },
}
