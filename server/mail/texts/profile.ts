import { SECURITY_EVENTS } from '#contract/identity.ts'
import { hello, mailText, deviceName } from '#server/mail/text.ts'

export const profileTexts = {
  account_closed: mailText<{ fullName: string; device: string }>({
    subject: SECURITY_EVENTS.account_closed,
    body: ({ fullName, device }) => [
      hello(fullName),
      `Your Alder account is closed (${deviceName(device)}). Nobody can sign in to it any more, and we won't write again.`,
      'We keep the history of your account for as long as the law requires, and then delete it.',
      "If this wasn't you, contact us right away.",
    ],
  }),
}
