import { DAY_MS, HOUR_MS } from '#server/platform/durations.ts'

/**
 * How long the bank keeps what it writes down, table by table: the only place that says so. A test holds that every table is in
 * here, so that none grows without anybody having decided that it may. Those of the ledger are called 'ledger operation' and so on:
 * nobody else names its tables.
 */

/** Rows go once they are older than `ms`; `why` says what they are needed for until then. */
type ForATime = { ms: number; clock: 'real' | 'business'; why: string }

export const KEPT_FOR = {
  'ledger refusal': { ms: DAY_MS, clock: 'real', why: 'no client repeats a request for longer (decision 42)' },
  'bank.request': { ms: 90 * DAY_MS, clock: 'real', why: 'a request is answered again; its key stays in the ledger' },
  'bank.card_message': { ms: 90 * DAY_MS, clock: 'real', why: 'a card scheme repeats its messages for weeks' },
  'bank.notification': { ms: 365 * DAY_MS, clock: 'business', why: 'people look for news of the last year' },
  'bank.push_subscription': {
    ms: 60 * DAY_MS,
    clock: 'real',
    why: 'whoever does not open the app is told nothing there',
  },
  'bank.mail': { ms: 365 * DAY_MS, clock: 'real', why: 'customers ask what the bank has written to them' },
  'bank.text_message': { ms: 7 * DAY_MS, clock: 'real', why: 'customers ask why a text did not come' },
  'bank.crypto_quote': { ms: HOUR_MS, clock: 'real', why: 'whoever uses a price late is told so' },
  'bank.visitor': { ms: 400 * DAY_MS, clock: 'real', why: 'browsers keep a cookie for no longer (RFC 6265bis)' },
} as const satisfies Record<string, ForATime>

/** How many rows go in one statement, so that no lock is held for long, and how long a job goes on, in milliseconds. */
const PURGE = { rows: 5_000, budgetMs: 20_000 }

/** Repeats a step that answers how many rows went, until fewer than the most did or the time is over. Answers how many went in all. */
export async function purgeInSteps(
  step: (most: number) => Promise<number>,
  { rows, budgetMs } = PURGE,
): Promise<number> {
  const until = performance.now() + budgetMs
  let gone = 0
  for (;;) {
    const count = await step(rows)
    gone += count
    if (count < rows || performance.now() >= until) return gone
  }
}

const BOOKS = 'the books, which are only ever added to'
const CONTRACT = 'what a customer agreed to or did with money, which the law has a bank show for years'
const EVIDENCE = 'who did what at the bank, and what providers told it: evidence if something is disputed'
const OF_BOOKS = 'kept with the books, so that they are read as fast however long they are'

/** What is never removed by time, and why. */
export const KEPT_FOR_EVER: Readonly<Record<string, string>> = {
  'ledger operation': BOOKS,
  'ledger transfer': BOOKS,
  'ledger period': BOOKS,
  'ledger seal': BOOKS,
  'ledger seal_block': BOOKS,
  'ledger account': BOOKS,
  'ledger unposted_hold': OF_BOOKS,
  'ledger daily_flow': OF_BOOKS,
  'ledger search_block': OF_BOOKS,
  'bank.payee_day': OF_BOOKS,
  'bank.payee_month': OF_BOOKS,
  'bank.security_event': EVIDENCE,
  'bank.rail_event': EVIDENCE,
  'bank.kyc_case': EVIDENCE,
  'bank.kyc_review': EVIDENCE,
  'bank.money_request_event': EVIDENCE,
  'bank.request_report': EVIDENCE,
  'bank.clock_move': EVIDENCE,
  'bank.migration': EVIDENCE,
  ...Object.fromEntries(
    [
      'claim',
      'collection',
      'payout',
      'direct_debit',
      'mandate',
      'money_request',
      'card',
      'card_authorisation',
      'card_capture',
      'card_month',
      'cashback',
      'dispute',
      'loan',
      'loan_application',
      'loan_payment',
      'crypto_order',
      'crypto_trade',
      'fund_order',
      'carbon_offset',
      'standing_order',
      'incoming_transfer',
      'owed',
      'points_earning',
      'points_refund',
      'premium',
      'redemption',
      'referral',
      'goal_interest',
      'bill',
      'bill_share',
      'bill_settlement',
      'risk_acceptance',
      'suitability',
    ].map((name) => [`bank.${name}`, CONTRACT]),
  ),
  'bank.price': 'one a day and asset after three months, for charts of many years',
  'bank.customer': 'so that the name on what was booked stays; a closed customer\u2019s details are removed',
}

const BY_CUSTOMER =
  'so many for each customer at most, or each replaced by the next; goes when they close their account'
const EXPIRES = 'removed soon after it has expired (server/identity/purge.ts)'
const FEW = 'a few rows for the whole bank'

/** What does not grow with time, and why. */
export const BOUNDED: Readonly<Record<string, string>> = {
  'bank.session': EXPIRES,
  'bank.one_time_token': EXPIRES,
  'bank.phone_code': EXPIRES,
  'bank.email_change': EXPIRES,
  'bank.rate_limit': EXPIRES,
  ...Object.fromEntries(
    [
      'kyc_document',
      'contact',
      'goal',
      'passkey',
      'two_factor',
      'recovery_code',
      'allowance_use',
      'known_device',
      'request_block',
      'card_guess',
      'linked_account',
      'bill_group',
      'bill_group_member',
      'loan_instalment',
      'loan_quote',
      'crypto_position',
      'fund_pending',
      'advisor_exchange',
      'budget',
      'budget_notice',
      'price_notice',
      'statement_told',
      'insight_account',
      'payee_category',
      'line_category',
      'payment_import',
      'imported_payment',
      'collector',
      'private_note',
      'receipt_photo',
    ].map((name) => [`bank.${name}`, BY_CUSTOMER]),
  ),
  ...Object.fromEntries(
    [
      'bank.database',
      'bank.clock',
      'bank.job_run',
      'bank.points_sweep',
      'bank.market_halt',
      'bank.earlier_secret',
      'bank.held',
      'bank.backfill',
      'bank.verified_backup',
      'bank.notice_period',
      'bank.notice_period_rule',
      'ledger asset',
      'ledger period_rule',
    ].map((name) => [name, FEW]),
  ),
}
