import type { AccountDetails } from '#contract/account-details.ts'
import { grouped } from '#contract/bank-numbers.ts'
import { contentWidth, drawHeader, INK, MARGIN, MUTED, pdfOf, write } from '#server/platform/pdf/page.ts'
import { drawFacts } from '#server/platform/pdf/parts.ts'
import { pageOf } from '#server/platform/pdf/words.ts'
import type { Translator } from '#server/platform/translations.ts'

/** The letter that confirms where a customer is paid, in words; what draws it has only to place them. */
export type Letter = {
  language: string
  title: string
  heading: string
  /** Business time, and as it is printed. */
  madeAt: string
  date: string
  text: string
  rows: [label: string, value: string][]
  hint: string
  footer: string
  /** 'Page {page} of {pages}'. */
  pageOf: string
}

export function letterWords(say: Translator, details: AccountDetails, madeAt: string): Letter {
  const { i18n } = say
  const { holderName, bankName, routingNumber, accountNumber } = details
  const heading = i18n._({ id: 'letter.heading', message: 'Account details confirmation' })
  return {
    language: say.language,
    title: heading,
    heading,
    madeAt,
    date: say.day(madeAt),
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
      [i18n._({ id: 'statement.number', message: 'Account number' }), grouped(accountNumber)],
      [
        i18n._({ id: 'statement.account', message: 'Account' }),
        i18n._({ id: 'statement.current_account', message: 'Current account' }),
      ],
    ],
    hint: i18n._({
      id: 'letter.hint',
      message: 'With these details money can be sent to the account. They are not enough to take money from it.',
    }),
    footer: i18n._({ id: 'letter.footer', message: 'Issued by Alder.' }),
    pageOf: pageOf(say),
  }
}

const PLAIN = { weight: 'regular', size: 11, color: INK } as const
const SMALL = { weight: 'regular', size: 9.5, color: MUTED } as const

/** One A4 page. */
export function letterPdf(letter: Letter): Promise<Uint8Array<ArrayBuffer>> {
  const { heading, date, text, rows, hint } = letter
  return pdfOf(letter, async function* draw(page) {
    await page.prepare([heading, date, text, hint, ...rows.map(([label]) => label)])
    await page.prepare([heading, ...rows.map(([, value]) => value)], 'strong')
    const at = (y: number) => ({ x: MARGIN, y, width: contentWidth(page) })
    let y = write(page, date, SMALL, at(drawHeader(page, heading)))
    y = write(page, text, PLAIN, at(y + 16))
    y = drawFacts(page, heading, rows, y + 24)
    write(page, hint, SMALL, at(y + 12))
    yield
  })
}
