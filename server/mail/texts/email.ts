import { action, hello, mailText } from '#server/mail/texts/text.ts'

type Named = { fullName: string }

/** About the email address itself. */
export const emailTexts = {
  // The reader may not be a customer: nothing in it is chosen by the newcomer, not even their name.
  confirm_email: mailText<object>((say, _, link) => ({
    subject: say.i18n._({ id: 'mail.confirm_email.subject', message: 'Confirm your email' }),
    body: [
      hello(say),
      say.i18n._({
        id: 'mail.confirm_email.what',
        message: 'Please confirm your email address, in the browser you signed up with.',
      }),
      action(link('/confirm-email'), say.i18n._({ id: 'mail.action.confirm_email', message: 'Confirm Email' })),
      say.i18n._({
        id: 'mail.confirm_email.lasts',
        message:
          "The link works once and expires after 24 hours. Until you confirm, you can't sign in or receive money with this address.",
      }),
      say.i18n._({
        id: 'mail.confirm_email.not_you',
        message: "If you didn't sign up with Alder, you can ignore this email.",
      }),
    ],
  })),
  confirm_change: mailText<Named>((say, { fullName }, link) => ({
    subject: say.i18n._({ id: 'mail.confirm_change.subject', message: 'Do you want to change your email?' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.confirm_change.what',
        message: 'You asked us to use another email address for your account. Please confirm the change.',
      }),
      action(link('/confirm-email'), say.i18n._({ id: 'mail.action.confirm_change', message: 'Confirm Change' })),
      say.i18n._({
        id: 'mail.confirm_change.lasts',
        message:
          'We also wrote to the new address. Your email changes once both addresses are confirmed. The link works once and expires after 24 hours.',
      }),
      say.i18n._({
        id: 'mail.confirm_change.not_you',
        message:
          'If this wasn\'t you, don\'t confirm it, and choose a new password right away: go to the sign-in page and select "Forgot Password?".',
        comment: '"Forgot Password?" is a button; call it what the sign-in page calls it.',
      }),
    ],
  })),
  // The reader may not be a customer.
  confirm_new_email: mailText<object>((say, _, link) => ({
    subject: say.i18n._({ id: 'mail.confirm_new_email.subject', message: 'Confirm your new email' }),
    body: [
      hello(say),
      say.i18n._({
        id: 'mail.confirm_new_email.what',
        message: 'Please confirm your new email address.',
      }),
      action(link('/confirm-email'), say.i18n._({ id: 'mail.action.confirm_email', message: 'Confirm Email' })),
      say.i18n._({
        id: 'mail.confirm_new_email.lasts',
        message:
          'We also wrote to your current address. Your email changes once both addresses are confirmed. The link works once and expires after 24 hours.',
      }),
      say.i18n._({
        id: 'mail.confirm_new_email.not_you',
        message: "If you don't bank with Alder, you can ignore this email.",
      }),
    ],
  })),
  // Does not say who asked.
  email_wanted: mailText<object>((say) => ({
    subject: say.i18n._({ id: 'mail.email_wanted.subject', message: 'Someone asked for your email address' }),
    body: [
      hello(say),
      say.i18n._({
        id: 'mail.email_wanted.what',
        message:
          "Someone with another Alder account asked us to use this email address. It belongs to your account, so nothing has changed, and we haven't told them.",
      }),
      say.i18n._({
        id: 'mail.email_wanted.advice',
        message: 'If it was you, sign in with this address, or close the account that has it first.',
      }),
    ],
  })),
  email_changed: mailText<Named>((say, { fullName }) => ({
    subject: say.i18n._({ id: 'mail.email_changed.subject', message: 'Your email was changed' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.email_changed.what',
        message:
          'Your account now has a different email address. From now on, you sign in with it and we write to it. This address no longer belongs to your account.',
      }),
      say.i18n._({
        id: 'mail.email_changed.not_you',
        message:
          "If this wasn't you, someone may be reading your email: change its password, and contact us right away.",
      }),
    ],
  })),
}
