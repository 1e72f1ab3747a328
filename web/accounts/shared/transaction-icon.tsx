import type { Transaction } from '#contract/accounts.ts'
import { MERCHANT_KIND } from '#contract/categories.ts'
import { avatarText } from '#contract/initials.ts'
import { isByCard } from '#contract/line-texts.ts'
import { CategoryIcon } from '#web/accounts/shared/category-icon.tsx'
import { MerchantMark } from '#web/accounts/shared/merchant-mark.tsx'
import { Avatar } from '#web/ui/avatar.tsx'

const SIZES = { row: '!size-11 !text-[0.9375rem]', hero: '!size-16 !text-xl' } as const

type TransactionIconProps = { transaction: Transaction; size?: 'row' | 'hero' }

/** Shows the other party of a payment, a person or a company. For other transactions, it shows the category. */
export function TransactionIcon({ transaction, size = 'row' }: TransactionIconProps) {
  const { name, category, paymentMethod, amountMinor } = transaction
  const partyName = name.params['name']
  if (partyName && paymentMethod?.code === 'alder_transfer')
    return <Avatar initials={avatarText(partyName)} name={partyName} className={SIZES[size]} />
  if (partyName && isWithCompany(transaction)) return <MerchantMark name={partyName} size={size} />
  const kind = paymentMethod?.params[MERCHANT_KIND]
  return <CategoryIcon category={category} kind={kind} incoming={amountMinor > 0} size={size} />
}

/** Returns whether the other party is a company: a card payment, a biller's collection or a salary. */
function isWithCompany({ name, category, paymentMethod }: Transaction): boolean {
  if (name.code !== 'name') return false
  return category === 'income' || paymentMethod?.code === 'direct_debit' || isByCard(paymentMethod)
}
