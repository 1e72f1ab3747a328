import { SECURITY_EVENTS, type SecurityEventKind } from '#contract/identity.ts'
import { hello, mailText, momentText, deviceName } from '#server/mail/texts/text.ts'

type Named = { fullName: string }

const LINK_LASTS = 'The link works once and expires after 24 hours.'
const NOT_YOU =
  'If this wasn\'t you, choose a new password right away: go to the sign-in page and select "Forgot Password?".'

/** About getting in, and about what a customer gets in with. */
export const identityTexts = {
  welcome: mailText<object>({
    subject: 'Welcome to Alder',
    body: () => ['Hello,', 'Your account is open. Sign in with this email address, and use it to receive money.'],
  }),
  // To somebody who may never have heard of us: nothing in it is of the newcomer's choosing, their name included.
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
  password_locked: mailText<Named & { tries: number; minutes: number }>({
    subject: 'Your password was locked for a while',
    body: ({ fullName, tries, minutes }) => [
      hello(fullName),
      `Someone entered a wrong password for your account ${tries} times. For ${minutes} minutes we won't accept any password, not even the right one. Passkeys still work.`,
      'If it was you, wait a little, or select "Forgot Password?" on the sign-in page. If it wasn\'t, they didn\'t get in, and there is nothing you need to do.',
    ],
  }),
  codes_locked: mailText<Named & { tries: number; minutes: number }>({
    subject: 'Too many wrong codes',
    body: ({ fullName, tries, minutes }) => [
      hello(fullName),
      `Someone entered a wrong two-factor code for your account ${tries} times. For ${minutes} minutes we won't accept any code, not even the right one.`,
      `They got past your password or already had one of your devices. ${NOT_YOU}`,
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
  // May go to somebody who has never heard of us.
  confirm_new_email: mailText<object>({
    subject: 'Confirm your new email',
    body: (_, link) => [
      'Hello,',
      `Please confirm your new email address by opening this link:\n${link('/confirm-email')}`,
      `We also wrote to your current address. Your email changes once both addresses are confirmed. ${LINK_LASTS}`,
      "If you don't bank with Alder, you can ignore this email.",
    ],
  }),
  // Says nothing of whoever asked.
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
