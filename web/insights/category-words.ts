import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Banknote, Car, Clapperboard, type LucideIcon, ReceiptText, ShoppingBag, Utensils } from 'lucide-react'
import type { SpendingCategory } from '#contract/categories.ts'
import type { RowTint } from '#web/ui/row.tsx'

/** The icon, color and name of each category of spending. */
export const SPENDING_LOOKS: Record<SpendingCategory, { icon: LucideIcon; tint: RowTint; name: MessageDescriptor }> = {
  food: { icon: Utensils, tint: 'orange', name: msg({ message: 'Food & Dining', context: 'analytics' }) },
  shopping: { icon: ShoppingBag, tint: 'purple', name: msg({ message: 'Shopping', context: 'analytics' }) },
  transport: { icon: Car, tint: 'blue', name: msg({ message: 'Transport', context: 'analytics' }) },
  entertainment: { icon: Clapperboard, tint: 'primary', name: msg({ message: 'Entertainment', context: 'analytics' }) },
  bills: { icon: ReceiptText, tint: 'plain', name: msg({ message: 'Bills', context: 'analytics' }) },
  other: { icon: Banknote, tint: 'plain', name: msg({ message: 'Other', context: 'analytics' }) },
}
