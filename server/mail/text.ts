/** The address of a page of the bank; with the mail's token, where it has one. */
export type PageLink = (path: string) => string

/** How one kind of mail reads. What customers chose never gets into a subject, and into a text only through `plainName`. */
export type MailText<Params> = {
  subject: string | ((params: Params) => string)
  /** The paragraphs. */
  body: (params: Params, link: PageLink) => string[]
}

/** Says what the parameters of a kind of mail are. */
export const mailText = <Params>(text: MailText<Params>): MailText<Params> => text

/** Letters, and what stands between them in names: "Ann Lee 3rd", "Martin Luther King, Jr.", "Chrome on Android". */
const PLAIN = /^[\u200d\u200c\p{L}\p{M}\p{N} .,'’‘ʼʻ`´·・()‐‑-]{1,120}$/u
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

export function hello(fullName: string): string {
  const name = plainName(fullName, '')
  return name ? `Hello ${name},` : 'Hello,'
}

export const deviceName = (device: string) => plainName(device, 'Unknown device')

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const moments = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

/** 'September 4, 2026'. */
export const dayText = (instant: string) => days.format(new Date(instant))
/** 'August 28, 2026 at 9:41 AM UTC'. */
export const momentText = (instant: string) => `${moments.format(new Date(instant))} UTC`
