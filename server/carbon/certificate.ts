import type { CarbonCertificate } from '#contract/carbon.ts'
import { intlLocale } from '#contract/languages.ts'
import { formatKilograms } from '#contract/weights.ts'
import { transactionIdOf } from '#server/accounts/identifiers.ts'
import type { Receipt } from '#server/accounts/receipt-words.ts'
import { pageOf } from '#server/platform/pdf/words.ts'
import type { Translator } from '#server/platform/translations.ts'

/** Puts a certificate into words, in the language of `say`. It is set as a receipt is. */
export function certificateWords(say: Translator, certificate: CarbonCertificate, holderName: string): Receipt {
  const { i18n } = say
  const { id, number, month, grams, amountMinor, asset, isSample, offsetAt } = certificate
  const months = new Intl.DateTimeFormat(intlLocale(say.language), { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return {
    language: say.language,
    title: i18n._({ id: 'certificate.title', message: 'Certificate {number}', values: { number } }),
    heading: i18n._({ id: 'certificate.heading', message: 'Carbon offset certificate' }),
    name: i18n._({ id: 'certificate.name', message: 'CO₂ offset' }),
    amount: formatKilograms(grams, say.language),
    status: isSample ? i18n._({ id: 'certificate.sample', message: 'Sample certificate' }) : number,
    completed: !isSample,
    rows: [
      [i18n._({ id: 'certificate.number', message: 'Certificate number' }), number],
      [i18n._({ id: 'certificate.holder', message: 'Issued to' }), holderName],
      [i18n._({ id: 'certificate.month', message: 'Footprint of' }), months.format(new Date(`${month}-01`))],
      [i18n._({ id: 'certificate.paid', message: 'Amount paid' }), say.amount(amountMinor, asset)],
      [i18n._({ id: 'receipt.date', message: 'Date & Time' }), say.moment(offsetAt)],
      [i18n._({ id: 'receipt.transaction_id', message: 'Transaction ID' }), transactionIdOf(id)],
    ],
    footer: isSample
      ? i18n._({
          id: 'certificate.sample_footer',
          message: 'Issued by a sample bank: nobody was paid to offset anything. The kilograms are an estimate.',
        })
      : i18n._({
          id: 'certificate.footer',
          message: 'Issued by Alder. The kilograms are an estimate from what was spent.',
        }),
    pageOf: pageOf(say),
    bookedAt: offsetAt,
  }
}
