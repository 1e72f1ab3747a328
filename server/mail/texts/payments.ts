import type { Asset } from '#contract/money.ts'
import { action, greeting, defineMailText, plainName } from '#server/mail/texts/text.ts'

type PaymentToClaim = { senderName: string; amountMinor: number; asset: Asset; hasNote: boolean; expiresAt: string }

export const paymentTexts = {
  // The reader did not ask for this mail. The sender's note appears only behind the link. There it stands under the sender's
  // name and not under the bank's.
  payment_to_claim: defineMailText<PaymentToClaim>(
    (translator, { senderName, amountMinor, asset, hasNote, expiresAt }, link) => {
      const amount = translator.amount(amountMinor, asset)
      const sender = plainName(senderName, '')
      return {
        subject: translator.i18n._({ id: 'mail.payment_to_claim.subject', message: 'Someone sent you money' }),
        body: [
          greeting(translator),
          sender === ''
            ? translator.i18n._({
                id: 'mail.payment_to_claim.what_unnamed',
                message: 'Someone sent you {amount} with Alder.',
                values: { amount },
              })
            : translator.i18n._({
                id: 'mail.payment_to_claim.what',
                message: '{sender} sent you {amount} with Alder.',
                values: { sender, amount },
              }),
          ...(hasNote
            ? [
                translator.i18n._({
                  id: 'mail.payment_to_claim.note',
                  message: 'They left you a note. You can read it before you accept.',
                }),
              ]
            : []),
          action(
            link('/claim'),
            translator.i18n._({ id: 'mail.action.accept_payment', message: 'Accept {amount}', values: { amount } }),
          ),
          translator.i18n._({
            id: 'mail.payment_to_claim.lasts',
            message:
              "If you don't accept it by {day}, it goes back to the sender. Anyone with the link can accept the money, so don't share it.",
            comment: '{day} is a date, such as September 4, 2026',
            values: { day: translator.day(expiresAt) },
          }),
          translator.i18n._({
            id: 'mail.payment_to_claim.advice',
            message:
              "If you don't know the sender, you can ignore this email. We never ask for a password or a payment to release money.",
          }),
        ],
      }
    },
  ),
}
