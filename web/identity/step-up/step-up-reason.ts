import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { ASSETS, type Asset } from '#contract/money.ts'
import type { RequestPayment } from '#contract/requests.ts'
import { money } from '#web/i18n/formats.ts'
import type { WaitingRequest } from '#web/lib/api.ts'

/** The action to confirm: a payment with its payee, or another action in words. */
export type StepUpReason = { kind: 'send'; amount: string; payee: string } | { kind: 'other'; text: string }

const API = '/api/v1'

/** The action of each request, by method and path. `*` stands for an id. */
const REASONS_BY_REQUEST: Record<string, MessageDescriptor> = {
  'POST /passkeys/options': msg`Add a passkey`,
  'DELETE /passkeys/*': msg`Remove a passkey`,
  'POST /two-factor/setup': msg`Turn on two-factor authentication`,
  'DELETE /two-factor': msg`Turn off two-factor authentication`,
  'POST /two-factor/recovery-codes': msg`Get new recovery codes`,
  'PATCH /profile': msg`Change your personal information`,
  'GET /profile/export': msg`Download your data`,
  'POST /profile/closure': msg`Close your account`,
  'POST /rewards/redemptions': msg`Redeem a reward`,
  'POST /rewards/premium': msg`Upgrade to Premium`,
  'POST /rewards/premium/resume': msg({ message: 'Keep Premium', context: 'reason for a confirmation' }),
  'POST /linked-accounts/*/payouts': msg`Move money to another bank`,
  'POST /mandates/*/decision': msg`Answer a direct debit request`,
  'POST /schedules/*/changes': msg`Change a scheduled payment`,
  'POST /review/disputes/*/decisions': msg`Decide a dispute`,
  'POST /push': msg`Show notifications on this device`,
  'POST /review/cases/*/unlock': msg({
    message: 'Open a case and its documents',
    comment: "A reviewer opens a customer's identity documents",
  }),
}

const ID = /\/[0-9a-f-]{36}(?=\/(?:unlock|payouts|decision|changes|decisions)$|$)|(?<=\/passkeys)\/(?!options$)[^/]+$/

function isSend(body: unknown): body is { amountMinor: number; asset: Asset; recipient: string } {
  const { amountMinor, asset, recipient } = (body ?? {}) as Record<string, unknown>
  return (
    typeof amountMinor === 'number' &&
    typeof asset === 'string' &&
    Object.hasOwn(ASSETS, asset) &&
    typeof recipient === 'string'
  )
}

/** A payment of somebody's request. The person who requested the money is the payee. */
const REQUEST_PAYMENT = /\/(money-requests|request-links)\/[^/]+\/payments$/

/** Returns the effect of the waiting request in the customer's words. */
export function stepUpReasonFor({ method, path, body }: WaitingRequest): StepUpReason {
  if (isSend(body)) {
    return { kind: 'send', amount: money(body.amountMinor, body.asset), payee: body.recipient }
  }
  if (REQUEST_PAYMENT.test(path)) {
    const { amountMinor } = body as RequestPayment
    const amount = money(amountMinor, 'USD')
    return { kind: 'other', text: t`Pay ${amount} toward a request` }
  }
  const name = `${method} ${path.replace(API, '').replace(ID, '/*')}`
  return { kind: 'other', text: i18n._(REASONS_BY_REQUEST[name] ?? msg`Continue with your request`) }
}
