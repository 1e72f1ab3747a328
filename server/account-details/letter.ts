import { type AccountDetails, grouped } from '#contract/account-details.ts'
import {
  contentWidth,
  drawHeader,
  INK,
  lay,
  MARGIN,
  MUTED,
  type Page,
  pdfOf,
  rule,
  TOP,
  write,
} from '#server/platform/pdf/page.ts'
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
      [i18n._({ id: 'statement.number', message: 'Account number' }), grouped(accountNumber, 4)],
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
  }
}

const LABEL_WIDTH = 150
const ROW_GAP = 13
/** A name is the customer's own to choose. */
const VALUE_LINES = 6

const PLAIN = { weight: 'regular', size: 12, color: INK } as const
const SMALL = { weight: 'regular', size: 11, color: MUTED } as const

/** One A4 page. */
export function letterPdf(letter: Letter): Promise<Uint8Array<ArrayBuffer>> {
  const { language, title, heading, madeAt, date, text, rows, hint, footer } = letter
  return pdfOf({ language, title, madeAt, footer: () => footer }, async function* draw(page) {
    await page.prepare([heading, date, text, hint, ...rows.map(([label]) => label)])
    await page.prepare([heading, ...rows.map(([, value]) => value)], 'strong')
    drawHeader(page, heading)
    const at = (y: number) => ({ x: MARGIN, y, width: contentWidth(page) })
    let y = write(page, date, SMALL, at(TOP + 8))
    y = write(page, heading, { weight: 'strong', size: 22, color: INK }, at(y + 16))
    y = write(page, text, PLAIN, at(y + 12))
    y = drawRows(page, rows, y + 24)
    write(page, hint, SMALL, at(y + 16))
    yield
  })
}

/** Answers where the next part of the page begins. */
function drawRows(page: Page, rows: Letter['rows'], top: number): number {
  let y = top
  rule(page, y)
  for (const [label, value] of rows) {
    const name = lay(page, label, SMALL, LABEL_WIDTH)
    const style = { weight: 'strong', size: 12, color: INK, align: 'end', linesMost: VALUE_LINES } as const
    const said = lay(page, value, style, contentWidth(page) - LABEL_WIDTH)
    name.drawAt(MARGIN, y + ROW_GAP)
    said.drawAt(MARGIN + LABEL_WIDTH, y + ROW_GAP)
    y += Math.max(name.height, said.height) + 2 * ROW_GAP
    rule(page, y)
  }
  return y
}
