import { t } from '@lingui/core/macro'
import { money } from '#web/i18n/formats.ts'

/** What somebody is owed by a group or owes it. */
export function standing(balanceMinor: number): string {
  const amount = money(Math.abs(balanceMinor), 'USD')
  if (balanceMinor === 0) return t`All settled`
  return balanceMinor > 0 ? t`You're owed ${amount}` : t`You owe ${amount}`
}

/** The same of another member. */
export function memberStanding(balanceMinor: number): string {
  const amount = money(Math.abs(balanceMinor), 'USD')
  if (balanceMinor === 0) return t`All settled`
  return balanceMinor > 0 ? t`Is owed ${amount}` : t`Owes ${amount}`
}
