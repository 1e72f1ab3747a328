import { hello, mailText } from '#server/mail/text.ts'

/** `reason`: in a reviewer's words. */
type Decided = { fullName: string; reason: string | null }

const quoted = (reason: string | null) => (reason ? [`"${reason.replace(/\s+/g, ' ')}"`] : [])

export const kycTexts = {
  kyc_approved: mailText<Decided>({
    subject: 'Identity verified',
    body: ({ fullName }, link) => [
      hello(fullName),
      'Thank you. Your documents were approved.',
      `See your status:\n${link('/kyc')}`,
    ],
  }),
  kyc_rejected: mailText<Decided>({
    subject: 'Identity not verified',
    body: ({ fullName, reason }, link) => [
      hello(fullName),
      "We couldn't verify your identity.",
      ...quoted(reason),
      `See your status:\n${link('/kyc')}`,
    ],
  }),
  kyc_again: mailText<Decided>({
    subject: 'New documents needed',
    body: ({ fullName, reason }, link) => [
      hello(fullName),
      'We need new documents to verify your identity.',
      ...quoted(reason),
      `Send them here:\n${link('/kyc')}`,
    ],
  }),
}
