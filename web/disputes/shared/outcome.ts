import { t } from '@lingui/core/macro'
import type { Dispute } from '#contract/disputes.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'

/** Returns the provisional credit in words, or null without a credit. */
export function creditText({ creditedMinor, asset }: Pick<Dispute, 'creditedMinor' | 'asset'>): string | null {
  if (creditedMinor === 0) return null
  const amount = money(creditedMinor, asset)
  return t`We've credited ${amount} to your account until it's decided.`
}

/** Returns the state of the disputed money, one sentence per item. */
export function outcomeTexts(dispute: Dispute): string[] {
  const amount = money(dispute.amountMinor, dispute.asset)
  switch (dispute.status) {
    case 'open':
      return [
        creditText(dispute) ?? t`You'll get ${amount} back if it's decided in your favor.`,
        ...finalTexts(dispute),
      ]
    case 'upheld':
      return [...upheldTexts(dispute), ...takenBackTexts(dispute)]
    case 'rejected':
      return dispute.creditedMinor > 0 ? takenBackTexts(dispute) : [t`You won't get ${amount} back.`]
    case 'withdrawn':
      return dispute.dueMinor > 0 ? takenBackTexts(dispute) : []
  }
}

/** Returns the day on which the credit of an undecided dispute becomes final, in words. */
function finalTexts({ finalAt }: Dispute): string[] {
  if (finalAt === null) return []
  const day = shortDay(finalAt, null)
  return [t`If we haven't decided by ${day}, you'll keep it.`]
}

/** The upheld amount is below the disputed amount if the merchant has refunded the difference meanwhile. */
function upheldTexts({ amountMinor, upheldMinor, creditedMinor, asset }: Dispute): string[] {
  if (upheldMinor === 0) return [t`The merchant has refunded you.`]
  const upheld = money(upheldMinor, asset)
  return [
    creditedMinor > 0 ? t`${upheld} is yours to keep.` : t`You got ${upheld} back.`,
    ...(upheldMinor < amountMinor ? [t`The merchant has refunded the rest.`] : []),
  ]
}

/**
 * The bank takes back the part of a credit that was not upheld. If the customer has spent it, the bank takes the missing amount
 * when money arrives.
 */
function takenBackTexts({ creditedMinor, upheldMinor, dueMinor, asset }: Dispute): string[] {
  const back = money(creditedMinor - upheldMinor, asset)
  const due = money(dueMinor, asset)
  if (creditedMinor <= upheldMinor) return []
  return dueMinor > 0
    ? [t`We'll reverse ${due} of our credit once there's enough money in your account.`]
    : [t`We've reversed ${back} of our credit.`]
}
