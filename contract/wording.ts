import { fold } from '#contract/folding.ts'

/**
 * What a line of a statement says, as codes with parameters. The bank keeps the codes; these are their words, for the
 * screens, the receipts and the search alike. `{lastFour}` stands for the parameter of that name.
 */

/** What a line is called where nobody's name says it. */
export const LABELS = {
  'top_up.card': 'Card top-up',
  'top_up.bank': 'Bank top-up',
  'top_up.wallet': 'Wallet top-up',
  'top_up_returned.card': 'Card top-up returned',
  'top_up_returned.bank': 'Bank top-up returned',
  'top_up_returned.wallet': 'Wallet top-up returned',
  transfer_recalled: 'Transfer taken back',
  card_cashback: 'Card cashback',
  'dispute.credit': 'Provisional credit',
  'dispute.upheld': 'Dispute refund',
  'dispute.taken_back': 'Provisional credit taken back',
  'owed.card_payment': 'Paid back for a card payment',
  'owed.top_up_returned': 'Paid back for a returned top-up',
  'owed.dispute': 'Paid back for a dispute',
  'owed.cashback': 'Paid back cashback',
  'owed.transfer_recalled': 'Paid back for a transfer that was taken back',
  'cashback.taken_back': 'Cashback taken back',
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
  'savings.monthly': 'Monthly saving',
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

/** How something was paid. */
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

/** By a card of the bank. */
const BY_CARD: ReadonlySet<string> = new Set<keyof typeof METHODS>(['debit_card', 'virtual_card', 'credit_card'])
export const isByCard = (method: LineMethod | null): boolean => method !== null && BY_CARD.has(method.code)

/** Whether a line is a payment that was made with a card, and no refund to it. */
export const isCardPayment = (line: { amountMinor: number; paymentMethod: LineMethod | null }): boolean =>
  line.amountMinor < 0 && isByCard(line.paymentMethod)

export type Label = keyof typeof LABELS
export type Method = keyof typeof METHODS
export type Params = Record<string, string>

export const LABEL_CODES = Object.keys(LABELS) as [Label, ...Label[]]
export const METHOD_CODES = Object.keys(METHODS) as [Method, ...Method[]]

/** A person, a merchant or a goal by name, or what the line is called instead. */
export type LineName = { code: 'name' | Label; params: Params }
export type LineMethod = { code: Method; params: Params }

/** A line that is about somebody or something with a name. */
export const lineNamed = (name: string): LineName => ({ code: 'name', params: { name } })

/** A code that a text is found in, and how the code's parameter must begin for it; '' where any will do. */
export type Found<Code> = { code: Code; parameter: string }

/**
 * The codes whose words contain `text`, however they are written (folding.ts). Text that runs over into the parameter at a template's end
 * ("card •••• 48") is found with what is left for the parameter ("48").
 */
export function codesFor<Code extends string>(words: Readonly<Record<Code, string>>, text: string): Found<Code>[] {
  const wanted = fold(text)
  return (Object.keys(words) as Code[]).flatMap((code) => {
    const [before = '', parameter] = words[code].split('{')
    const said = foldedStart(before)
    if (said.includes(wanted)) return [{ code, parameter: '' }]
    if (parameter === undefined) return []
    return overlaps(said, wanted).map((length) => ({ code, parameter: wanted.slice(length) }))
  })
}

/** What is said before a parameter, with the space before it. */
const foldedStart = (before: string): string => `${fold(before)}${/\s$/.test(before) ? ' ' : ''}`

/** How many of the first characters of `text` may be the last ones of `before`: each number for which they are. */
function overlaps(before: string, text: string): number[] {
  const lengths: number[] = []
  for (let length = 1; length < text.length; length += 1) {
    if (before.endsWith(text.slice(0, length))) lengths.push(length)
  }
  return lengths
}
