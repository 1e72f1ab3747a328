import type { DeviceParts } from '#contract/devices.ts'
import { deviceName, greeting, defineMailText } from '#server/mail/texts/text.ts'

export const profileTexts = {
  account_closed: defineMailText<{ fullName: string; device: DeviceParts }>((translator, { fullName, device }) => ({
    subject: translator.textOf('security_event', 'account_closed'),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.account_closed.what',
        message:
          "Your Alder account was closed on this device: {device}. No one can sign in to it anymore, and we won't email you again.",
        comment: '{device} is the device on which the account was closed, such as Chrome on Android',
        values: { device: deviceName(translator, device) },
      }),
      translator.i18n._({
        id: 'mail.account_closed.kept',
        message: 'We keep your history for as long as the law requires, then delete it.',
      }),
      translator.i18n._({ id: 'mail.account_closed.not_you', message: "If this wasn't you, contact us right away." }),
    ],
  })),
}
