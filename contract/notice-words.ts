import { formatAmount } from '#contract/money.ts'
import { type Notice, NOTICE_PARAMS, type NoticeContent, type NoticeKind } from '#contract/notifications.ts'

export type NoticeWords = { title: string; message: string }

const FEATURES = { send_to_anyone: "Send money to anyone, even if they don't have an Alder account yet." } as const

const SOURCES = { card: 'card', bank: 'bank', wallet: 'wallet' } as const

/** A sentence, and a reviewer's own after it where there is one. */
const reasoned = (sentence: string, reason: string | null) => (reason ? `${sentence} ${reason}` : sentence)

/** The words of a notice, in English. */
function wordsOfContent({ kind, params }: NoticeContent): NoticeWords {
  const amount = 'amountMinor' in params ? formatAmount(params.amountMinor, params.asset) : ''
  switch (kind) {
    case 'payment_received':
      return { title: 'Payment received', message: `You received ${amount} from ${params.name}.` }
    case 'payment_claimed':
      return { title: 'Payment accepted', message: `${params.name} accepted your ${amount}.` }
    case 'payment_expired':
      return {
        title: 'Payment returned',
        message: `${params.name} didn't accept your ${amount} in time. It's back in your account.`,
      }
    case 'card_payment':
      return { title: 'Card payment', message: `You paid ${amount} at ${params.name}.` }
    case 'top_up_settled':
      return { title: 'Money added', message: `${amount} from your ${SOURCES[params.method]} is now in your account.` }
    case 'top_up_failed':
      return {
        title: 'Money not added',
        message: `${amount} from your ${SOURCES[params.method]} didn't arrive. You can try again.`,
      }
    case 'top_up_returned':
      return { title: 'Money taken back', message: `Your ${SOURCES[params.method]} took ${amount} back.` }
    case 'kyc_approved':
      return { title: 'Identity verified', message: 'Thank you. Your documents were approved.' }
    case 'kyc_rejected':
      return {
        title: 'Identity not verified',
        message: reasoned("We couldn't verify your identity.", params.reason),
      }
    case 'kyc_again':
      return {
        title: 'New documents needed',
        message: reasoned('We need new documents to verify your identity.', params.reason),
      }
    case 'new_feature':
      return { title: 'New feature', message: FEATURES[params.feature] }
    case 'earlier':
      return params
  }
}

/** The same for a notice as it is kept; null for one that this version does not know. */
export function noticeWords({ kind, params }: Pick<Notice, 'kind' | 'params'>): NoticeWords | null {
  if (!Object.hasOwn(NOTICE_PARAMS, kind)) return null
  const read = NOTICE_PARAMS[kind as NoticeKind].safeParse(params)
  return read.success ? wordsOfContent({ kind, params: read.data } as NoticeContent) : null
}
