import type { Asset } from '#contract/money.ts'
import { action, hello, mailText, plainName } from '#server/mail/texts/text.ts'

type MoneyRequest = { requesterName: string; amountMinor: number; asset: Asset; hasNote: boolean; expiresAt: string }

export const requestTexts = {
  // To somebody who never asked for it: as with money that waits for them, the note is read behind the link alone.
  money_request: mailText<MoneyRequest>((say, { requesterName, amountMinor, asset, hasNote, expiresAt }, link) => {
    const amount = say.amount(amountMinor, asset)
    const requester = plainName(requesterName, '')
    return {
      subject: say.i18n._({ id: 'mail.money_request.subject', message: 'You have a money request' }),
      body: [
        hello(say),
        requester === ''
          ? say.i18n._({
              id: 'mail.money_request.what_unnamed',
              message: 'Someone requested {amount} from you with Alder.',
              values: { amount },
            })
          : say.i18n._({
              id: 'mail.money_request.what',
              message: '{requester} requested {amount} from you with Alder.',
              values: { requester, amount },
            }),
        ...(hasNote
          ? [
              say.i18n._({
                id: 'mail.money_request.note',
                message: 'They left you a note. You can read it before you pay.',
              }),
            ]
          : []),
        action(link('/request', 'link'), say.i18n._({ id: 'mail.action.see_request', message: 'See the request' })),
        say.i18n._({
          id: 'mail.money_request.lasts',
          message: 'You can pay it until {day}, all at once or in parts. If you do nothing, it simply expires.',
          comment: 'day: "September 11, 2026"',
          values: { day: say.day(expiresAt) },
        }),
        say.i18n._({
          id: 'mail.money_request.advice',
          message: "If you don't know who is asking, you can ignore this email. We never ask for money ourselves.",
        }),
      ],
    }
  }),
}
