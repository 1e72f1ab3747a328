import { fold } from '#contract/folding.ts'

/**
 * The texts of the codes that ledger lines contain. The bank stores the codes and their parameters. Screens, receipts and the
 * search use the texts. A parameter in braces, such as `{lastFour}`, is replaced by its value.
 */

/** The labels of ledger lines that do not have the name of a person, a merchant or a goal. */
export const LABELS = {
  'top_up.card': 'Card deposit',
  'top_up.bank': 'Bank deposit',
  'top_up.wallet': 'Wallet deposit',
  'top_up_returned.card': 'Card deposit returned',
  'top_up_returned.bank': 'Bank deposit returned',
  'top_up_returned.wallet': 'Wallet deposit returned',
  transfer_recalled: 'Transfer reversed',
  card_cashback: 'Card cashback',
  'dispute.credit': 'Provisional credit',
  'dispute.upheld': 'Dispute refund',
  'dispute.taken_back': 'Provisional credit reversed',
  'owed.card_payment': 'Repayment for a card payment',
  'owed.top_up_returned': 'Repayment for a returned deposit',
  'owed.dispute': 'Repayment for a dispute',
  'owed.cashback': 'Repayment of cashback',
  'owed.transfer_recalled': 'Repayment for a reversed transfer',
  'cashback.taken_back': 'Cashback reversed',
  'loan.disbursed': 'Loan paid out',
  'loan.principal': 'Loan repayment',
  'loan.interest': 'Loan interest',
  'loan.late_fee': 'Late fee',
  'points.payment': 'Payment',
  'points.refer_friend': 'Friend referred',
  'points.direct_debit': 'Direct debit set up',
  'points.card_abroad': 'Card used abroad',
  'points.refund': 'Payment refunded',
  'points.cashback': '$10 Cashback',
  'points.premium_month': 'Premium Subscription',
  'points.voucher': '$50 Voucher',
  'points.lounge': 'Airport Lounge Access',
  'rewards.cashback': 'Cashback for points',
  'rewards.premium': 'Alder Premium',
  'carbon.offset': 'Carbon offset',
  'savings.added': 'Added',
  'savings.withdrawn': 'Withdrawn',
  'savings.monthly': 'Monthly savings',
  'savings.round_up': 'Round-up',
  'savings.interest': 'Interest',
  'crypto.bought': 'Crypto bought',
  'crypto.sold': 'Crypto sold',
  'crypto.order': 'Crypto order',
  'crypto.fee': 'Crypto trading fee',
  'fund.conservative': 'Conservative Growth',
  'fund.balanced': 'Balanced Portfolio',
  'fund.aggressive': 'Aggressive Growth',
} as const

/** The payment methods. */
export const METHODS = {
  card: 'Card',
  bank_transfer: 'Bank transfer',
  wallet: 'Digital wallet',
  alder_transfer: 'Alder transfer',
  direct_debit: 'Direct debit',
  own_accounts: 'Between your accounts',
  debit_card: 'Debit card •••• {lastFour}',
  virtual_card: 'Virtual card •••• {lastFour}',
  credit_card: 'Credit card •••• {lastFour}',
} as const

/** The methods that use a card of the bank. */
const BY_CARD: ReadonlySet<string> = new Set<keyof typeof METHODS>(['debit_card', 'virtual_card', 'credit_card'])
export const isByCard = (method: LineMethod | null): boolean => method !== null && BY_CARD.has(method.code)

/** Returns whether a line is a card payment, and not a refund of one. */
export const isCardPayment = (line: { amountMinor: number; paymentMethod: LineMethod | null }): boolean =>
  line.amountMinor < 0 && isByCard(line.paymentMethod)

export type Label = keyof typeof LABELS
export type Method = keyof typeof METHODS
export type Params = Record<string, string>

export const LABEL_CODES = Object.keys(LABELS) as [Label, ...Label[]]
export const METHOD_CODES = Object.keys(METHODS) as [Method, ...Method[]]

/**
 * The name of a ledger line. For the code `name`, `params` contains the name of a person, a merchant or a goal. Any other code
 * is a label.
 */
export type LineName = { code: 'name' | Label; params: Params }
export type LineMethod = { code: Method; params: Params }

/** Returns a line name that contains the name of a person, a merchant or a goal. */
export const lineNamed = (name: string): LineName => ({ code: 'name', params: { name } })

/**
 * A code whose text contains the search text. `parameter` is the text with which the code's parameter must begin; '' if any
 * parameter matches.
 */
export type FoundCode<Code> = { code: Code; parameter: string }

/**
 * Returns the codes whose texts contain `text`, compared in folded form (folding.ts). A search text may extend into the
 * parameter at the end of a template. For example, "card •••• 48" matches a template that ends with "card •••• " and a
 * parameter. The parameter must then begin with "48".
 */
export function codesFor<Code extends string>(words: Readonly<Record<Code, string>>, text: string): FoundCode<Code>[] {
  const searchText = fold(text)
  return (Object.keys(words) as Code[]).flatMap((code) => {
    const [textBefore = '', parameter] = words[code].split('{')
    const start = foldedStart(textBefore)
    if (start.includes(searchText)) return [{ code, parameter: '' }]
    if (parameter === undefined) return []
    return overlaps(start, searchText).map((length) => ({ code, parameter: searchText.slice(length) }))
  })
}

/** Returns the text before a parameter in folded form. A space at the end of the text is kept. */
const foldedStart = (textBefore: string): string => `${fold(textBefore)}${/\s$/.test(textBefore) ? ' ' : ''}`

/** Returns each length at which the beginning of `text` equals the end of `textBefore`. */
function overlaps(textBefore: string, text: string): number[] {
  const lengths: number[] = []
  for (let length = 1; length < text.length; length += 1) {
    if (textBefore.endsWith(text.slice(0, length))) lengths.push(length)
  }
  return lengths
}
