import type { Asset } from '#contract/money.ts'
import { action, hello, mailText, plainName } from '#server/mail/texts/text.ts'

type PaymentToClaim = { senderName: string; amountMinor: number; asset: Asset; hasNote: boolean; expiresAt: string }

export const paymentTexts = {
  // To somebody who never asked for it. What the sender wrote is read behind the link alone, where it stands under
  // their name and not under the bank's.
  payment_to_claim: mailText<PaymentToClaim>((say, { senderName, amountMinor, asset, hasNote, expiresAt }, link) => {
    const amount = say.amount(amountMinor, asset)
    const sender = plainName(senderName, '')
    return {
      subject: say.i18n._({ id: 'mail.payment_to_claim.subject', message: 'Someone sent you money' }),
      body: [
        hello(say),
        sender === ''
          ? say.i18n._({
              id: 'mail.payment_to_claim.what_unnamed',
              message: 'Someone sent you {amount} with Alder.',
              values: { amount },
            })
          : say.i18n._({
              id: 'mail.payment_to_claim.what',
              message: '{sender} sent you {amount} with Alder.',
              values: { sender, amount },
            }),
        ...(hasNote
          ? [
              say.i18n._({
                id: 'mail.payment_to_claim.note',
                message: 'They left you a note. You can read it before you accept.',
              }),
            ]
          : []),
        action(
          link('/claim'),
          say.i18n._({ id: 'mail.action.accept_payment', message: 'Accept {amount}', values: { amount } }),
        ),
        say.i18n._({
          id: 'mail.payment_to_claim.lasts',
          message:
            "If you don't accept it by {day}, it goes back to the sender. Anyone who has the link can take the money, so don't share it.",
          comment: 'day: "September 4, 2026"',
          values: { day: say.day(expiresAt) },
        }),
        say.i18n._({
          id: 'mail.payment_to_claim.advice',
          message:
            "If you don't know the sender, you can ignore this email. We never ask for a password or a payment to release money.",
        }),
      ],
    }
  }),
}
