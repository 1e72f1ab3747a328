import { action, greeting, defineMailText } from '#server/mail/texts/text.ts'

type CustomerName = { fullName: string }

/** The mails about the email address itself. */
export const emailTexts = {
  // The reader might be another person than the newcomer. The mail therefore contains nothing that the newcomer chose, not even
  // their name.
  confirm_email: defineMailText<object>((translator, _, link) => ({
    subject: translator.i18n._({ id: 'mail.confirm_email.subject', message: 'Confirm your email' }),
    body: [
      greeting(translator),
      translator.i18n._({
        id: 'mail.confirm_email.what',
        message: 'Please confirm your email address in the browser you used to sign up.',
      }),
      action(link('/confirm-email'), translator.i18n._({ id: 'mail.action.confirm_email', message: 'Confirm Email' })),
      translator.i18n._({
        id: 'mail.confirm_email.lasts',
        message:
          "The link works once and expires after 24 hours. Until you confirm, you can't sign in or receive money with this address.",
      }),
      translator.i18n._({
        id: 'mail.confirm_email.not_you',
        message: "If you didn't sign up with Alder, you can ignore this email.",
      }),
    ],
  })),
  confirm_change: defineMailText<CustomerName>((translator, { fullName }, link) => ({
    subject: translator.i18n._({ id: 'mail.confirm_change.subject', message: 'Do you want to change your email?' }),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.confirm_change.what',
        message: 'You asked us to use another email address for your account. Please confirm the change.',
      }),
      action(
        link('/confirm-email'),
        translator.i18n._({ id: 'mail.action.confirm_change', message: 'Confirm Change' }),
      ),
      translator.i18n._({
        id: 'mail.confirm_change.lasts',
        message:
          "We've also emailed the new address. Your email changes once both addresses are confirmed. The link works once and expires after 24 hours.",
      }),
      translator.i18n._({
        id: 'mail.confirm_change.not_you',
        message:
          "If this wasn't you, don't confirm it, and change your password right away. Choose “Forgot Password?” on the sign-in page.",
        comment: '"Forgot Password?" is a button on the sign-in page. Use the same words as there',
      }),
    ],
  })),
  // The reader might not be a customer.
  confirm_new_email: defineMailText<object>((translator, _, link) => ({
    subject: translator.i18n._({ id: 'mail.confirm_new_email.subject', message: 'Confirm your new email' }),
    body: [
      greeting(translator),
      translator.i18n._({
        id: 'mail.confirm_new_email.what',
        message: 'Please confirm your new email address.',
      }),
      action(link('/confirm-email'), translator.i18n._({ id: 'mail.action.confirm_email', message: 'Confirm Email' })),
      translator.i18n._({
        id: 'mail.confirm_new_email.lasts',
        message:
          "We've also emailed your current address. Your email changes once both addresses are confirmed. The link works once and expires after 24 hours.",
      }),
      translator.i18n._({
        id: 'mail.confirm_new_email.not_you',
        message: "If you don't bank with Alder, you can ignore this email.",
      }),
    ],
  })),
  // The mail does not reveal the requester.
  email_wanted: defineMailText<object>((translator) => ({
    subject: translator.i18n._({ id: 'mail.email_wanted.subject', message: 'Someone tried to use your email address' }),
    body: [
      greeting(translator),
      translator.i18n._({
        id: 'mail.email_wanted.what',
        message:
          "Someone with another Alder account asked us to use this email address. It belongs to your account, so nothing has changed, and we haven't told them.",
      }),
      translator.i18n._({
        id: 'mail.email_wanted.advice',
        message: 'If it was you, sign in with this address, or first close the account that uses it.',
      }),
    ],
  })),
  email_changed: defineMailText<CustomerName>((translator, { fullName }) => ({
    subject: translator.i18n._({ id: 'mail.email_changed.subject', message: 'Your email was changed' }),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.email_changed.what',
        message:
          "Your account now has a different email address. From now on, sign in with the new address. We'll send our emails there, too. This address no longer belongs to your account.",
      }),
      translator.i18n._({
        id: 'mail.email_changed.not_you',
        message:
          "If this wasn't you, someone may be reading your email. Change your email password, and contact us right away.",
      }),
    ],
  })),
}
