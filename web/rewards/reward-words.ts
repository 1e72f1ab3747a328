import { t } from '@lingui/core/macro'
import { Armchair, Banknote, Crown, type LucideIcon, Ticket } from 'lucide-react'
import { type Reward, REWARDS } from '#contract/rewards.ts'
import { money } from '#web/i18n/formats.ts'
import { textOf } from '#web/i18n/words.ts'

export const REWARD_ICONS: Record<Reward, LucideIcon> = {
  cashback: Banknote,
  premium_month: Crown,
  voucher: Ticket,
  lounge: Armchair,
}

/** Returns a reward's name, for the catalog and the history of points. */
export const rewardTitle = (reward: Reward): string => textOf('label', `points.${reward}`)

/** Returns the description of a reward. */
export function rewardAbout(reward: Reward): string {
  const amount = money(REWARDS.cashback.cashbackMinor, 'USD')
  return {
    cashback: t`${amount} goes to your account right away.`,
    premium_month: t`One month of Premium, added to the time you already have. It doesn't renew automatically.`,
    voucher: t`You'll get a code right away, and you can always find it here.`,
    lounge: t`You'll get a code for one visit right away, and you can always find it here.`,
  }[reward]
}

/** Returns the text of the toast after a redemption. */
export function rewardGiven(reward: Reward): string {
  const amount = money(REWARDS.cashback.cashbackMinor, 'USD')
  return {
    cashback: t`${amount} cashback added to your account`,
    premium_month: t`A month of Premium is yours`,
    voucher: t`Your voucher code is ready`,
    lounge: t`Your lounge code is ready`,
  }[reward]
}
