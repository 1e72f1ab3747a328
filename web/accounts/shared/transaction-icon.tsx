import type { Transaction } from '#contract/accounts.ts'
import { MERCHANT_KIND } from '#contract/categories.ts'
import { avatarText } from '#contract/initials.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { Avatar } from '#web/ui/avatar.tsx'

const SIZES = { row: '!size-11 !text-[0.9375rem]', hero: '!size-16 !text-xl' } as const

type TransactionIconProps = { transaction: Transaction; size?: 'row' | 'hero' }

/** Whom a payment between people went to or came from; for all else, what it was for. */
export function TransactionIcon({ transaction, size = 'row' }: TransactionIconProps) {
  const { name, category, paymentMethod, amountMinor } = transaction
  const person = paymentMethod?.code === 'alder_transfer' ? name.params['name'] : undefined
  if (person) return <Avatar initials={avatarText(person)} name={person} className={SIZES[size]} />
  const kind = paymentMethod?.params[MERCHANT_KIND]
  return <CategoryIcon category={category} kind={kind} incoming={amountMinor > 0} size={size} />
}
