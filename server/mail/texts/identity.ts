import type { DeviceParts } from '#contract/devices.ts'
import type { SecurityEventKind } from '#contract/security-events.ts'
import { action, deviceName, hello, mailText, notYou } from '#server/mail/texts/text.ts'

type Named = { fullName: string }

/** About getting in, and about what a customer gets in with. */
export const identityTexts = {
  welcome: mailText<object>((say, _, link) => ({
    subject: say.i18n._({ id: 'mail.welcome.subject', message: 'Welcome to Alder' }),
    body: [
      hello(say),
      say.i18n._({
        id: 'mail.welcome.what',
        message: 'Your account is open. Sign in with this email address, and use it to receive money.',
      }),
      action(link('/login'), say.i18n._({ id: 'mail.action.sign_in', message: 'Sign In' })),
    ],
  })),
  already_customer: mailText<Named>((say, { fullName }, link) => ({
    subject: say.i18n._({ id: 'mail.already_customer.subject', message: 'You already have an account' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.already_customer.what',
        message:
          "Someone signed up with Alder using this email address. It already belongs to your account, so nothing has changed, and we haven't told them.",
      }),
      say.i18n._({
        id: 'mail.already_customer.advice',
        message: 'If it was you, sign in, or select "Forgot Password?" on the sign-in page.',
        comment: '"Forgot Password?" is a button; call it what the sign-in page calls it.',
      }),
      action(link('/login'), say.i18n._({ id: 'mail.action.sign_in', message: 'Sign In' })),
    ],
  })),
  choose_password: mailText<Named>((say, { fullName }, link) => ({
    subject: say.i18n._({ id: 'mail.choose_password.subject', message: 'Choose a new password' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.choose_password.what',
        message: 'Here is the link you asked for to choose a new password.',
      }),
      action(
        link('/reset-password'),
        say.i18n._({ id: 'mail.action.choose_password', message: 'Choose New Password' }),
      ),
      say.i18n._({
        id: 'mail.choose_password.lasts',
        message: 'The link works once and expires after 30 minutes. All your devices will be signed out.',
      }),
      say.i18n._({
        id: 'mail.choose_password.not_you',
        message: "If you didn't ask for this, you can ignore this email. Your password stays the same.",
      }),
    ],
  })),
  phone_lost: mailText<Named>((say, { fullName }) => ({
    subject: say.textOf('security_event', 'phone_lost'),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.phone_lost.what',
        message: 'Someone else has confirmed your phone number as their own. Money sent to it no longer reaches you.',
      }),
      say.i18n._({
        id: 'mail.phone_lost.advice',
        message: 'If the number is still yours, open Personal Information in Alder and confirm it again.',
      }),
    ],
  })),
  credential_changed: mailText<Named & { event: SecurityEventKind; device: DeviceParts }>(
    (say, { fullName, event, device }) => ({
      subject: say.textOf('security_event', event),
      body: [
        hello(say, fullName),
        say.i18n._({
          id: 'mail.credential_changed.what',
          message: '{event} ({device}). Your other devices were signed out.',
          comment: 'event: "Passkey added"; device: "Chrome on Android"',
          values: { event: say.textOf('security_event', event), device: deviceName(say, device) },
        }),
        notYou(say),
      ],
    }),
  ),
  new_device: mailText<Named & { device: DeviceParts; at: string }>((say, { fullName, device, at }) => ({
    subject: say.i18n._({ id: 'mail.new_device.subject', message: 'New sign-in to your account' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.new_device.what',
        message: "Your account was used on a device we haven't seen before: {device}, on {moment}.",
        comment: 'device: "Chrome on Android"; moment: "August 28, 2026 at 9:41 AM UTC"',
        values: { device: deviceName(say, device), moment: say.moment(at) },
      }),
      say.i18n._({
        id: 'mail.new_device.advice',
        message:
          "If it was you, there's nothing to do. You can see your devices and sign them out under Security & Privacy.",
      }),
      notYou(say),
    ],
  })),
}
