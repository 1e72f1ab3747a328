import { SECURITY_EVENTS, type SecurityEventKind } from '#contract/identity.ts'
import { hello, mailText, momentText, deviceName } from '#server/mail/texts/text.ts'

type Named = { fullName: string }
type Locked = Named & { tries: number; minutes: number }

const PASSWORD_LOCKED = 'Your password was locked for a while'
const CODES_LOCKED = 'Sign-in codes were locked for a while'

const LINK_LASTS = 'The link works once and expires after 24 hours.'
const NOT_YOU =
  'If this wasn\'t you, choose a new password right away: go to the sign-in page and select "Forgot Password?".'

/** About getting in, and about what a customer gets in with. */
export const identityTexts = {
  welcome: mailText<object>({
    subject: 'Welcome to Alder',
    body: () => ['Hello,', 'Your account is open. Sign in with this email address, and use it to receive money.'],
  }),
  // The reader may not be a customer: nothing in it is chosen by the newcomer, not even their name.
  confirm_email: mailText<object>({
    subject: 'Confirm your email',
    body: (_, link) => [
      'Hello,',
      `Please confirm your email address by opening this link in the browser you signed up with:\n${link('/confirm-email')}`,
      `${LINK_LASTS} Until you confirm, you can't sign in or receive money with this address.`,
      "If you didn't sign up with Alder, you can ignore this email.",
    ],
  }),
  already_customer: mailText<Named>({
    subject: 'You already have an account',
    body: ({ fullName }, link) => [
      hello(fullName),
      'Someone signed up with Alder using this email address. It already belongs to your account, so nothing has changed, and they were not told.',
      `If it was you, sign in at ${link('/login')}, or select "Forgot Password?" there.`,
    ],
  }),
  choose_password: mailText<Named>({
    subject: 'Choose a new password',
    body: ({ fullName }, link) => [
      hello(fullName),
      `Open this link to choose a new password:\n${link('/reset-password')}`,
      'The link works once and expires after 30 minutes. All your devices will be signed out.',
      "If you didn't ask for this, you can ignore this email. Your password stays the same.",
    ],
  }),
  password_locked: mailText<Locked>({
    subject: PASSWORD_LOCKED,
    body: ({ fullName, tries, minutes }) => [
      hello(fullName),
      `Someone entered a wrong password for your account ${tries} times. For ${minutes} minutes we won't accept any password from a device you haven't signed in on before, not even the right one. Your own devices and passkeys still work.`,
      'If it was you, wait a little, or select "Forgot Password?" on the sign-in page. If it wasn\'t, they didn\'t get in, and there is nothing you need to do.',
    ],
  }),
  password_locked_on_device: mailText<Locked>({
    subject: PASSWORD_LOCKED,
    body: ({ fullName, tries, minutes }) => [
      hello(fullName),
      `Someone entered a wrong password ${tries} times on a device you have signed in on before. For ${minutes} minutes we won't accept any password there, not even the right one. Passkeys still work.`,
      'If it was you, wait a little, or select "Forgot Password?" on the sign-in page. If it wasn\'t, they didn\'t get in.',
    ],
  }),
  password_locked_in_session: mailText<Locked>({
    subject: PASSWORD_LOCKED,
    body: ({ fullName, tries, minutes }) => [
      hello(fullName),
      `Someone who is signed in to your account entered a wrong password ${tries} times when we asked them to confirm that they are you. For ${minutes} minutes we won't accept any password there.`,
      `${NOT_YOU} All your devices will be signed out.`,
    ],
  }),
  codes_locked: mailText<Locked>({
    subject: CODES_LOCKED,
    body: ({ fullName, tries, minutes }) => [
      hello(fullName),
      `Someone who knows your password entered a wrong code ${tries} times. For ${minutes} minutes we won't accept any code there, not even the right one. Passkeys still work.`,
      `They didn't get in. ${NOT_YOU}`,
    ],
  }),
  codes_locked_in_session: mailText<Locked>({
    subject: CODES_LOCKED,
    body: ({ fullName, tries, minutes }) => [
      hello(fullName),
      `Someone who is signed in to your account entered a wrong code ${tries} times when we asked them to confirm that they are you. For ${minutes} minutes we won't accept any code there.`,
      `${NOT_YOU} All your devices will be signed out.`,
    ],
  }),
  phone_lost: mailText<Named>({
    subject: SECURITY_EVENTS.phone_lost,
    body: ({ fullName }) => [
      hello(fullName),
      'Someone else has shown with a code that your phone number is theirs now. Money sent to the number no longer reaches you.',
      'If the number is still yours, open Personal Information in Alder and confirm it again with a code.',
    ],
  }),
  recovery_code_used: mailText<Named & { left: number }>({
    subject: 'A recovery code was used',
    body: ({ fullName, left }) => [
      hello(fullName),
      `One of your recovery codes was used. You have ${left} left; you can make new ones under Security & Privacy.`,
      NOT_YOU,
    ],
  }),
  credential_changed: mailText<Named & { event: SecurityEventKind; device: string }>({
    subject: ({ event }) => SECURITY_EVENTS[event],
    body: ({ fullName, event, device }) => [
      hello(fullName),
      `${SECURITY_EVENTS[event]} (${deviceName(device)}). Your other devices were signed out.`,
      NOT_YOU,
    ],
  }),
  new_device: mailText<Named & { device: string; at: string }>({
    subject: 'New sign-in to your account',
    body: ({ fullName, device, at }) => [
      hello(fullName),
      `Your account was used on a device we haven't seen before: ${deviceName(device)}, on ${momentText(at)}.`,
      'If it was you, there is nothing you need to do. You can see and sign out your devices under Security & Privacy.',
      NOT_YOU,
    ],
  }),
  confirm_change: mailText<Named>({
    subject: 'Do you want to change your email?',
    body: ({ fullName }, link) => [
      hello(fullName),
      `You asked us to use another email address for your account. Open this link to agree:\n${link('/confirm-email')}`,
      `We also wrote to the new address. Your email changes once both addresses are confirmed. ${LINK_LASTS}`,
      `If you didn't ask for this, don't open the link. ${NOT_YOU}`,
    ],
  }),
  // The reader may not be a customer.
  confirm_new_email: mailText<object>({
    subject: 'Confirm your new email',
    body: (_, link) => [
      'Hello,',
      `Please confirm your new email address by opening this link:\n${link('/confirm-email')}`,
      `We also wrote to your current address. Your email changes once both addresses are confirmed. ${LINK_LASTS}`,
      "If you don't bank with Alder, you can ignore this email.",
    ],
  }),
  // Does not say who asked.
  email_wanted: mailText<object>({
    subject: 'Someone asked for your email address',
    body: () => [
      'Hello,',
      'Someone with another Alder account asked us to use this email address. It belongs to your account, so nothing has changed, and they were not told.',
      'If it was you, sign in with this address, or close the account that has it first.',
    ],
  }),
  email_changed: mailText<Named>({
    subject: 'Your email was changed',
    body: ({ fullName }) => [
      hello(fullName),
      'Your account now has another email address. You sign in with it from now on, and we write to it. This address no longer belongs to your account.',
      "If this wasn't you, someone may be reading your email: change its password, and contact us right away.",
    ],
  }),
}
