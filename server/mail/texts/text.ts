import type { DeviceParts } from '#contract/devices.ts'
import { deviceTextIn } from '#contract/code-texts.ts'
import type { Translator } from '#server/platform/translations.ts'

/**
 * Returns the address of a page of the bank. If the mail has a token, the address contains it as the query parameter
 * `parameter` ('token' by default).
 */
export type PageLink = (path: string, parameter?: string) => string

/** A paragraph, or a button with its address. Mail programs without HTML show the address. */
export type MailPart = string | { label: string; link: string }

export const action = (link: string, label: string): MailPart => ({ label, link })

/**
 * Renders one kind of mail as a subject and parts. Texts that customers chose never appear in a subject, and in a paragraph
 * only through `plainName`.
 */
export type MailText<Params> = (
  translator: Translator,
  params: Params,
  link: PageLink,
) => { subject: string; body: MailPart[] }

/** Defines a kind of mail. The function changes nothing; it only lets TypeScript check the parameters. */
export const defineMailText = <Params>(text: MailText<Params>): MailText<Params> => text

/**
 * The characters of names: letters, digits and some punctuation, as in "Ann Lee 3rd", "Martin Luther King, Jr." and "Chrome on
 * Android".
 */
const PLAIN = /^(?:[\p{L}\p{M}\p{N} .,'’‘ʼʻ`´·・()‐‑-]|\u200c|\u200d){1,120}$/u
/** A number that could be called. */
const NUMBER = /(?:\p{N}[ .,()‐‑-]*){5,}/u

/**
 * Returns a name that is safe in a mail: one line in which no mail program finds a link, an address or a phone number. For any
 * other text it returns `otherwise`. The bank checks names on input; this check covers older names and the names of browsers.
 */
export function plainName(text: string, otherwise: string): string {
  const spaced = text.normalize('NFC').replace(/\.(?=[^\s,)])/g, '. ')
  return PLAIN.test(spaced) && !NUMBER.test(spaced) ? spaced : otherwise
}

/**
 * Returns the greeting. Without `fullName` it has no name, for a reader about whom the bank does not know whether they are a
 * customer.
 */
export function greeting({ i18n }: Translator, fullName = ''): string {
  const name = plainName(fullName, '')
  if (name === '') return i18n._({ id: 'mail.hello', message: 'Hello,' })
  return i18n._({ id: 'mail.hello_name', message: 'Hello {name},', values: { name } })
}

/** Returns a device's name for a mail. In mails that an earlier version prepared, `device` is a string, in English. */
export function deviceName({ textOf }: Translator, device: DeviceParts | string): string {
  const unknown = textOf('device', 'unknown')
  return plainName(typeof device === 'string' ? device : deviceTextIn(textOf, device), unknown)
}

/** Returns the advice for a customer who did not make the change. */
export const notYou = ({ i18n }: Translator): string =>
  i18n._({
    id: 'mail.not_you',
    message: "If this wasn't you, change your password right away. Choose “Forgot Password?” on the sign-in page.",
    comment: '"Forgot Password?" is a button on the sign-in page. Use the same words as there',
  })

/** Returns the same advice as `notYou`, and adds that the new password signs out every device. */
export const notYouSignedIn = ({ i18n }: Translator): string =>
  i18n._({
    id: 'mail.not_you_signed_in',
    message:
      "If this wasn't you, change your password right away. Choose “Forgot Password?” on the sign-in page. All your devices will be signed out.",
    comment: '"Forgot Password?" is a button on the sign-in page. Use the same words as there',
  })
