import type { DeviceParts } from '#contract/devices.ts'
import { deviceSaid } from '#contract/said.ts'
import type { Translator } from '#server/platform/translations.ts'

/** The address of a page of the bank; with the mail's token, where it has one, as `parameter` ('token' unless told). */
export type PageLink = (path: string, parameter?: string) => string

/** A paragraph, or where the reader goes from here: a button, and its address for mail programs that show text alone. */
export type MailPart = string | { label: string; link: string }

export const action = (link: string, label: string): MailPart => ({ label, link })

/**
 * How one kind of mail reads: its subject and parts. What customers chose never gets into a subject, and into a
 * paragraph only through `plainName`.
 */
export type MailText<Params> = (
  say: Translator,
  params: Params,
  link: PageLink,
) => { subject: string; body: MailPart[] }

/** Says what the parameters of a kind of mail are. */
export const mailText = <Params>(text: MailText<Params>): MailText<Params> => text

/** Letters, and what stands between them in names: "Ann Lee 3rd", "Martin Luther King, Jr.", "Chrome on Android". */
const PLAIN = /^(?:[\p{L}\p{M}\p{N} .,'’‘ʼʻ`´·・()‐‑-]|\u200c|\u200d){1,120}$/u
/** A number to call. */
const NUMBER = /(?:\p{N}[ .,()‐‑-]*){5,}/u

/**
 * A name as a mail may say it: one line in which no mail program finds a link, an address or a number to call; else
 * `otherwise`. Names are checked when they are given: this holds for older ones, and for what browsers call themselves.
 */
export function plainName(text: string, otherwise: string): string {
  const spaced = text.normalize('NFC').replace(/\.(?=[^\s,)])/g, '. ')
  return PLAIN.test(spaced) && !NUMBER.test(spaced) ? spaced : otherwise
}

/** How a mail begins. Nobody is named to a reader who may not be a customer. */
export function hello({ i18n }: Translator, fullName = ''): string {
  const name = plainName(fullName, '')
  if (name === '') return i18n._({ id: 'mail.hello', message: 'Hello,' })
  return i18n._({ id: 'mail.hello_name', message: 'Hello {name},', values: { name } })
}

/** What a device is called. Mails of earlier versions have it in English. */
export function deviceName({ textOf }: Translator, device: DeviceParts | string): string {
  const unknown = textOf('device', 'unknown')
  return plainName(typeof device === 'string' ? device : deviceSaid(textOf, device), unknown)
}

/** What to do about something that the customer did not do. */
export const notYou = ({ i18n }: Translator): string =>
  i18n._({
    id: 'mail.not_you',
    message:
      'If this wasn\'t you, choose a new password right away: go to the sign-in page and select "Forgot Password?".',
    comment: '"Forgot Password?" is a button; call it what the sign-in page calls it.',
  })

/** The same where the new password also ends every session. */
export const notYouSignedIn = ({ i18n }: Translator): string =>
  i18n._({
    id: 'mail.not_you_signed_in',
    message:
      'If this wasn\'t you, choose a new password right away: go to the sign-in page and select "Forgot Password?". All your devices will be signed out.',
    comment: '"Forgot Password?" is a button; call it what the sign-in page calls it.',
  })
