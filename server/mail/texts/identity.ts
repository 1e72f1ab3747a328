import type { DeviceParts } from '#contract/devices.ts'
import type { SecurityEventKind } from '#contract/security-events.ts'
import { action, deviceName, greeting, defineMailText, notYou } from '#server/mail/texts/text.ts'

type CustomerName = { fullName: string }

/** The mails about signing in and about credentials. */
export const identityTexts = {
  welcome: defineMailText<object>((translator, _, link) => ({
    subject: translator.i18n._({ id: 'mail.welcome.subject', message: 'Welcome to Alder' }),
    body: [
      greeting(translator),
      translator.i18n._({
        id: 'mail.welcome.what',
        message: 'Your account is open. Sign in with this email address, and use it to receive money.',
      }),
      action(link('/login'), translator.i18n._({ id: 'mail.action.sign_in', message: 'Sign In' })),
    ],
  })),
  already_customer: defineMailText<CustomerName>((translator, { fullName }, link) => ({
    subject: translator.i18n._({ id: 'mail.already_customer.subject', message: 'You already have an account' }),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.already_customer.what',
        message:
          "Someone signed up with Alder using this email address. It already belongs to your account, so nothing has changed, and we haven't told them.",
      }),
      translator.i18n._({
        id: 'mail.already_customer.advice',
        message: 'If it was you, sign in, or choose “Forgot Password?” on the sign-in page.',
        comment: '"Forgot Password?" is a button on the sign-in page. Use the same words as there',
      }),
      action(link('/login'), translator.i18n._({ id: 'mail.action.sign_in', message: 'Sign In' })),
    ],
  })),
  choose_password: defineMailText<CustomerName>((translator, { fullName }, link) => ({
    subject: translator.i18n._({ id: 'mail.choose_password.subject', message: 'Choose a new password' }),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.choose_password.what',
        message: "Here's the link you requested to choose a new password.",
      }),
      action(
        link('/reset-password'),
        translator.i18n._({ id: 'mail.action.choose_password', message: 'Choose New Password' }),
      ),
      translator.i18n._({
        id: 'mail.choose_password.lasts',
        message: 'The link works once and expires after 30 minutes. All your devices will be signed out.',
      }),
      translator.i18n._({
        id: 'mail.choose_password.not_you',
        message: "If you didn't ask for this, you can ignore this email. Your password stays the same.",
      }),
    ],
  })),
  phone_lost: defineMailText<CustomerName>((translator, { fullName }) => ({
    subject: translator.textOf('security_event', 'phone_lost'),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.phone_lost.what',
        message: 'Someone else has confirmed your phone number as their own. Money sent to it no longer reaches you.',
      }),
      translator.i18n._({
        id: 'mail.phone_lost.advice',
        message: 'If the number is still yours, open Personal Information in Alder and confirm it again.',
      }),
    ],
  })),
  credential_changed: defineMailText<CustomerName & { event: SecurityEventKind; device: DeviceParts }>(
    (translator, { fullName, event, device }) => ({
      subject: translator.textOf('security_event', event),
      body: [
        greeting(translator, fullName),
        translator.i18n._({
          id: 'mail.credential_changed.what',
          message: '{event} ({device}). Your other devices were signed out.',
          comment: '{event} is an event, such as Passkey added; {device} a device, such as Chrome on Android',
          values: { event: translator.textOf('security_event', event), device: deviceName(translator, device) },
        }),
        notYou(translator),
      ],
    }),
  ),
  new_device: defineMailText<CustomerName & { device: DeviceParts; at: string }>(
    (translator, { fullName, device, at: signedInAt }) => ({
      subject: translator.i18n._({ id: 'mail.new_device.subject', message: 'New sign-in to your account' }),
      body: [
        greeting(translator, fullName),
        translator.i18n._({
          id: 'mail.new_device.what',
          message: "Your account was used on a device we haven't seen before: {device}, on {moment}.",
          comment:
            '{device} is a device, such as Chrome on Android; {moment} a time, such as August 28, 2026 at 9:41 AM UTC',
          values: { device: deviceName(translator, device), moment: translator.moment(signedInAt) },
        }),
        translator.i18n._({
          id: 'mail.new_device.advice',
          message:
            "If it was you, there's nothing to do. You can see your devices and sign them out under Security & Privacy.",
        }),
        notYou(translator),
      ],
    }),
  ),
}
