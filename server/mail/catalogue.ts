import { SOURCE_LANGUAGE } from '#contract/languages.ts'
import type { MailPart, MailText, PageLink } from '#server/mail/texts/text.ts'
import { emailTexts } from '#server/mail/texts/email.ts'
import { identityTexts } from '#server/mail/texts/identity.ts'
import { kycTexts } from '#server/mail/texts/kyc.ts'
import { loanTexts } from '#server/mail/texts/loans.ts'
import { lockTexts } from '#server/mail/texts/locks.ts'
import { paymentTexts } from '#server/mail/texts/payments.ts'
import { requestTexts } from '#server/mail/texts/requests.ts'
import { profileTexts } from '#server/mail/texts/profile.ts'
import type { Translator } from '#server/platform/translations.ts'

/** Every kind of mail there is. */
const TEXTS = {
  ...identityTexts,
  ...emailTexts,
  ...lockTexts,
  ...kycTexts,
  ...paymentTexts,
  ...requestTexts,
  ...loanTexts,
  ...profileTexts,
}

export type MailKind = keyof typeof TEXTS
type ParamsOf<Kind extends MailKind> = (typeof TEXTS)[Kind] extends MailText<infer Params> ? Params : never

/** What a mail says: which kind it is, and what differs from others of its kind. */
export type MailContent = { [Kind in MailKind]: { kind: Kind; params: ParamsOf<Kind> } }[MailKind]

/** What a mail of an earlier version said, word by word. */
const EARLIER = 'earlier'
type Earlier = { subject: string; text: string }
/** Where such a text has a token, sealed. */
const SEALED_TOKEN = /(?<=[?&]token=)sealed_([\w-]+)/g

/** A mail as the database has it: of this version, of an earlier one, or of a later one that was taken back. */
export type KeptMail = { kind: string; params: Record<string, unknown> }

/** What the words of a mail are made with. */
export type Reading = {
  /** Says it in the reader's language. */
  say: Translator
  /** The address of a page of the bank, with the mail's token where it has one. */
  link: PageLink
  /** What a sealed token is read as. */
  open: (sealed: Buffer) => string
}

export type MailWords = {
  /** What the words are in. */
  language: string
  subject: string
  body: readonly MailPart[]
}

/** A mail's body for programs that show text alone. */
export const mailText = (body: readonly MailPart[]): string =>
  body.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.link}`)).join('\n\n')

/** Puts a mail into words. Throws for a kind that this version does not know. */
export function wordsOf({ kind, params }: KeptMail, { say, link, open }: Reading): MailWords {
  if (kind === EARLIER) {
    const { subject, text } = params as Earlier
    const opened = (_: string, sealed: string) => open(Buffer.from(sealed, 'base64url'))
    return { language: SOURCE_LANGUAGE, subject, body: text.replace(SEALED_TOKEN, opened).split('\n\n') }
  }
  const written = TEXTS[kind as MailKind] as MailText<unknown> | undefined
  if (!written) throw new Error(`There is no mail of the kind ${kind}`)
  const { subject, body } = written(say, params, link)
  return { language: say.language, subject, body }
}
