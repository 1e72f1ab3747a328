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

/** The icons of shops, which are more specific than the category: coffee is not dinner. */
const SHOPS: Partial<Record<string, LucideIcon>> = {
  coffee: Coffee,
  bakery: Croissant,
  groceries: ShoppingBasket,
} satisfies Partial<Record<MerchantKind, LucideIcon>>

type CategoryIconProps = {
  category: Category
  /** The kind of shop, if known. */
  kind?: string | undefined
  incoming?: boolean
  size?: 'row' | 'hero'
}

/** Shows a picture of a transaction's category. The category's name is shown beside it as text. */
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
