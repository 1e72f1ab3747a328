import type { ReviewReason } from '#contract/review-reasons.ts'
import { reasonSaid } from '#contract/said.ts'
import { action, hello, mailText, type PageLink } from '#server/mail/texts/text.ts'
import type { Translator } from '#server/platform/translations.ts'

type Decided = { fullName: string; reason: ReviewReason | null }

/** One of the bank's own sentences, or a reviewer's words in quotation marks. */
function why({ i18n, textOf }: Translator, given: ReviewReason | null): string[] {
  if (!given) return []
  if (typeof given !== 'string') return [reasonSaid(textOf, given)]
  const reason = given.replace(/\s+/g, ' ')
  return [
    i18n._({
      id: 'mail.kyc.reason',
      message: '"{reason}"',
      comment: "A reviewer's own words, in quotation marks",
      values: { reason },
    }),
  ]
}

const seeStatus = ({ i18n }: Translator, link: PageLink) =>
  action(link('/kyc'), i18n._({ id: 'mail.action.see_status', message: 'See Your Status' }))

export const kycTexts = {
  kyc_approved: mailText<Decided>((say, { fullName }, link) => ({
    subject: say.textOf('notice', 'kyc_approved.title'),
    body: [hello(say, fullName), say.textOf('notice', 'kyc_approved.message'), seeStatus(say, link)],
  })),
  kyc_rejected: mailText<Decided>((say, { fullName, reason }, link) => ({
    subject: say.textOf('notice', 'kyc_rejected.title'),
    body: [
      hello(say, fullName),
      say.textOf('notice', 'kyc_rejected.message'),
      ...why(say, reason),
      seeStatus(say, link),
    ],
  })),
  kyc_again: mailText<Decided>((say, { fullName, reason }, link) => ({
    subject: say.textOf('notice', 'kyc_again.title'),
    body: [
      hello(say, fullName),
      say.textOf('notice', 'kyc_again.message'),
      ...why(say, reason),
      action(link('/kyc'), say.i18n._({ id: 'mail.action.upload_documents', message: 'Upload Documents' })),
    ],
  })),
}
