import { t } from '@lingui/core/macro'
import { money } from '#web/i18n/formats.ts'

/** Returns what a group owes the customer, or the customer owes the group, in words. */
export function ownBalanceText(balanceMinor: number): string {
  const amount = money(Math.abs(balanceMinor), 'USD')
  if (balanceMinor === 0) return t`All settled`
  return balanceMinor > 0 ? t`You're owed ${amount}` : t`You owe ${amount}`
}

/** Returns what a group owes another member, or that member owes the group, in words. */
export function memberBalanceText(balanceMinor: number): string {
  const amount = money(Math.abs(balanceMinor), 'USD')
  if (balanceMinor === 0) return t`All settled`
  return balanceMinor > 0 ? t`Is owed ${amount}` : t`Owes ${amount}`
}
