import type { Asset } from '#contract/money.ts'
import { action, greeting, defineMailText, plainName } from '#server/mail/texts/text.ts'

type MoneyRequest = { requesterName: string; amountMinor: number; asset: Asset; hasNote: boolean; expiresAt: string }

export const requestTexts = {
  // The reader did not ask for this mail. As with a payment to claim, the note appears only behind the link.
  money_request: defineMailText<MoneyRequest>(
    (translator, { requesterName, amountMinor, asset, hasNote, expiresAt }, link) => {
      const amount = translator.amount(amountMinor, asset)
      const requester = plainName(requesterName, '')
      return {
        subject: translator.i18n._({ id: 'mail.money_request.subject', message: 'You have a money request' }),
        body: [
          greeting(translator),
          requester === ''
            ? translator.i18n._({
                id: 'mail.money_request.what_unnamed',
                message: 'Someone requested {amount} from you with Alder.',
                values: { amount },
              })
            : translator.i18n._({
                id: 'mail.money_request.what',
                message: '{requester} requested {amount} from you with Alder.',
                values: { requester, amount },
              }),
          ...(hasNote
            ? [
                translator.i18n._({
                  id: 'mail.money_request.note',
                  message: 'They left you a note. You can read it before you pay.',
                }),
              ]
            : []),
          action(
            link('/request', 'link'),
            translator.i18n._({ id: 'mail.action.see_request', message: 'See the Request' }),
          ),
          translator.i18n._({
            id: 'mail.money_request.lasts',
            message: 'You can pay it until {day}, all at once or in parts. If you do nothing, it simply expires.',
            comment: '{day} is a date, such as September 11, 2026',
            values: { day: translator.day(expiresAt) },
          }),
          translator.i18n._({
            id: 'mail.money_request.advice',
            message: "If you don't know who is asking, you can ignore this email. We never ask for money ourselves.",
          }),
        ],
      }
    },
  ),
}
