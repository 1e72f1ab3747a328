import { t } from '@lingui/core/macro'
import type { Dispute } from '#contract/disputes.ts'
import { shortDay } from '#web/i18n/dates.ts'
import { money } from '#web/i18n/formats.ts'

/** What the customer was credited with until it is decided; null where they were not. */
export function creditText({ creditedMinor, asset }: Pick<Dispute, 'creditedMinor' | 'asset'>): string | null {
  if (creditedMinor === 0) return null
  const amount = money(creditedMinor, asset)
  return t`We've credited you with ${amount} until it's decided.`
}

/** What has become of the money in dispute, sentence by sentence. */
export function outcomeTexts(dispute: Dispute): string[] {
  const amount = money(dispute.amountMinor, dispute.asset)
  switch (dispute.status) {
    case 'open':
      return [creditText(dispute) ?? t`You'll get ${amount} back if it's decided for you.`, ...finalTexts(dispute)]
    case 'upheld':
      return [...upheldTexts(dispute), ...takenBackTexts(dispute)]
    case 'rejected':
      return dispute.creditedMinor > 0 ? takenBackTexts(dispute) : [t`You don't get ${amount} back.`]
    case 'withdrawn':
      return dispute.dueMinor > 0 ? takenBackTexts(dispute) : []
  }
}

/** A credit does not stay provisional for ever. */
function finalTexts({ finalAt }: Dispute): string[] {
  if (finalAt === null) return []
  const day = shortDay(finalAt, null)
  return [t`If we haven't decided by ${day}, you keep it.`]
}

/** Less is upheld than was disputed where the shop has given the rest back since. */
function upheldTexts({ amountMinor, upheldMinor, creditedMinor, asset }: Dispute): string[] {
  if (upheldMinor === 0) return [t`The shop has paid you back itself.`]
  const upheld = money(upheldMinor, asset)
  return [
    creditedMinor > 0 ? t`${upheld} is yours to keep.` : t`You've got ${upheld} back.`,
    ...(upheldMinor < amountMinor ? [t`The shop has paid back the rest itself.`] : []),
  ]
}

/** Of a credit, what was not upheld is taken back, and what was spent of it as soon as there is money. */
function takenBackTexts({ creditedMinor, upheldMinor, dueMinor, asset }: Dispute): string[] {
  const back = money(creditedMinor - upheldMinor, asset)
  const due = money(dueMinor, asset)
  if (creditedMinor <= upheldMinor) return []
  return dueMinor > 0
    ? [t`We'll take back ${due} of our credit once there's enough money in your account.`]
    : [t`We've taken back ${back} of our credit.`]
}
