// Made from the migrations by `npm run tables`.
import type { JSONColumnType } from 'kysely'
import type { GoalIcon } from '#contract/goals.ts'
import type { DeviceParts } from '#contract/devices.ts'
import type { NetworkZone, SecurityEventKind } from '#contract/security-events.ts'
import type { DocumentType } from '#contract/documents.ts'
import type { ReviewReason } from '#contract/review-reasons.ts'
import type { Asset } from '#contract/money.ts'
import type { ColumnType } from "kysely";

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export interface BankAdvisorExchange {
  asked_at: Date;
  asks: Generated<Json>;
  customer_id: string;
  id: Generated<string>;
  place: Generated<number>;
  question: string;
  statements: Json;
}

export interface BankAllowanceUse {
  amount_minor: number;
  customer_id: string;
  direction: 'in' | 'out';
  operation_id: string;
  used_at: Date;
}

export interface BankBackfill {
  after_key: string | null;
  done_at: Date | null;
  done_rows: Generated<number>;
  kept_from: number;
  name: string;
}

export interface BankBill {
  asset: Asset;
  created_at: Date;
  description: string | null;
  group_id: string | null;
  id: string;
  operation_id: string | null;
  own_minor: number;
  owner_id: string;
  removed_at: Date | null;
  total_minor: number;
}

export interface BankBillGroup {
  created_at: Date;
  id: string;
  name: string;
}

export interface BankBillGroupMember {
  address: string;
  customer_id: string | null;
  group_id: string;
  id: string;
  invited_by: string;
  left_at: Date | null;
  name: string;
  place: Generated<number>;
}

export interface BankBillSettlement {
  from_id: string;
  group_id: string;
  request_id: string;
  to_id: string;
}

export interface BankBillShare {
  amount_minor: number;
  bill_id: string;
  member_id: string | null;
  name: string;
  place: number;
  request_id: string | null;
}

export interface BankBudget {
  category: string;
  customer_id: string;
  from_month: string;
  limit_minor: number | null;
}

export interface BankBudgetNotice {
  category: string;
  customer_id: string;
  month: string;
  percent: number;
}

export interface BankCarbonOffset {
  amount_minor: number;
  customer_id: string;
  grams: number;
  is_sample: boolean;
  month: string;
  number: Generated<number>;
  offset_at: Date;
  operation_id: string;
}

export interface BankCard {
  abroad: Generated<boolean>;
  account_id: number;
  colour: 'plum' | 'copper' | 'sky' | 'moss' | 'rose' | 'slate' | null;
  contactless: Generated<boolean>;
  created_at: Date;
  customer_id: string;
  design: 'rings' | 'leaves' | 'river' | 'grain' | null;
  expires_on: string;
  id: Generated<string>;
  kind: 'main' | 'multi_use' | 'single_use';
  last_four: string;
  month_limit_minor: number | null;
  name: string;
  number_digest: string | null;
  number_sealed: Buffer | null;
  online: Generated<boolean>;
  own_account_id: number | null;
  payment_limit_minor: number | null;
  previous_expires_on: string | null;
  removed_at: Date | null;
  status: Generated<'active' | 'frozen' | 'removed'>;
  type: 'debit' | 'credit';
  used_at: Date | null;
}

export interface BankCardAuthorisation {
  abroad: boolean;
  account_id: number | null;
  advised: boolean;
  amount_minor: number;
  asset: Asset;
  authorised_at: Date;
  captured_minor: Generated<number>;
  card_id: string | null;
  city: string | null;
  country: string;
  customer_id: string | null;
  digest: Buffer;
  entry: string;
  expires_at: Date;
  held_minor: Generated<number>;
  hold_id: string | null;
  id: string;
  lost_minor: Generated<number>;
  mcc: string;
  merchant: string;
  open_minor: Generated<number>;
  reason: string | null;
  refunded_minor: Generated<number>;
  scheme_id: string;
  status: 'declined' | 'held' | 'captured' | 'reversed' | 'expired';
}

export interface BankCardCapture {
  amount_minor: number;
  authorisation_id: string;
  captured_at: Date | null;
  operation_id: string;
  origin_id: string;
  place: Generated<number>;
}

export interface BankCardGuess {
  card_id: string;
  locked_until: Date | null;
  since: Date;
  wrong: number;
}

export interface BankCardMessage {
  answer: Json;
  digest: Buffer;
  id: string;
  received_at: Date;
}

export interface BankCardMonth {
  card_id: string;
  month: string;
  used_minor: number;
}

export interface BankCashback {
  customer_id: string;
  earned_minor: Generated<number>;
  paid_before: string;
  refunds_left_minor: Generated<number>;
}

export interface BankClaim {
  amount_minor: number;
  asset: Asset;
  claimed_by: string | null;
  closed_at: Date | null;
  expires_at: Date;
  note: string | null;
  operation_id: string;
  recipient: string;
  sender_account_id: number;
  sender_id: string;
  sender_name: string;
  status: Generated<'open' | 'claimed' | 'cancelled' | 'expired'>;
}

export interface BankClock {
  business_epoch: Date;
  mode: Generated<string>;
  one_row: Generated<boolean>;
  real_epoch: Date;
}

export interface BankClockMove {
  arrived_at: Date | null;
  moved_ms: Generated<number>;
  one_row: Generated<boolean>;
  stands_at: Date | null;
}

export interface BankCollection {
  account_id: number;
  amount_minor: number;
  asset: Asset;
  created_at: Date;
  customer_id: string;
  method: 'card' | 'bank' | 'wallet';
  operation_id: string;
  overdue_at: Date;
  rail: 'simulated' | 'provider';
  source: Buffer | null;
  source_name: string | null;
  status: Generated<'pending' | 'confirmed' | 'failed' | 'expired' | 'return_due' | 'returned' | 'owed'>;
}

export interface BankCollector {
  account_id: number;
  customer_id: string;
  owed: Generated<number>;
  referral_code: string;
  since: Date;
}

export interface BankContact {
  address: string;
  display_address: string;
  favourite: Generated<boolean>;
  last_used_at: Date;
  name: string;
  owner_id: string;
  paid: boolean;
}

export interface BankCryptoOrder {
  amount_minor: number;
  asset: 'BTC' | 'ETH' | 'LTC';
  created_at: Date;
  customer_id: string;
  ended_at: Date | null;
  expires_at: Date | null;
  id: string;
  limit_micros: number;
  side: 'buy' | 'sell';
  status: Generated<'open' | 'filled' | 'cancelled' | 'expired'>;
}

export interface BankCryptoPosition {
  account_id: number;
  asset: 'BTC' | 'ETH' | 'LTC';
  cost_minor: Generated<number>;
  customer_id: string;
  realised_minor: Generated<number>;
}

export interface BankCryptoQuote {
  amount_minor: number;
  asset: 'BTC' | 'ETH' | 'LTC';
  business_expires_at: Date;
  customer_id: string;
  dollars_minor: number;
  expires_at: Date;
  fee_minor: number;
  id: string;
  operation_id: string | null;
  price_micros: number;
  quoted_at: Date;
  side: 'buy' | 'sell';
}

export interface BankCryptoTrade {
  amount_minor: number;
  asset: 'BTC' | 'ETH' | 'LTC';
  booked_at: Date;
  customer_id: string;
  dollars_minor: number;
  fee_minor: number;
  kind: 'quote' | 'order' | 'recurring';
  number: Generated<number>;
  operation_id: string;
  price_micros: number;
  side: 'buy' | 'sell';
}

export interface BankCustomer {
  address: string | null;
  biometric_login: Generated<boolean>;
  closed_at: Date | null;
  created_at: Date;
  current_account_id: number;
  date_of_birth: string | null;
  email: string;
  email_confirmed_at: Date | null;
  full_name: string;
  id: string;
  language: string | null;
  muted_topics: Generated<string[]>;
  notifications: Generated<boolean>;
  password_hash: string | null;
  phone: string | null;
  phone_confirmed_at: Date | null;
  postcode: string | null;
  role: Generated<'customer' | 'reviewer'>;
  transaction_alerts: Generated<boolean>;
  verified_at: Date | null;
}

export interface BankDatabase {
  grantee: string;
  mode: 'sample' | 'live';
  one_row: Generated<boolean>;
  secret_check: string;
  time_zone: string;
}

export interface BankDirectDebit {
  amount_minor: number;
  asset: Generated<Asset>;
  booked_at: Date | null;
  customer_id: string;
  due_at: Date;
  due_on: string;
  id: Generated<string>;
  mandate_id: string;
  operation_id: string | null;
  status: Generated<'announced' | 'collected' | 'unpaid' | 'cancelled' | 'claimed_back'>;
  told_at: Date | null;
}

export interface BankDispute {
  amount_minor: number;
  answer: string | null;
  asset: Asset;
  category: string;
  created_at: Date;
  credited_minor: number;
  customer_id: string;
  decided_at: Date | null;
  decided_by: string | null;
  description: string | null;
  due_minor: Generated<number>;
  id: string;
  merchant: string;
  paid_at: Date;
  reason: 'not_me' | 'not_received' | 'wrong_amount' | 'charged_twice' | 'not_as_described';
  scheme_id: string | null;
  status: Generated<'open' | 'withdrawn' | 'upheld' | 'rejected'>;
  transaction_id: string;
  upheld_minor: Generated<number>;
}

export interface BankEarlierSecret {
  place: number;
  retired_at: Generated<Date>;
  sealed: Buffer;
}

export interface BankEmailChange {
  customer_id: string;
  email: string;
  expires_at: Date;
  id: string;
  new_confirmed: Generated<boolean>;
  old_confirmed: boolean;
}

export interface BankFundOrder {
  accepts_mismatch: Generated<boolean>;
  amount_minor: number | null;
  cancelled_by: 'customer' | 'bank' | null;
  customer_id: string;
  end_operation_id: string | null;
  ended_at: Date | null;
  fee_minor: number | null;
  fund: 'FUND_CONSERVATIVE' | 'FUND_BALANCED' | 'FUND_AGGRESSIVE';
  id: string;
  placed_at: Date;
  plan_id: string | null;
  plan_on: string | null;
  price_micros: number | null;
  priced_at: Date;
  side: 'buy' | 'sell';
  status: Generated<'pending' | 'filled' | 'cancelled'>;
  units_minor: number | null;
}

export interface BankFundPending {
  amount_minor: Generated<number>;
  fund: 'FUND_CONSERVATIVE' | 'FUND_BALANCED' | 'FUND_AGGRESSIVE';
}

export interface BankGoal {
  account_id: number;
  accrued_millionths: Generated<number>;
  accrued_on: string;
  asset: Asset;
  closed_at: Date | null;
  counted_version: Generated<number>;
  customer_id: string;
  icon: GoalIcon;
  id: Generated<string>;
  locked_until: string | null;
  name: string;
  place: number;
  round_up_times: number | null;
  target_minor: number;
  target_on: string | null;
  unlocks_at: Date | null;
}

export interface BankGoalInterest {
  amount_minor: number;
  goal_id: string;
  month: string;
  operation_id: string;
  paid_at: Date;
}

export interface BankHeld {
  held_at: Generated<Date>;
  kind: 'changes' | 'mail' | 'texts' | 'push' | 'rails';
  known_until: Date;
}

export interface BankImportedPayment {
  amount_minor: number;
  asset: Asset;
  booked_on: string;
  category: string;
  customer_id: string;
  id: Generated<number>;
  identity: string;
  import_id: string;
  name: string;
  source: string | null;
}

export interface BankIncomingTransfer {
  account_id: number | null;
  account_number: string | null;
  amount_minor: number;
  asset: Asset;
  customer_id: string | null;
  id: string;
  payer_name: string | null;
  rail: 'simulated' | 'provider';
  reason: 'account_not_found' | 'account_number_invalid' | 'account_closed' | 'balance_limit' | 'unverified_limit' | null;
  received_at: Date;
  reference: string | null;
  status: 'credited' | 'held' | 'returned' | 'kept' | 'recalled';
}

export interface BankInsightAccount {
  account_id: number;
  customer_id: string;
  summed_version: Generated<number>;
  watched_version: Generated<number>;
}

export interface BankJobRun {
  due_since: Date | null;
  expected_since: Date;
  name: string;
  succeeded_at: Date | null;
}

export interface BankKnownDevice {
  customer_id: string;
  device: JSONColumnType<DeviceParts>;
  first_used_at: Date;
  last_used_at: Date;
  token_hash: string;
}

export interface BankKycCase {
  created_at: Date;
  customer_id: string;
  id: string;
  reason: ColumnType<ReviewReason, string, string> | null;
  status: Generated<'required' | 'submitted' | 'approved' | 'rejected' | 'again'>;
  submitted_at: Date | null;
}

export interface BankKycDocument {
  content: Buffer;
  customer_id: string;
  id: string;
  media_type: string;
  size_bytes: number;
  step: 'id' | 'selfie' | 'address';
  type: DocumentType;
  uploaded_at: Date;
}

export interface BankKycReview {
  act: 'unlock' | 'open' | 'approve' | 'reject' | 'again';
  acted_at: Date;
  case_id: string;
  document_id: string | null;
  document_type: DocumentType | null;
  id: Generated<number>;
  reason: ColumnType<ReviewReason, string, string> | null;
  reviewer_id: string | null;
  session_id: string | null;
}

export interface BankLineCategory {
  category: string;
  customer_id: string;
  day: string;
  from_category: string;
  line_id: string;
  payee: string;
  spent_minor: number;
}

export interface BankLinkedAccount {
  created_at: Date;
  customer_id: string;
  digest: string | null;
  email: string | null;
  expires_at: Date | null;
  expires_on: string | null;
  first_minor: number | null;
  holder_name: string;
  id: Generated<string>;
  kind: 'bank' | 'card' | 'wallet' | 'payment_service';
  last_four: string | null;
  name: string;
  numbers_sealed: Buffer | null;
  requested_at: Date;
  second_minor: number | null;
  status: 'pending' | 'verified' | 'failed' | 'removed';
  tries: Generated<number>;
}

export interface BankLoan {
  accrued_to: string;
  amount_minor: number;
  application_id: string;
  apr_bps: number;
  closed_at: Date | null;
  customer_id: string;
  daily_rate_e12: number;
  disbursed_at: Date;
  disbursed_on: string;
  fees_account_id: number;
  id: string;
  instalment_minor: number;
  interest_account_id: number;
  months: number;
  paused_months: Generated<number>;
  paused_on: string | null;
  paused_until: string | null;
  principal_account_id: number;
  remainder_e12: Generated<number>;
  status: Generated<'active' | 'late' | 'repaid' | 'withdrawn'>;
  tried_on: string | null;
}

export interface BankLoanApplication {
  amount_minor: number;
  apr_bps: number;
  created_at: Date;
  customer_id: string;
  decided_at: Date | null;
  expires_at: Date | null;
  id: string;
  limit_minor: number | null;
  months: number;
  reasons: Json | null;
  score: number | null;
  status: Generated<'pending' | 'offered' | 'refused' | 'accepted' | 'withdrawn' | 'expired'>;
}

export interface BankLoanInstalment {
  due_on: string;
  late_fee: Generated<boolean>;
  loan_id: string;
  number: number;
  paid_minor: Generated<number>;
  short_since: string | null;
}

export interface BankLoanPayment {
  booked_at: Date;
  fees_minor: number;
  id: string;
  interest_minor: number;
  kind: 'instalment' | 'extra' | 'early_settlement' | 'withdrawal';
  loan_id: string;
  paid_on: string;
  place: Generated<number>;
  principal_minor: number;
}

export interface BankLoanQuote {
  fees_minor: number;
  id: Generated<string>;
  interest_minor: number;
  loan_id: string;
  principal_minor: number;
  valid_on: string;
}

export interface BankMail {
  created_at: Date;
  /**
   * Whose mailbox and export it is in; null for nobody's.
   */
  customer_id: string | null;
  id: string;
  kind: string;
  /**
   * Of a mail without a customer; others are in their customer's language.
   */
  language: string | null;
  params: JSONColumnType<Record<string, unknown>>;
  place: Generated<number>;
  recipient: string;
  sent_at: Date | null;
  token: Buffer | null;
}

export interface BankMandate {
  account_id: number;
  asset: Generated<Asset>;
  bill_day: number | null;
  bill_minor: number | null;
  biller_name: string;
  cancelled_at: Date | null;
  category: string;
  created_at: Date;
  customer_id: string;
  decided_at: Date | null;
  id: Generated<string>;
  limit_minor: number | null;
  rail: Generated<'simulated' | 'provider'>;
  reference: string;
  status: Generated<'requested' | 'active' | 'declined' | 'cancelled'>;
}

export interface BankMarketHalt {
  asset: Asset;
  price_at: Date;
  price_micros: number;
  reason: 'future' | 'jump';
  since: Date;
}

export interface BankMigration {
  applied_at: Generated<Date>;
  compatible_from: string | null;
  digest: string;
  name: string;
  version: string | null;
}

export interface BankMoneyRequest {
  amount_minor: number;
  asset: Asset;
  closed_at: Date | null;
  created_at: Date;
  expires_at: Date;
  from_stranger: Generated<boolean>;
  hidden: Generated<boolean>;
  id: string;
  made_at: Date;
  note: string | null;
  paid_minor: Generated<number>;
  payer_address: string | null;
  payer_id: string | null;
  payer_name: string | null;
  payer_typed: string | null;
  reminded_at: Date | null;
  requester_id: string;
  requester_name: string;
  status: Generated<'open' | 'paid' | 'declined' | 'cancelled' | 'expired'>;
}

export interface BankMoneyRequestEvent {
  amount_minor: number | null;
  happened_at: Date;
  id: Generated<number>;
  kind: 'asked' | 'reminded' | 'paid' | 'declined' | 'cancelled' | 'expired';
  operation_id: string | null;
  payer_name: string | null;
  request_id: string;
}

export interface BankNoticePeriod {
  began_at: Generated<Date>;
  number: number;
}

export interface BankNoticePeriodRule {
  ends_from_bytes: number;
  single: Generated<boolean>;
}

export interface BankNotification {
  created_at: Date;
  customer_id: string;
  id: string;
  kind: string;
  params: JSONColumnType<Record<string, unknown>>;
  period: Generated<number>;
  read_at: Date | null;
}

export interface BankOneTimeToken {
  content: Json;
  customer_id: string | null;
  expires_at: Date;
  kind: string;
  token_hash: string;
}

export interface BankOwed {
  amount_minor: number;
  asset: Asset;
  cause: 'card_payment' | 'top_up_returned' | 'dispute' | 'cashback' | 'transfer_recalled';
  cause_id: string | null;
  created_at: Date;
  customer_id: string;
  id: string;
  left_minor: number;
  lost_minor: Generated<number>;
  name: string | null;
  shop: string | null;
}

export interface BankPasskey {
  created_at: Date;
  credential_id: string;
  customer_id: string;
  id: string;
  last_used_at: Date | null;
  may_be_copied: Generated<boolean>;
  name: string;
  public_key: Buffer;
  sign_count: number;
  synced: boolean;
  transports: string[];
}

export interface BankPayeeCategory {
  category: string;
  customer_id: string;
  payee: string;
}

export interface BankPayeeDay {
  account_id: number;
  category: string;
  day: string;
  first_version: number;
  in_minor: number;
  last_version: number;
  name: string;
  out_minor: number;
  payee: string;
  payments: number;
}

export interface BankPayeeMonth {
  account_id: number;
  days: Json;
  month: string;
  name: string;
  payee: string;
}

export interface BankPaymentImport {
  customer_id: string;
  file_name: string;
  id: string;
  imported_at: Date;
}

export interface BankPayout {
  account_id: number;
  amount_minor: number;
  asset: Asset;
  created_at: Date;
  customer_id: string;
  destination: Buffer | null;
  linked_account_id: string;
  name: string;
  operation_id: string;
  overdue_at: Date;
  purpose: 'withdrawal' | 'verification';
  rail: 'simulated' | 'provider';
  reason: 'account_closed' | 'name_mismatch' | 'account_not_found' | 'refused' | 'other' | null;
  status: 'pending' | 'settled' | 'failed' | 'returned' | 'lost' | 'owed';
}

export interface BankPhoneCode {
  customer_id: string;
  digest: string;
  expires_at: Date;
  phone: string;
  tries: Generated<number>;
}

export interface BankPointsEarning {
  amount_minor: number | null;
  cause_id: string;
  counted_on: string;
  customer_id: string;
  kind: 'card' | 'send' | 'refer_friend' | 'direct_debit';
  once_for: string | null;
  points: number;
  taken_back: Generated<number>;
}

export interface BankPointsRefund {
  amount_minor: number;
  cause_id: string;
  refund_id: string;
}

export interface BankPointsSweep {
  id: Generated<boolean>;
  swept_captures: Generated<number>;
  swept_until: Date;
}

export interface BankPremium {
  customer_id: string;
  ended_at: Date | null;
  id: string;
  months: number;
  paid_until: Date;
  renews: boolean;
  started_at: Date;
  tries: Generated<number>;
  try_at: Date | null;
}

export interface BankPrice {
  asset: Asset;
  at: Date;
  price_micros: number;
  resumed: Generated<boolean>;
}

export interface BankPriceNotice {
  amount_minor: number;
  customer_id: string;
  paid_on: string;
  payee: string;
}

export interface BankPrivateNote {
  customer_id: string;
  folded: string;
  line_id: string;
  note: string;
  origin_id: string;
  written_at: Date;
}

export interface BankPushSubscription {
  auth: string;
  created_at: Date;
  customer_id: string;
  endpoint: string;
  failures: Generated<number>;
  id: string;
  p256dh: string;
  renewed_at: Date;
  retry_at: Date | null;
  session_id: string;
}

export interface BankRailEvent {
  digest: string | null;
  id: string;
  received_at: Date;
  subject_id: string;
  type: string;
}

export interface BankRateLimit {
  expire: number | null;
  key: string;
  points: Generated<number>;
}

export interface BankReceiptPhoto {
  added_at: Date;
  content: Buffer;
  customer_id: string;
  id: string;
  line_id: string;
  size_bytes: number;
}

export interface BankRecoveryCode {
  customer_id: string;
  digest: string;
}

export interface BankRedemption {
  code: string | null;
  customer_id: string;
  id: string;
  points: number;
  redeemed_at: Date;
  reward: 'cashback' | 'premium_month' | 'voucher' | 'lounge';
}

export interface BankReferral {
  friend_id: string;
  id: Generated<string>;
  joined_at: Date;
  referrer_id: string;
}

export interface BankRequest {
  customer_id: string | null;
  fingerprint: string;
  key: string;
  made_at: Date;
  result: Json | null;
}

export interface BankRequestBlock {
  blocked_at: Date;
  blocked_id: string;
  blocked_name: string;
  blocker_id: string;
  id: string;
}

export interface BankRequestReport {
  reported_at: Date;
  reporter_id: string;
  request_id: string;
}

export interface BankRiskAcceptance {
  accepted_at: Date;
  customer_id: string;
  version: number;
}

export interface BankSecurityEvent {
  customer_id: string;
  device: JSONColumnType<DeviceParts>;
  happened_at: Date;
  id: Generated<number>;
  kind: SecurityEventKind;
  network_zone: NetworkZone;
}

export interface BankSession {
  created_at: Date;
  customer_id: string;
  device: Generated<JSONColumnType<DeviceParts>>;
  expires_at: Date;
  id: string;
  last_used_at: Date;
  method: Generated<string>;
  network_zone: Generated<'this_computer' | 'local_network' | 'internet'>;
  token_hash: string;
}

export interface BankStandingOrder {
  active_since: Date;
  amount_minor: number;
  anchor_on: string;
  created_at: Date;
  customer_id: string;
  done_on: string | null;
  ends_on: string | null;
  every: 'once' | 'week' | 'month';
  id: string;
  kind: 'payment' | 'investment' | 'coin_buy' | 'saving';
  next_on: string;
  passed: Generated<number>;
  refused: Generated<boolean>;
  remaining: number | null;
  status: Generated<'active' | 'paused' | 'finished' | 'cancelled'>;
  terms: JSONColumnType<Record<string, unknown>>;
  try_at: Date;
  version: Generated<number>;
}

export interface BankStatementTold {
  customer_id: string;
  month: string;
}

export interface BankSuitability {
  answered_at: Date;
  customer_id: string;
  horizon: 'under_two_years' | 'two_to_five_years' | 'over_five_years';
  id: string;
  loss: 'sell' | 'wait' | 'buy_more';
  reserves: 'under_three_months' | 'three_to_six_months' | 'over_six_months';
  result: 'low' | 'medium' | 'high';
}

export interface BankTextMessage {
  created_at: Date;
  customer_id: string;
  expires_at: Date;
  id: string;
  kind: string;
  params: Buffer | null;
  place: Generated<number>;
  recipient: string;
  sent_at: Date | null;
}

export interface BankTwoFactor {
  created_at: Date;
  customer_id: string;
  last_step: number;
  secret: Buffer;
}

export interface BankVerifiedBackup {
  one: Generated<boolean>;
  verified_at: Date;
}

export interface BankVisitor {
  created_at: Date;
  customer_id: string;
  token_hash: string;
}

export interface DB {
  "bank.advisor_exchange": BankAdvisorExchange;
  "bank.allowance_use": BankAllowanceUse;
  "bank.backfill": BankBackfill;
  "bank.bill": BankBill;
  "bank.bill_group": BankBillGroup;
  "bank.bill_group_member": BankBillGroupMember;
  "bank.bill_settlement": BankBillSettlement;
  "bank.bill_share": BankBillShare;
  "bank.budget": BankBudget;
  "bank.budget_notice": BankBudgetNotice;
  "bank.carbon_offset": BankCarbonOffset;
  "bank.card": BankCard;
  "bank.card_authorisation": BankCardAuthorisation;
  "bank.card_capture": BankCardCapture;
  "bank.card_guess": BankCardGuess;
  "bank.card_message": BankCardMessage;
  "bank.card_month": BankCardMonth;
  "bank.cashback": BankCashback;
  "bank.claim": BankClaim;
  "bank.clock": BankClock;
  "bank.clock_move": BankClockMove;
  "bank.collection": BankCollection;
  "bank.collector": BankCollector;
  "bank.contact": BankContact;
  "bank.crypto_order": BankCryptoOrder;
  "bank.crypto_position": BankCryptoPosition;
  "bank.crypto_quote": BankCryptoQuote;
  "bank.crypto_trade": BankCryptoTrade;
  "bank.customer": BankCustomer;
  "bank.database": BankDatabase;
  "bank.direct_debit": BankDirectDebit;
  "bank.dispute": BankDispute;
  "bank.earlier_secret": BankEarlierSecret;
  "bank.email_change": BankEmailChange;
  "bank.fund_order": BankFundOrder;
  "bank.fund_pending": BankFundPending;
  "bank.goal": BankGoal;
  "bank.goal_interest": BankGoalInterest;
  "bank.held": BankHeld;
  "bank.imported_payment": BankImportedPayment;
  "bank.incoming_transfer": BankIncomingTransfer;
  "bank.insight_account": BankInsightAccount;
  "bank.job_run": BankJobRun;
  "bank.known_device": BankKnownDevice;
  "bank.kyc_case": BankKycCase;
  "bank.kyc_document": BankKycDocument;
  "bank.kyc_review": BankKycReview;
  "bank.line_category": BankLineCategory;
  "bank.linked_account": BankLinkedAccount;
  "bank.loan": BankLoan;
  "bank.loan_application": BankLoanApplication;
  "bank.loan_instalment": BankLoanInstalment;
  "bank.loan_payment": BankLoanPayment;
  "bank.loan_quote": BankLoanQuote;
  "bank.mail": BankMail;
  "bank.mandate": BankMandate;
  "bank.market_halt": BankMarketHalt;
  "bank.migration": BankMigration;
  "bank.money_request": BankMoneyRequest;
  "bank.money_request_event": BankMoneyRequestEvent;
  "bank.notice_period": BankNoticePeriod;
  "bank.notice_period_rule": BankNoticePeriodRule;
  "bank.notification": BankNotification;
  "bank.one_time_token": BankOneTimeToken;
  "bank.owed": BankOwed;
  "bank.passkey": BankPasskey;
  "bank.payee_category": BankPayeeCategory;
  "bank.payee_day": BankPayeeDay;
  "bank.payee_month": BankPayeeMonth;
  "bank.payment_import": BankPaymentImport;
  "bank.payout": BankPayout;
  "bank.phone_code": BankPhoneCode;
  "bank.points_earning": BankPointsEarning;
  "bank.points_refund": BankPointsRefund;
  "bank.points_sweep": BankPointsSweep;
  "bank.premium": BankPremium;
  "bank.price": BankPrice;
  "bank.price_notice": BankPriceNotice;
  "bank.private_note": BankPrivateNote;
  "bank.push_subscription": BankPushSubscription;
  "bank.rail_event": BankRailEvent;
  "bank.rate_limit": BankRateLimit;
  "bank.receipt_photo": BankReceiptPhoto;
  "bank.recovery_code": BankRecoveryCode;
  "bank.redemption": BankRedemption;
  "bank.referral": BankReferral;
  "bank.request": BankRequest;
  "bank.request_block": BankRequestBlock;
  "bank.request_report": BankRequestReport;
  "bank.risk_acceptance": BankRiskAcceptance;
  "bank.security_event": BankSecurityEvent;
  "bank.session": BankSession;
  "bank.standing_order": BankStandingOrder;
  "bank.statement_told": BankStatementTold;
  "bank.suitability": BankSuitability;
  "bank.text_message": BankTextMessage;
  "bank.two_factor": BankTwoFactor;
  "bank.verified_backup": BankVerifiedBackup;
  "bank.visitor": BankVisitor;
}
