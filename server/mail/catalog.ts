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

/** The texts of all kinds of mail. */
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

/** A mail's kind and parameters. */
export type MailContent = { [Kind in MailKind]: { kind: Kind; params: ParamsOf<Kind> } }[MailKind]

/** The kind of mails from an earlier version, which are stored as finished text. */
const EARLIER = 'earlier'
type Earlier = { subject: string; text: string }
/** Matches a sealed token in the finished text of such a mail. */
const SEALED_TOKEN = /(?<=[?&]token=)sealed_([\w-]+)/g

/**
 * A mail as stored in the database. It may be from this version, from an earlier one, or from a later one that was rolled back.
 */
export type StoredMail = { kind: string; params: Record<string, unknown> }

/** The functions and language with which a mail is rendered. */
export type MailRendering = {
  /** The translator for the reader's language. */
  translator: Translator
  /** Returns the address of a page of the bank, with the mail's token if it has one. */
  link: PageLink
  /** Returns the text that replaces a sealed token. */
  open: (sealed: Buffer) => string
}

export type MailWords = {
  /** The language of the texts. */
  language: string
  subject: string
  body: readonly MailPart[]
}

/** Returns a mail's body for programs that show only text. */
export const plainMailText = (body: readonly MailPart[]): string =>
  body.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.link}`)).join('\n\n')

/** Renders a mail. Throws for a kind that this version does not have. */
export function renderMail({ kind, params }: StoredMail, { translator, link, open }: MailRendering): MailWords {
  if (kind === EARLIER) {
    const { subject, text } = params as Earlier
    const opened = (_: string, sealed: string) => open(Buffer.from(sealed, 'base64url'))
    return { language: SOURCE_LANGUAGE, subject, body: text.replace(SEALED_TOKEN, opened).split('\n\n') }
  }
  const render = TEXTS[kind as MailKind] as MailText<unknown> | undefined
  if (!render) throw new Error(`There is no mail of the kind ${kind}`)
  const { subject, body } = render(translator, params, link)
  return { language: translator.language, subject, body }
}
