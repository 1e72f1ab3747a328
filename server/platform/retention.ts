import { DAY_MS, HOUR_MS } from '#server/platform/durations.ts'

/**
 * The only list of how long the bank keeps its records, by table. A test checks that the list contains every table, so that no
 * table grows without a decision. The ledger's tables have names such as 'ledger operation', because only the ledger uses their
 * real names.
 */

/**
 * The time for which rows are kept: `ms` milliseconds of the given clock. Older rows are deleted. `why`: the reason to keep the
 * rows until then.
 */
type ForATime = { ms: number; clock: 'real' | 'business'; why: string }

export const KEPT_FOR = {
  'ledger refusal': { ms: DAY_MS, clock: 'real', why: 'no client repeats a request for longer (decision 42)' },
  'bank.request': {
    ms: 90 * DAY_MS,
    clock: 'real',
    why: 'a repeated request gets the same response; its key stays in the ledger',
  },
  'bank.card_message': { ms: 90 * DAY_MS, clock: 'real', why: 'a card scheme repeats its messages for weeks' },
  'bank.notification': { ms: 365 * DAY_MS, clock: 'business', why: 'customers look for notices of the last year' },
  'bank.push_subscription': {
    ms: 60 * DAY_MS,
    clock: 'real',
    why: 'the app was not opened for this time, so the browser gets no more notices',
  },
  'bank.mail': { ms: 365 * DAY_MS, clock: 'real', why: 'customers ask which mails the bank sent them' },
  'bank.text_message': { ms: 7 * DAY_MS, clock: 'real', why: 'customers ask why a text did not come' },
  'bank.crypto_quote': { ms: HOUR_MS, clock: 'real', why: 'a late use of a quote gets the answer that it has expired' },
  'bank.visitor': { ms: 400 * DAY_MS, clock: 'real', why: 'browsers keep a cookie for no longer (RFC 6265bis)' },
} as const satisfies Record<string, ForATime>

/**
 * `rows`: the largest number of rows that one statement deletes, so that no lock is held for long. `budgetMs`: the longest run
 * of a job, in milliseconds.
 */
const PURGE = { rows: 5_000, budgetMs: 20_000 }

/**
 * Repeats a step until it deletes fewer rows than the limit or until the time is over. A step returns the number of rows that
 * it deleted. Returns the number of rows that all steps deleted.
 */
export async function purgeInSteps(
  step: (most: number) => Promise<number>,
  { rows, budgetMs } = PURGE,
): Promise<number> {
  const until = performance.now() + budgetMs
  let deletedCount = 0
  for (;;) {
    const count = await step(rows)
    deletedCount += count
    if (count < rows || performance.now() >= until) return deletedCount
  }
}

const BOOKS = 'the books, to which rows are only added'
const CONTRACT = "a customer's agreements and payments, which a bank must be able to show for years by law"
const EVIDENCE = 'actions at the bank and reports of providers: evidence in a dispute'
const OF_BOOKS = 'kept with the books, so that reads stay fast at any size'

/** The tables whose rows are never deleted by age, with the reason. */
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
  'bank.price': 'one per day and asset after three months, for charts of many years',
  'bank.customer': 'so that booked payments keep the name; a closed customer\u2019s details are removed',
}

const BY_CUSTOMER =
  'limited per customer, or each row replaces the last; deleted when the customer closes their account'
const EXPIRES = 'deleted soon after it has expired (server/identity/purge.ts)'
const FEW = 'a few rows for the whole bank'

/** The tables that do not grow with time, with the reason. */
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
