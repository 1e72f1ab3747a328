import type { Asset } from '#contract/money.ts'
import { action, hello, mailText, notYou } from '#server/mail/texts/text.ts'
import type { Translator } from '#server/platform/translations.ts'

type Amount = { fullName: string; amountMinor: number; asset: Asset }

const seeLoan = ({ i18n }: Translator) => i18n._({ id: 'mail.action.see_loan', message: 'See your loan' })

export const loanTexts = {
  loan_offered: mailText<Amount & { expiresAt: string }>((say, { fullName, amountMinor, asset, expiresAt }, link) => ({
    subject: say.i18n._({ id: 'mail.loan_offered.subject', message: 'Your loan is approved' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.loan_offered.what',
        message: 'You can borrow {amount}. The offer says what it costs and when each installment is due.',
        values: { amount: say.amount(amountMinor, asset) },
      }),
      action(link('/loans'), seeLoan(say)),
      say.i18n._({
        id: 'mail.loan_offered.lasts',
        message: 'You can accept it until {day}. If you do nothing, it simply expires.',
        comment: 'day: "September 11, 2026"',
        values: { day: say.day(expiresAt) },
      }),
    ],
  })),
  loan_refused: mailText<Amount>((say, { fullName, amountMinor, asset }, link) => ({
    subject: say.i18n._({ id: 'mail.loan_refused.subject', message: 'Your loan application' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.loan_refused.what',
        message: "We've decided not to lend you {amount} now. In Alder you can see why, and what would change it.",
        values: { amount: say.amount(amountMinor, asset) },
      }),
      action(link('/loans'), seeLoan(say)),
    ],
  })),
  loan_disbursed: mailText<Amount>((say, { fullName, amountMinor, asset }, link) => ({
    subject: say.i18n._({ id: 'mail.loan_disbursed.subject', message: 'Your loan has been paid out' }),
    body: [
      hello(say, fullName),
      say.i18n._({
        id: 'mail.loan_disbursed.what',
        message: '{amount} is in your account. You have 14 days to cancel it.',
        values: { amount: say.amount(amountMinor, asset) },
      }),
      action(link('/loans'), seeLoan(say)),
      notYou(say),
    ],
  })),
}
