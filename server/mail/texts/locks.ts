import type { I18n } from '@lingui/core'
import { greeting, defineMailText, notYou, notYouSignedIn } from '#server/mail/texts/text.ts'

/** `tries` is the number of wrong attempts before the lock; `minutes` is the length of the lock. */
type Locked = { fullName: string; tries: number; minutes: number }

const passwordLocked = (i18n: I18n) =>
  i18n._({ id: 'mail.password_locked.subject', message: 'Your password is temporarily locked' })

const codesLocked = (i18n: I18n) =>
  i18n._({ id: 'mail.codes_locked.subject', message: 'Sign-in codes are temporarily locked' })

/** The mails about passwords and codes that were locked after too many attempts. */
export const lockTexts = {
  password_locked: defineMailText<Locked>((translator, { fullName, tries, minutes }) => ({
    subject: passwordLocked(translator.i18n),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.password_locked.what',
        message:
          "{tries, plural, one {Someone entered the wrong password for your account # time.} other {Someone entered the wrong password for your account # times.}} {minutes, plural, one {For # minute, no password will work on a device you haven't signed in on before, not even the right one.} other {For # minutes, no password will work on a device you haven't signed in on before, not even the right one.}} Your own devices and passkeys still work.",
        values: { tries, minutes },
      }),
      translator.i18n._({
        id: 'mail.password_locked.advice',
        message:
          "If it was you, wait a little, or choose “Forgot Password?” on the sign-in page. If it wasn't, they didn't get in, and there's nothing to do.",
      }),
    ],
  })),
  password_locked_on_device: defineMailText<Locked>((translator, { fullName, tries, minutes }) => ({
    subject: passwordLocked(translator.i18n),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.password_locked_on_device.what',
        message:
          '{tries, plural, one {Someone entered the wrong password # time on a device you have signed in on before.} other {Someone entered the wrong password # times on a device you have signed in on before.}} {minutes, plural, one {For # minute, no password will work there, not even the right one.} other {For # minutes, no password will work there, not even the right one.}} Passkeys still work.',
        values: { tries, minutes },
      }),
      translator.i18n._({
        id: 'mail.password_locked_on_device.advice',
        message:
          "If it was you, wait a little, or choose “Forgot Password?” on the sign-in page. If it wasn't, they didn't get in.",
      }),
    ],
  })),
  password_locked_in_session: defineMailText<Locked>((translator, { fullName, tries, minutes }) => ({
    subject: passwordLocked(translator.i18n),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.password_locked_in_session.what',
        message:
          '{tries, plural, one {Someone who was signed in to your account entered the wrong password # time when we asked them to confirm it was you.} other {Someone who was signed in to your account entered the wrong password # times when we asked them to confirm it was you.}} {minutes, plural, one {For # minute, no password will work there.} other {For # minutes, no password will work there.}}',
        values: { tries, minutes },
      }),
      notYouSignedIn(translator),
    ],
  })),
  codes_locked: defineMailText<Locked>((translator, { fullName, tries, minutes }) => ({
    subject: codesLocked(translator.i18n),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.codes_locked.what',
        message:
          '{tries, plural, one {Someone who knows your password entered the wrong code # time.} other {Someone who knows your password entered the wrong code # times.}} {minutes, plural, one {For # minute, no code will work at sign-in, not even the right one.} other {For # minutes, no code will work at sign-in, not even the right one.}} Passkeys still work.',
        values: { tries, minutes },
      }),
      translator.i18n._({
        id: 'mail.codes_locked.advice',
        message:
          "They didn't get in. If this wasn't you, change your password right away. Choose “Forgot Password?” on the sign-in page.",
      }),
    ],
  })),
  codes_locked_in_session: defineMailText<Locked>((translator, { fullName, tries, minutes }) => ({
    subject: codesLocked(translator.i18n),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.codes_locked_in_session.what',
        message:
          '{tries, plural, one {Someone who was signed in to your account entered the wrong code # time when we asked them to confirm it was you.} other {Someone who was signed in to your account entered the wrong code # times when we asked them to confirm it was you.}} {minutes, plural, one {For # minute, no code will work there.} other {For # minutes, no code will work there.}}',
        values: { tries, minutes },
      }),
      notYouSignedIn(translator),
    ],
  })),
  recovery_code_used: defineMailText<{ fullName: string; left: number }>(
    (translator, { fullName, left: codesLeft }) => ({
      subject: translator.i18n._({ id: 'mail.recovery_code_used.subject', message: 'A recovery code was used' }),
      body: [
        greeting(translator, fullName),
        translator.i18n._({
          id: 'mail.recovery_code_used.what',
          message:
            '{left, plural, one {One of your recovery codes was used. You have # left; you can get new ones under Security & Privacy.} other {One of your recovery codes was used. You have # left; you can get new ones under Security & Privacy.}}',
          values: { left: codesLeft },
        }),
        notYou(translator),
      ],
    }),
  ),
}
