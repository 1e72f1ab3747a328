import { type Asset, formatAmount } from '#contract/money.ts'
import { dayText, mailText, plainName } from '#server/mail/text.ts'

type PaymentToClaim = { senderName: string; amountMinor: number; asset: Asset; hasNote: boolean; expiresAt: string }

export const paymentTexts = {
  // To somebody who never asked for it. What the sender wrote is read behind the link alone, where it stands under
  // their name and not under the bank's.
  payment_to_claim: mailText<PaymentToClaim>({
    subject: 'Someone sent you money',
    body: ({ senderName, amountMinor, asset, hasNote, expiresAt }, link) => [
      'Hello,',
      `${plainName(senderName, 'Someone')} sent you ${formatAmount(amountMinor, asset)} with Alder. Open this link to accept it:\n${link('/claim')}`,
      ...(hasNote ? ['They left you a note. You can read it when you open the link.'] : []),
      `If you don't accept it by ${dayText(expiresAt)}, it goes back to the sender. Anyone who has the link can take the money, so don't share it.`,
      "If you don't know the sender, you can ignore this email. We never ask for a password or a payment to release money.",
    ],
  }),
}
