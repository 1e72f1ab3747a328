import type { Asset } from '#contract/money.ts'
import { action, greeting, defineMailText, notYou } from '#server/mail/texts/text.ts'
import type { Translator } from '#server/platform/translations.ts'

type Amount = { fullName: string; amountMinor: number; asset: Asset }

const seeLoan = ({ i18n }: Translator) => i18n._({ id: 'mail.action.see_loan', message: 'See Your Loan' })

export const loanTexts = {
  loan_offered: defineMailText<Amount & { expiresAt: string }>(
    (translator, { fullName, amountMinor, asset, expiresAt }, link) => ({
      subject: translator.i18n._({ id: 'mail.loan_offered.subject', message: 'Your loan is approved' }),
      body: [
        greeting(translator, fullName),
        translator.i18n._({
          id: 'mail.loan_offered.what',
          message: 'You can borrow {amount}. The offer shows what it costs and when each installment is due.',
          values: { amount: translator.amount(amountMinor, asset) },
        }),
        action(link('/loans'), seeLoan(translator)),
        translator.i18n._({
          id: 'mail.loan_offered.lasts',
          message: 'You can accept it until {day}. If you do nothing, it simply expires.',
          comment: '{day} is a date, such as September 11, 2026',
          values: { day: translator.day(expiresAt) },
        }),
      ],
    }),
  ),
  loan_refused: defineMailText<Amount>((translator, { fullName, amountMinor, asset }, link) => ({
    subject: translator.i18n._({ id: 'mail.loan_refused.subject', message: 'Your loan application' }),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.loan_refused.what',
        message: "We can't lend you {amount} right now. In Alder, you can see why, and what could change our decision.",
        values: { amount: translator.amount(amountMinor, asset) },
      }),
      action(link('/loans'), seeLoan(translator)),
    ],
  })),
  loan_disbursed: defineMailText<Amount>((translator, { fullName, amountMinor, asset }, link) => ({
    subject: translator.i18n._({ id: 'mail.loan_disbursed.subject', message: 'Your loan has been paid out' }),
    body: [
      greeting(translator, fullName),
      translator.i18n._({
        id: 'mail.loan_disbursed.what',
        message: '{amount} is in your account. You have 14 days to cancel it.',
        values: { amount: translator.amount(amountMinor, asset) },
      }),
      action(link('/loans'), seeLoan(translator)),
      notYou(translator),
    ],
  })),
}
