import type { DeviceParts } from '#contract/devices.ts'
import { deviceName, hello, mailText } from '#server/mail/texts/text.ts'

export const profileTexts = {
  account_closed: mailText<{ fullName: string; device: DeviceParts }>((say, { fullName, device }) => ({
    subject: say.textOf('security_event', 'account_closed'),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.account_closed.what',
        message:
          "Your Alder account was closed on this device: {device}. Nobody can sign in to it any more, and we won't write again.",
        comment: 'device, on which it was closed: "Chrome on Android"',
        values: { device: deviceName(say, device) },
      }),
      say.i18n._({
        id: 'mail.account_closed.kept',
        message: 'We keep your history for as long as the law requires, then delete it.',
      }),
      say.i18n._({ id: 'mail.account_closed.not_you', message: "If this wasn't you, contact us right away." }),
    ],
  })),
}
