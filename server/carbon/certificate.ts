import type { CarbonCertificate } from '#contract/carbon.ts'
import { intlLocale } from '#contract/languages.ts'
import { formatKilograms } from '#contract/weights.ts'
import { transactionIdOf } from '#server/accounts/identifiers.ts'
import type { Receipt } from '#server/accounts/receipt-words.ts'
import { pageNumberText } from '#server/platform/pdf/page-number.ts'
import type { Translator } from '#server/platform/translations.ts'

/** Writes a certificate in the language of `translator`, in the layout of a receipt. */
export function certificateWords(translator: Translator, certificate: CarbonCertificate, holderName: string): Receipt {
  const { i18n } = translator
  const { id, number, month, grams, amountMinor, asset, isSample, offsetAt } = certificate
  const months = new Intl.DateTimeFormat(intlLocale(translator.language), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return {
    language: translator.language,
    title: i18n._({ id: 'certificate.title', message: 'Certificate {number}', values: { number } }),
    heading: i18n._({ id: 'certificate.heading', message: 'Carbon offset certificate' }),
    name: i18n._({ id: 'certificate.name', message: 'CO₂ offset' }),
    amount: formatKilograms(grams, translator.language),
    status: isSample ? i18n._({ id: 'certificate.sample', message: 'Sample certificate' }) : number,
    completed: !isSample,
    rows: [
      [i18n._({ id: 'certificate.number', message: 'Certificate number' }), number],
      [i18n._({ id: 'certificate.holder', message: 'Issued to' }), holderName],
      [i18n._({ id: 'certificate.month', message: 'Footprint for' }), months.format(new Date(`${month}-01`))],
      [i18n._({ id: 'certificate.paid', message: 'Amount paid' }), translator.amount(amountMinor, asset)],
      [i18n._({ id: 'receipt.date', message: 'Date & Time' }), translator.moment(offsetAt)],
      [i18n._({ id: 'receipt.transaction_id', message: 'Transaction ID' }), transactionIdOf(id)],
    ],
    footer: isSample
      ? i18n._({
          id: 'certificate.sample_footer',
          message: 'Issued by a sample bank: no one was paid to offset anything. The weight is an estimate.',
        })
      : i18n._({
          id: 'certificate.footer',
          message: 'Issued by Alder. The weight is an estimate based on spending.',
        }),
    pageOf: pageNumberText(translator),
    bookedAt: offsetAt,
  }
}
