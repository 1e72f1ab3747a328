import type { I18n } from '@lingui/core'
import { hello, mailText, notYou, notYouSignedIn } from '#server/mail/texts/text.ts'

/** After how many wrong ones, and for how long nothing is accepted. */
type Locked = { fullName: string; tries: number; minutes: number }

const passwordLocked = (i18n: I18n) =>
  i18n._({ id: 'mail.password_locked.subject', message: 'Your password is locked for a while' })

const codesLocked = (i18n: I18n) =>
  i18n._({ id: 'mail.codes_locked.subject', message: 'Sign-in codes are locked for a while' })

/** About passwords and codes that were tried too often. */
export const lockTexts = {
  password_locked: mailText<Locked>((say, { fullName, tries, minutes }) => ({
    subject: passwordLocked(say.i18n),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.password_locked.what',
        message:
          "{tries, plural, one {Someone entered a wrong password for your account # time.} other {Someone entered a wrong password for your account # times.}} {minutes, plural, one {For # minute, no password will work on a device you haven't signed in on before, not even the right one.} other {For # minutes, no password will work on a device you haven't signed in on before, not even the right one.}} Your own devices and passkeys still work.",
        values: { tries, minutes },
      }),
      say.i18n._({
        id: 'mail.password_locked.advice',
        message:
          "If it was you, wait a little, or select \"Forgot Password?\" on the sign-in page. If it wasn't, they didn't get in, and there's nothing to do.",
      }),
    ],
  })),
  password_locked_on_device: mailText<Locked>((say, { fullName, tries, minutes }) => ({
    subject: passwordLocked(say.i18n),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.password_locked_on_device.what',
        message:
          '{tries, plural, one {Someone entered a wrong password # time on a device you have signed in on before.} other {Someone entered a wrong password # times on a device you have signed in on before.}} {minutes, plural, one {For # minute, no password will work there, not even the right one.} other {For # minutes, no password will work there, not even the right one.}} Passkeys still work.',
        values: { tries, minutes },
      }),
      say.i18n._({
        id: 'mail.password_locked_on_device.advice',
        message:
          'If it was you, wait a little, or select "Forgot Password?" on the sign-in page. If it wasn\'t, they didn\'t get in.',
      }),
    ],
  })),
  password_locked_in_session: mailText<Locked>((say, { fullName, tries, minutes }) => ({
    subject: passwordLocked(say.i18n),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.password_locked_in_session.what',
        message:
          '{tries, plural, one {Someone signed in to your account entered a wrong password # time when we asked them to confirm it was you.} other {Someone signed in to your account entered a wrong password # times when we asked them to confirm it was you.}} {minutes, plural, one {For # minute, no password will work there.} other {For # minutes, no password will work there.}}',
        values: { tries, minutes },
      }),
      notYouSignedIn(say),
    ],
  })),
  codes_locked: mailText<Locked>((say, { fullName, tries, minutes }) => ({
    subject: codesLocked(say.i18n),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.codes_locked.what',
        message:
          '{tries, plural, one {Someone who knows your password entered a wrong code # time.} other {Someone who knows your password entered a wrong code # times.}} {minutes, plural, one {For # minute, no code will work there, not even the right one.} other {For # minutes, no code will work there, not even the right one.}} Passkeys still work.',
        values: { tries, minutes },
      }),
      say.i18n._({
        id: 'mail.codes_locked.advice',
        message:
          'They didn\'t get in. If this wasn\'t you, choose a new password right away: go to the sign-in page and select "Forgot Password?".',
      }),
    ],
  })),
  codes_locked_in_session: mailText<Locked>((say, { fullName, tries, minutes }) => ({
    subject: codesLocked(say.i18n),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.codes_locked_in_session.what',
        message:
          '{tries, plural, one {Someone signed in to your account entered a wrong code # time when we asked them to confirm it was you.} other {Someone signed in to your account entered a wrong code # times when we asked them to confirm it was you.}} {minutes, plural, one {For # minute, no code will work there.} other {For # minutes, no code will work there.}}',
        values: { tries, minutes },
      }),
      notYouSignedIn(say),
    ],
  })),
  recovery_code_used: mailText<{ fullName: string; left: number }>((say, { fullName, left }) => ({
    subject: say.i18n._({ id: 'mail.recovery_code_used.subject', message: 'A recovery code was used' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.recovery_code_used.what',
        message:
          '{left, plural, one {One of your recovery codes was used. You have # left; you can get new ones under Security & Privacy.} other {One of your recovery codes was used. You have # left; you can get new ones under Security & Privacy.}}',
        values: { left },
      }),
      notYou(say),
    ],
  })),
}
