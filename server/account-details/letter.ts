import type { AccountDetails } from '#contract/account-details.ts'
import { groupDigits } from '#contract/bank-numbers.ts'
import { contentWidth, drawHeader, INK, MARGIN, MUTED, pdfOf, writeText } from '#server/platform/pdf/page.ts'
import { drawFacts } from '#server/platform/pdf/parts.ts'
import { pageNumberText } from '#server/platform/pdf/page-number.ts'
import type { Translator } from '#server/platform/translations.ts'

/** The texts of the letter that confirms a customer's account details. The PDF code only places them. */
export type DetailsLetter = {
  language: string
  title: string
  heading: string
  /** The business time of the letter; `date` is its printed form. */
  madeAt: string
  date: string
  text: string
  rows: [label: string, value: string][]
  hint: string
  footer: string
  /** The page label with placeholders: 'Page {page} of {pages}'. */
  pageOf: string
}

export function letterWords(translator: Translator, details: AccountDetails, madeAt: string): DetailsLetter {
  const { i18n } = translator
  const { holderName, bankName, routingNumber, accountNumber } = details
  const heading = i18n._({ id: 'letter.heading', message: 'Account details confirmation' })
  return {
    language: translator.language,
    title: heading,
    heading,
    madeAt,
    date: translator.day(madeAt),
    text: i18n._({
      id: 'letter.text',
      message:
        'We confirm that {holderName} holds the account below at {bankName}. Payments in US dollars can be sent to it.',
      values: { holderName, bankName },
    }),
    rows: [
      [i18n._({ id: 'statement.holder', message: 'Account holder' }), holderName],
      [i18n._({ id: 'letter.bank', message: 'Bank' }), bankName],
      [i18n._({ id: 'statement.routing', message: 'Routing number' }), routingNumber],
      [i18n._({ id: 'statement.number', message: 'Account number' }), groupDigits(accountNumber)],
      [
        i18n._({ id: 'statement.account', message: 'Account' }),
        i18n._({ id: 'statement.current_account', message: 'Checking account' }),
      ],
    ],
    hint: i18n._({
      id: 'letter.hint',
      message: "These details can be used to send money to the account. They can't be used to take money from it.",
    }),
    footer: i18n._({ id: 'letter.footer', message: 'Issued by Alder.' }),
    pageOf: pageNumberText(translator),
  }
}

const PLAIN = { weight: 'regular', size: 11, color: INK } as const
const SMALL = { weight: 'regular', size: 9.5, color: MUTED } as const

/** Returns the letter as a PDF of one A4 page. */
export function letterPdf(letter: DetailsLetter): Promise<Uint8Array<ArrayBuffer>> {
  const { heading, date, text, rows, hint } = letter
  return pdfOf(letter, async function* draw(page) {
    await page.prepare([heading, date, text, hint, ...rows.map(([label]) => label)])
    await page.prepare([heading, ...rows.map(([, value]) => value)], 'strong')
    const areaFrom = (y: number) => ({ x: MARGIN, y, width: contentWidth(page) })
    let y = writeText(page, date, SMALL, areaFrom(drawHeader(page, heading)))
    y = writeText(page, text, PLAIN, areaFrom(y + 16))
    y = drawFacts(page, heading, rows, y + 24)
    writeText(page, hint, SMALL, areaFrom(y + 12))
    yield
  })
}
