/**
 * The catalog of all errors. Each code has an HTTP status and the message that a person reads. No other file contains error
 * messages for customers.
 */
export const ERRORS = {
  // The screens check most of these before they send a request, and the server checks most of them again. The server never
  // sends `passwords_differ` and `recipient_missing`.
  fields_missing: { status: 400, message: 'Please fill in all fields' },
  passwords_differ: { status: 400, message: "Passwords don't match" },
  verification_incomplete: { status: 400, message: 'Please complete all verification steps' },
  amount_invalid: { status: 400, message: 'Please enter a valid amount' },
  method_missing: { status: 400, message: 'Please select a payment method' },
  recipient_missing: { status: 400, message: 'Please select a recipient' },
  people_missing: { status: 400, message: 'Please select at least one person' },
  shares_differ: { status: 400, message: 'The shares must add up to the total' },
  people_twice: { status: 400, message: 'Please select each person only once' },
  people_too_many: { status: 422, message: 'Please select fewer people' },
  recipient_invalid: { status: 400, message: 'Please enter a valid email or phone number' },

  // Refusals of payments, trades, cards, groups and rewards.
  insufficient_funds: { status: 422, message: "You don't have enough money for this" },
  amount_too_large: { status: 422, message: 'This is over the limit for one payment' },
  day_limit_reached: { status: 422, message: 'This would take you over your daily limit. Please try again tomorrow' },
  balance_limit_reached: { status: 422, message: 'This would take your balance over the maximum' },
  method_unavailable: {
    status: 422,
    message: "This payment method isn't available here. Please choose another",
  },
  routing_number_invalid: { status: 422, message: 'Please enter a valid routing number' },
  account_number_invalid: { status: 422, message: 'Please enter a valid account number' },
  account_not_external: { status: 422, message: 'This account is with Alder. Link one at another bank' },
  account_linked: { status: 409, message: 'This account is already linked' },
  accounts_full: {
    status: 422,
    message: "You've reached the maximum number of linked accounts. Please remove one first",
  },
  account_unverified: { status: 422, message: 'Please verify this account first' },
  deposits_wrong: { status: 422, message: "These amounts don't match. Please check them and try again" },
  deposits_over: {
    status: 410,
    message: 'These deposits are no longer valid. Please remove the account and link it again',
  },
  mandate_not_active: { status: 409, message: "This direct debit isn't active" },
  trading_paused: {
    status: 422,
    message: "Trading is paused because we can't get a reliable price right now. Nothing was bought or sold",
  },
  market_limit_reached: {
    status: 422,
    message: "We can't trade this much right now. Please try a smaller amount, or come back later",
  },
  quote_expired: { status: 410, message: 'This price has expired. Please get a new one' },
  quote_used: { status: 409, message: 'This price has already been used. Please get a new one' },
  amount_too_small: { status: 422, message: 'This is too little to trade. Please choose a larger amount' },
  coins_short: { status: 422, message: "You don't have that many coins to sell" },
  order_over: { status: 409, message: 'This order is no longer open' },
  orders_full: {
    status: 422,
    message: "You've reached the maximum number of open orders. Please cancel one, or wait until one is filled",
  },
  recurring_full: {
    status: 422,
    message: "You've reached the maximum number of recurring buys. Please stop one first",
  },
  verification_required: { status: 403, message: 'Please verify your identity first' },
  coins_left: { status: 422, message: 'Please sell your coins before you close your account' },
  investment_too_small: { status: 422, message: 'The minimum investment is $10' },
  units_too_few: { status: 422, message: "That's worth less than a cent. Please sell more, or sell everything" },
  units_short: { status: 422, message: "You don't have that much to sell" },
  suitability_needed: { status: 422, message: 'Please answer our questions about risk first' },
  risk_not_accepted: { status: 422, message: 'Please read and accept the risks first' },
  unsuitable_fund: {
    status: 422,
    message: 'This fund is riskier than your answers suggest. You can still choose it if you confirm that you want to',
  },
  plan_over: { status: 409, message: 'This recurring investment has ended' },
  plans_full: {
    status: 422,
    message: "You've reached the maximum number of recurring investments. Please end one first",
  },
  units_left: { status: 422, message: 'Please sell your investments before you close your account' },
  orders_pending: { status: 422, message: 'Please cancel your pending orders before you close your account' },
  mandate_limit_exceeded: { status: 422, message: 'This is more than the direct debit allows' },
  mandates_full: { status: 422, message: 'You have too many direct debit requests to answer' },
  debit_date_invalid: { status: 422, message: 'A direct debit must be announced three days to a year in advance' },
  debit_repeated: { status: 409, message: 'A payment has already been collected for this date' },
  debit_not_announced: { status: 422, message: 'This is more than the biller announced' },
  claim_back_late: { status: 422, message: 'You can only claim back a direct debit within eight weeks of the payment' },
  claim_back_impossible: { status: 409, message: "There's nothing to claim back" },
  payout_missing: { status: 422, message: "There's no withdrawal to send back. Move some money out first" },
  recipient_is_self: { status: 422, message: "You can't send money to yourself" },
  account_frozen: { status: 422, message: 'This account is frozen' },
  account_closed: { status: 422, message: 'This account is closed' },
  hold_not_open: { status: 409, message: 'This payment is no longer pending' },
  hold_amount_exceeded: { status: 422, message: 'This is more than the amount that was held' },
  already_reversed: { status: 409, message: 'This payment has already been reversed' },
  claim_not_open: { status: 409, message: 'This payment has already been accepted, returned or canceled' },
  claim_is_own: { status: 422, message: "You can't accept a payment you sent" },
  schedule_date_invalid: { status: 400, message: 'Please choose a date between today and two years from now' },
  schedule_end_invalid: { status: 400, message: 'Please choose an end date that allows at least one payment' },
  schedule_changed: { status: 409, message: 'This scheduled payment has just changed. Please check it and try again' },
  schedule_over: { status: 409, message: 'This scheduled payment has ended' },
  schedules_full: {
    status: 422,
    message: "You've reached the maximum number of scheduled payments. Please cancel one first",
  },
  goal_locked: { status: 422, message: "This goal is locked. You can unlock it early with a day's notice" },
  goals_full: { status: 422, message: "You've reached the maximum number of goals. Please close one first" },
  date_not_ahead: { status: 422, message: 'Please choose a date in the future' },
  lock_shortened: { status: 422, message: 'You can extend a lock, but not shorten it' },
  card_removed: { status: 409, message: 'This card has been removed' },
  card_used: { status: 409, message: 'This card has already been used' },
  card_payment_pending: {
    status: 409,
    message: "A payment with this card is still pending. You can delete the card once it's complete",
  },
  card_limit_too_high: { status: 422, message: 'This is above the highest limit for a card' },
  cards_full: { status: 422, message: "You've reached the maximum number of virtual cards. Please delete one first" },
  main_card_exists: { status: 409, message: 'You already have a main card' },
  bill_not_open: { status: 409, message: 'No one owes you anything for this bill anymore' },
  group_unsettled: { status: 422, message: 'Please settle up before you leave this group' },
  group_settled: { status: 409, message: 'No one owes anything in this group' },
  groups_full: { status: 422, message: "You've reached the maximum number of groups. Please leave one first" },
  points_short: { status: 422, message: "You don't have enough points for this" },
  reward_unavailable: { status: 422, message: "This reward isn't available here yet" },
  premium_on: { status: 409, message: 'You already have Premium' },
  premium_off: { status: 409, message: "You don't have Premium" },
  premium_cancelled: { status: 409, message: "You've already canceled Premium" },
  month_invalid: { status: 422, message: 'Please choose one of the last twelve months' },
  category_fixed: { status: 422, message: "The category of this payment can't be changed" },
  footprint_offset: { status: 409, message: "There's nothing left to offset for this month" },
  offset_unavailable: { status: 422, message: "Offsets aren't available here yet" },
  price_changed: { status: 409, message: 'The price has changed. Please check it and try again' },
  request_to_self: { status: 422, message: "You can't request money from yourself" },
  request_is_own: { status: 422, message: "You can't pay your own request" },
  request_not_open: {
    status: 409,
    message: 'This request has already been paid, declined or canceled, or has expired',
  },
  request_amount_exceeded: { status: 422, message: 'This is more than the amount left to pay' },
  reminded_today: { status: 409, message: "You've already sent a reminder today" },
  asset_mismatch: { status: 422, message: 'These accounts are in different currencies' },

  // Sign-in and sign-up.
  credentials_wrong: { status: 422, message: "That email or password isn't right" },
  password_too_short: { status: 422, message: 'Please choose a password with at least 12 characters' },
  password_common: { status: 422, message: 'This password is too easy to guess. Please choose another' },
  code_wrong: { status: 422, message: "That code isn't right. Please try the next one" },
  passkey_refused: { status: 422, message: "That passkey wasn't accepted" },
  passkey_unknown: { status: 422, message: "Alder doesn't recognize this passkey. Please sign in another way" },
  passkey_unavailable: { status: 400, message: 'This browser has no passkey for Alder' },
  /** The screen shows these two if the device created no passkey. The server never sends them. */
  passkey_known: { status: 409, message: 'This device already has a passkey for Alder' },
  passkey_not_made: { status: 400, message: 'No passkey was created' },
  /**
   * The screen shows this if the browser returned no passkey. The browser does not report the reason, and the server never
   * sends this code.
   */
  passkey_cancelled: { status: 400, message: 'No passkey was used. Try again, or choose another way' },
  link_invalid: { status: 410, message: 'This link has expired or was already used. Please request a new one' },
  email_unconfirmed: { status: 422, message: 'Please confirm your email first: open the link we sent you' },
  biometric_off: { status: 422, message: 'Biometric login is off. Please sign in with your password' },
  step_up_required: { status: 403, message: "Please confirm it's you" },
  proof_refused: { status: 422, message: "We couldn't confirm it's you. Please try again" },
  /** The customer has no passkey, no authenticator app and no password. */
  proof_impossible: { status: 403, message: 'Set a password first: choose “Forgot Password?” when you sign in' },
  /** The one-time token was used, has expired, or has no attempts left. */
  step_ended: { status: 410, message: 'This step has expired. Please start again' },
  two_factor_on: { status: 409, message: 'Two-factor authentication is already on' },
  two_factor_off: { status: 409, message: "Two-factor authentication isn't on" },
  passkeys_full: { status: 422, message: "You've reached the maximum number of passkeys. Please remove one first" },
  name_invalid: { status: 422, message: 'Please enter your name as it appears on your ID' },
  email_invalid: { status: 422, message: 'Please enter a valid email address' },
  phone_code_wrong: { status: 422, message: "That code isn't right. Please check it and try again" },
  phone_code_ended: { status: 410, message: 'This code is no longer valid. Please request a new one' },
  texts_unavailable: { status: 422, message: "We can't send text messages right now" },
  phone_invalid: { status: 422, message: 'Please enter a valid phone number' },
  birth_date_invalid: { status: 422, message: 'Please enter a valid date of birth' },
  postcode_invalid: { status: 422, message: 'Please enter a valid postcode' },
  owes_bank: { status: 422, message: 'You owe us money. Please add enough to pay it back, then try again' },
  balance_not_zero: { status: 422, message: 'Please move all your money out before you close your account' },

  // Identity documents.
  document_kind_refused: { status: 415, message: 'Please choose a JPEG, PNG or PDF file' },
  photo_kind_refused: { status: 415, message: 'Please choose a JPEG or PNG image' },
  document_too_large: { status: 413, message: 'Please choose a file no larger than 10 MB' },
  document_unreadable: { status: 422, message: "We couldn't read this file. Please choose another" },
  document_locked: { status: 422, message: "This PDF is password-protected. Please choose one that isn't" },
  document_too_long: { status: 422, message: 'Please choose a PDF with no more than 10 pages' },
  photos_full: {
    status: 422,
    message: "You've reached the maximum number of receipts. Please remove one first",
  },
  verification_closed: { status: 409, message: "You've already sent your documents" },
  verification_decided: { status: 409, message: 'Someone has already decided this case' },
  verification_changed: { status: 409, message: 'This case has changed. Please review it again' },
  documents_unseen: { status: 422, message: 'Please open every document before you approve' },
  case_locked: { status: 403, message: "Please confirm it's you to open this case" },
  second_factor_required: {
    status: 403,
    message: 'Reviewers need an authenticator app or a passkey. Set one up in Security & Privacy',
  },
  verification_own: { status: 403, message: "You can't review your own documents" },
  limit_reached: {
    status: 422,
    message: 'This would take you over your daily limit. Verify your identity to raise it',
  },
  /** The screen shows this if there is no camera, or no permission to use it. The server never sends this code. */
  camera_unavailable: { status: 503, message: "We can't use the camera here. Please choose a photo instead" },

  dispute_impossible: { status: 422, message: "This payment can't be disputed" },
  dispute_undecided: {
    status: 409,
    message: "We're still looking into a problem you reported. You can close your account once that's decided",
  },
  dispute_open: { status: 409, message: "You've already reported a problem with this payment" },
  dispute_decided: { status: 409, message: 'This dispute is already closed' },
  dispute_own: { status: 403, message: "You can't decide your own dispute" },

  loan_amount_too_small: { status: 422, message: 'The minimum loan is $1,000' },
  loan_amount_off_step: { status: 422, message: 'Please choose an amount in increments of $500' },
  loan_term_invalid: { status: 422, message: 'Please choose a term from 6 to 60 months, in increments of 6' },
  loan_above_limit: { status: 422, message: "This is more than we've pre-approved for you" },
  loan_open: {
    status: 409,
    message: 'You already have a loan or an application. You can apply again once it has ended',
  },
  loan_not_offered: { status: 409, message: 'This offer can no longer be accepted' },
  loan_offer_expired: { status: 410, message: 'This offer has expired. You can apply again' },
  loan_limit_fell: { status: 409, message: 'We can no longer lend you this much. You can apply for a smaller loan' },
  loan_not_open: { status: 409, message: 'This loan has already been repaid' },
  loan_overpaid: { status: 422, message: 'This is more than you owe' },
  loan_payment_too_small: { status: 422, message: 'Please pay at least $1.00, or all that you owe' },
  loan_quote_expired: { status: 410, message: 'This quote is no longer valid. Please request a new one' },
  loan_terms_changed: { status: 409, message: 'These figures have changed. Please check them and try again' },
  loan_withdrawal_over: {
    status: 422,
    message: 'The 14-day cancellation period is over. You can still repay the loan early',
  },
  loan_pause_recent: { status: 422, message: 'You can only pause a loan once every 12 months' },
  loan_pause_late: { status: 422, message: "You can't pause a loan that's more than 30 days late. Please contact us" },
  loan_owed: { status: 422, message: 'Please repay your loan before you close your account' },

  // Statements, and imported statements of other banks.
  statement_range_early: { status: 400, message: "A statement can't begin before 1970" },
  statement_range_reversed: { status: 400, message: "The first day can't be after the last day" },
  statement_range_ahead: { status: 422, message: "A statement can't end after today" },
  statement_range_long: { status: 422, message: 'A statement can cover up to 366 days' },
  statement_too_long: {
    status: 422,
    message: 'There are more than 10,000 transactions in this period. Please choose a shorter period',
  },
  import_too_large: { status: 413, message: 'Please choose a file no larger than 1 MB' },
  import_too_long: { status: 422, message: 'Please choose a file with no more than 10,000 payments' },
  import_unreadable: { status: 422, message: "We couldn't read this file. Please choose a CSV, OFX or camt file" },
  import_charset: { status: 422, message: 'Please choose another encoding' },
  import_unsure: { status: 422, message: "Please check this file's format" },
  import_empty: { status: 422, message: "We couldn't find any payments in this file" },
  import_amount_too_large: { status: 422, message: "This file contains an amount that's too large. Please check it" },
  import_currency: { status: 422, message: 'We can only import payments in US dollars' },
  import_columns: { status: 422, message: 'Please choose a different column for each field' },
  import_is_own: { status: 422, message: 'This statement is from Alder. Its payments are already counted' },
  imports_full: { status: 422, message: "You've imported as much as we can keep. Please remove an import first" },

  // Records that do not exist.
  transaction_not_found: { status: 404, message: 'Transaction not found' },
  claim_not_found: { status: 404, message: "This payment link isn't valid" },
  request_link_not_found: { status: 404, message: "This request link isn't valid" },
  page_not_found: { status: 404, message: 'Oops! Page not found' },
  not_found: { status: 404, message: 'Not found' },

  // Malformed requests, requests without sign-in, requests above a limit, and refusals of the sample bank and of providers.
  request_invalid: { status: 400, message: "Something in this request isn't valid" },
  request_too_large: { status: 413, message: 'This request is too large' },
  headers_too_large: { status: 431, message: 'This request has too many headers, or headers that are too long' },
  request_too_slow: { status: 408, message: 'This request took too long to arrive' },
  expectation_refused: { status: 417, message: "This request expects something Alder doesn't offer" },
  media_type_unsupported: { status: 415, message: 'This request must be JSON' },
  cursor_invalid: { status: 400, message: "This page of the list isn't valid" },
  idempotency_key_missing: { status: 400, message: 'This request needs an Idempotency-Key header' },
  idempotency_key_invalid: { status: 400, message: 'The Idempotency-Key header must be a UUID' },
  idempotency_key_reserved: {
    status: 400,
    message: 'Version 8 UUIDs are reserved for Alder. Please use another version for the Idempotency-Key',
  },
  idempotency_key_reused: { status: 409, message: 'This Idempotency-Key was used for a different request' },
  origin_refused: { status: 403, message: "This request didn't come from Alder" },
  sign_in_required: { status: 401, message: 'Please sign in' },
  no_new_visitors: {
    status: 429,
    message:
      "We can't open another sample account right now. Please come back later, or sign in to one you already have",
  },
  no_new_customers: {
    status: 429,
    message:
      "Lots of people are opening accounts right now, so we can't open yours just yet. Please try again in a little while",
  },
  transfer_missing: { status: 422, message: "There's no transfer to reverse. Have someone pay you first" },
  nobody_asked: { status: 422, message: 'Request money from a friend first, or split a bill with them' },
  date_limit_reached: { status: 422, message: "This bank's date can't be moved any further" },
  date_moved_often: { status: 429, message: 'The date has been moved too often. Please try again later' },
  date_kept: { status: 403, message: 'Only the people who run this bank can change its date' },
  signature_refused: { status: 401, message: "This message isn't signed correctly" },
  message_id_reused: { status: 409, message: 'This id was used for a different message' },
  refund_too_large: { status: 422, message: 'This is more than the amount left to refund' },
  collection_mismatch: { status: 422, message: "This doesn't match what was requested" },
  too_many_requests: { status: 429, message: 'Too many attempts. Please try again in a little while' },

  // Failures of the bank itself.
  unavailable: {
    status: 503,
    message: "Alder isn't available right now. Please try again in a moment",
  },
  /** The screen shows this if the server sent no response. A retry is safe, because the request keeps its idempotency key. */
  unreachable: { status: 503, message: "We couldn't reach Alder. Check your connection and try again" },
  unexpected: { status: 500, message: 'Unexpected Application Error!' },
} as const satisfies Record<string, { status: number; message: string }>

export type ErrorCode = keyof typeof ERRORS

/** The body of every error response. `field` is the name of the field that caused the error. */
export type ErrorBody = { error: { code: ErrorCode; message: string; field?: string } }

/** Returns the HTTP status of a refusal. */
export const statusOf = (code: ErrorCode): (typeof ERRORS)[ErrorCode]['status'] => ERRORS[code].status

/**
 * The codes after which the outcome of a request is unknown. A retry is safe, because the request keeps its idempotency key.
 */
export const UNDECIDED: readonly ErrorCode[] = ['unavailable', 'unreachable', 'unexpected']

type RefusalOptions = ErrorOptions & {
  retryAfterSeconds?: number | undefined
  /** The server's message in English, for a screen that has no text for the code. */
  message?: string | undefined
}

/**
 * A refusal that a person may read. Services throw it, the HTTP layer writes it as ErrorBody, and the web app parses that body.
 * The web app contains only the texts of the codes that its own screens raise.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly field: string | undefined
  /** The number of seconds after which a retry may succeed; undefined if it is unknown. */
  readonly retryAfterSeconds: number | undefined
  constructor(code: ErrorCode, field?: string, { message, retryAfterSeconds, ...options }: RefusalOptions = {}) {
    super(message ?? code, options)
    this.code = code
    this.field = field
    this.retryAfterSeconds = retryAfterSeconds
  }
}
