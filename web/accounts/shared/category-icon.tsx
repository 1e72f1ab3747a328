import {
  ArrowDownLeft,
  ArrowUpRight,
  Banknote,
  Bitcoin,
  Car,
  Clapperboard,
  Coffee,
  CreditCard,
  Croissant,
  Handshake,
  Landmark,
  type LucideIcon,
  Leaf,
  PiggyBank,
  Plus,
  ReceiptText,
  ShoppingBag,
  ShoppingBasket,
  TrendingUp,
  Utensils,
} from 'lucide-react'
import type { Category, MerchantKind } from '#contract/categories.ts'
import { cx } from '#web/ui/cx.ts'

const LOOKS: Record<Category, { icon: LucideIcon; tint: string }> = {
  food: { icon: Utensils, tint: 'bg-orange-subtle text-orange' },
  shopping: { icon: ShoppingBag, tint: 'bg-purple-subtle text-purple' },
  transport: { icon: Car, tint: 'bg-blue-subtle text-blue' },
  entertainment: { icon: Clapperboard, tint: 'bg-primary-subtle text-primary' },
  bills: { icon: ReceiptText, tint: 'bg-muted text-ink-soft' },
  other: { icon: Banknote, tint: 'bg-muted text-ink-soft' },
  income: { icon: Banknote, tint: 'bg-primary-subtle text-primary' },
  transfer: { icon: ArrowUpRight, tint: 'bg-primary-subtle text-primary' },
  top_up: { icon: Plus, tint: 'bg-primary-subtle text-primary' },
  payout: { icon: Landmark, tint: 'bg-blue-subtle text-blue' },
  savings: { icon: PiggyBank, tint: 'bg-primary-subtle text-primary' },
  card: { icon: CreditCard, tint: 'bg-blue-subtle text-blue' },
  loan: { icon: Handshake, tint: 'bg-purple-subtle text-purple' },
  investing: { icon: TrendingUp, tint: 'bg-primary-subtle text-primary' },
  crypto: { icon: Bitcoin, tint: 'bg-warning-subtle text-warning' },
  offset: { icon: Leaf, tint: 'bg-primary-subtle text-primary' },
}

/** Coffee is no dinner: what the category leaves open. */
const SHOPS: Partial<Record<string, LucideIcon>> = {
  coffee: Coffee,
  bakery: Croissant,
  groceries: ShoppingBasket,
} satisfies Partial<Record<MerchantKind, LucideIcon>>

type CategoryIconProps = {
  category: Category
  /** What the shop is, where that is known. */
  kind?: string | undefined
  incoming?: boolean
  size?: 'row' | 'hero'
}

/** The picture of what a transaction was for; the category's name stands beside it in words. */
export function CategoryIcon({ category, kind = '', incoming = false, size = 'row' }: CategoryIconProps) {
  const { icon, tint } = LOOKS[category]
  const Icon = category === 'transfer' && incoming ? ArrowDownLeft : (SHOPS[kind] ?? icon)
  return (
    <span
      aria-hidden
      className={cx('grid shrink-0 place-items-center rounded-full', size === 'row' ? 'size-11' : 'size-16', tint)}
    >
      <Icon className={size === 'row' ? 'size-5' : 'size-7'} strokeWidth={1.9} />
    </span>
  )
}
