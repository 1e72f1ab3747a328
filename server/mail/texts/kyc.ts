import type { ReviewReason } from '#contract/review-reasons.ts'
import { reasonTextIn } from '#contract/code-texts.ts'
import { action, greeting, defineMailText, type PageLink } from '#server/mail/texts/text.ts'
import type { Translator } from '#server/platform/translations.ts'

type DecisionMail = { fullName: string; reason: ReviewReason | null }

/** Returns the reason: a sentence of the bank, or a reviewer's words in quotation marks. */
function reasonParts({ i18n, textOf }: Translator, reviewReason: ReviewReason | null): string[] {
  if (!reviewReason) return []
  if (typeof reviewReason !== 'string') return [reasonTextIn(textOf, reviewReason)]
  const reason = reviewReason.replace(/\s+/g, ' ')
  return [
    i18n._({
      id: 'mail.kyc.reason',
      message: '“{reason}”',
      comment: "A reviewer's own words, in quotation marks",
      values: { reason },
    }),
  ]
}

const seeStatus = ({ i18n }: Translator, link: PageLink) =>
  action(link('/kyc'), i18n._({ id: 'mail.action.see_status', message: 'See Your Status' }))

export const kycTexts = {
  kyc_approved: defineMailText<DecisionMail>((translator, { fullName }, link) => ({
    subject: translator.textOf('notice', 'kyc_approved.title'),
    body: [
      greeting(translator, fullName),
      translator.textOf('notice', 'kyc_approved.message'),
      seeStatus(translator, link),
    ],
  })),
  kyc_rejected: defineMailText<DecisionMail>((translator, { fullName, reason }, link) => ({
    subject: translator.textOf('notice', 'kyc_rejected.title'),
    body: [
      greeting(translator, fullName),
      translator.textOf('notice', 'kyc_rejected.message'),
      ...reasonParts(translator, reason),
      seeStatus(translator, link),
    ],
  })),
  kyc_again: defineMailText<DecisionMail>((translator, { fullName, reason }, link) => ({
    subject: translator.textOf('notice', 'kyc_again.title'),
    body: [
      greeting(translator, fullName),
      translator.textOf('notice', 'kyc_again.message'),
      ...reasonParts(translator, reason),
      action(link('/kyc'), translator.i18n._({ id: 'mail.action.upload_documents', message: 'Upload Documents' })),
    ],
  })),
}
