import { HOUR_MS } from '#server/platform/durations.ts'
import type { Priced } from '#contract/markets.ts'
import type { Config } from '#server/bank/config.ts'

/** The differences between the two modes of the bank. Services read these values and never read the mode itself. */
export type Policy = {
  /** The mode, for display on a screen. No behavior depends on it. */
  mode: Config['mode']
  /** Whether the bank creates a sample customer for each visitor without a session. */
  visitorsGetSampleCustomer: boolean
  /** Whether the app shows the emails that the bank sends. Sample customers have no inbox of their own. */
  mailboxPage: boolean
  /** Whether the app has a panel that simulates the world around the bank, such as the date, a shop and an employer. */
  controlPanel: boolean
  /** Whether a sign-in with an unknown email address creates a customer with that address and password. */
  unknownEmailOpensCustomer: boolean
  /** Whether the accounts of a new customer start with eight months of sample history. Otherwise they start empty. */
  newCustomersBringAStory: boolean
  /** Whether an email address or phone number counts as confirmed without proof, if no other customer has it. */
  contactsConfirmThemselves: boolean
  /**
   * Whether biometric sign-in works on a device without a passkey. It then signs in the last customer of the device, or a
   * visitor.
   */
  biometricWithoutPasskey: boolean
  /** The requirements for a password. */
  password: { minLength: number; commonRefused: boolean }
  /** The time after which an unused session ends, in milliseconds; null if it never ends. */
  idleMs: number | null
  /** Whether risky actions require a fresh proof from every customer, or only from customers with two-factor authentication. */
  stepUp: 'always' | 'with_two_factor'
  /**
   * The maximum number of text messages in 24 hours to all customers together. It limits the bank's costs. Verified customers
   * have a limit of their own, so that unverified customers cannot use it up.
   */
  textsPerDay: { verified: number; unverified: number }
  /**
   * `specimens` is true if customers may upload specimens of identity documents. `approvedAtOnce` is true if documents are
   * approved immediately; otherwise a reviewer decides.
   */
  kyc: { specimens: boolean; approvedAtOnce: boolean }
  /**
   * The highest amounts that a customer may send and receive in 24 hours of business time before the identity is verified, in
   * US cents; null if there is no limit.
   */
  unverifiedLimits: { outMinor: number; inMinor: number } | null
  /**
   * The limits of every customer in US cents. `operationMinor` limits one operation, and `dayMinor` limits one business day.
   * `balanceMinor` is the highest balance to which customers may add money (docs/decisions/0070).
   */
  limits: Record<'in' | 'out', { operationMinor: number; dayMinor: number }> & { balanceMinor: number }
  /**
   * An amount in US cents. The app shows every larger payment for review before the payment is sent, even to a known recipient
   * (docs/decisions/0372).
   */
  reviewAboveMinor: number
  /** The annual interest rate of savings goals, in hundredths of a percent. */
  savingsRateBps: number
  /** The fee of a fund order: a rate in hundredths of a percent, and the lowest fee in US cents. */
  investing: { feeBps: number; feeLeastMinor: number }
  /**
   * The highest limits of a card in US cents, for one payment and for a month. They also apply if the holder has set no limit.
   * `virtualMost` is the maximum number of virtual cards of one customer.
   */
  cards: { paymentMinor: number; monthMinor: number; virtualMost: number }
  /**
   * The costs of coin trades. `spreadBps` is the difference between the market price and the bank's price, for purchases and
   * for sales. `feeBps` is the fee on the amount paid or received. Both are in hundredths of a percent. The fee is at least
   * `feeLeastMinor` US cents.
   */
  crypto: { spreadBps: number; feeBps: number; feeLeastMinor: number }
  /** The limits of the actions that earn points, and the terms of rewards (docs/rewards.md). */
  rewards: {
    /**
     * The maximum number of a customer's payments that earn points on one business day. `sendsPerDay` limits the payments to
     * other customers.
     */
    paymentsPerDay: number
    sendsPerDay: number
    /** The maximum number of referrals and of direct debits that earn points in a calendar month. */
    referralsPerMonth: number
    directDebitsPerMonth: number
    /** The monthly price of Premium, in US cents. */
    premiumMinor: number
    /**
     * The source of the codes for partners' rewards. `sample`: the sample bank generates them. Null if the bank has no
     * partners.
     */
    partnerCodes: 'sample' | null
  }
  /**
   * The provider of carbon offsets. `sample`: the sample bank simulates it and pays no provider. Null if there is no provider.
   */
  carbonOffsets: 'sample' | null
  /** Whether incoming money is simulated, or comes only through the configured providers. */
  rails: 'simulated' | 'configured'
  /** The source of prices: the sample bank's simulation, or only the configured feed. */
  prices: 'simulated' | 'configured'
  /**
   * The limits of funds and coins. `holdingMinor` is the highest amount of each asset that one customer may hold.
   * `exposureMinor` is the highest amount of each asset that the bank may owe all customers together. Both are in minor units
   * of the asset. `cashMinor` is in US cents: the bank's payments for funds and coins may exceed its receipts by this amount
   * (docs/decisions/0100).
   */
  markets: { holdingMinor: Record<Priced, number>; exposureMinor: Record<Priced, number>; cashMinor: number }
  cardScheme: CardSchemePolicy
  /**
   * The limits on the bank's losses from card payments, in US cents. A customer who owes `customerMinor` cannot pay by card
   * until the debt is paid. A shop that has cost the bank `shopMinor` within `shopDays` days receives no more card payments.
   */
  losses: { customerMinor: number; shopMinor: number; shopDays: number }
  /**
   * The terms of disputes. `days` is the number of days in which a card payment may be disputed. `creditedMostMinor` is the
   * highest provisional credit during the investigation, in US cents. It limits the loss from fraudulent disputes.
   */
  disputes: { days: number; creditedMostMinor: number }
  /**
   * The limits on sample customers; null in a bank without sample customers. `perAddressAndHour` limits the new ones from one
   * address in an hour and does not apply to this computer's own address. `inAll` limits the number in one bank.
   */
  visitors: { perAddressAndHour: number; inAll: number } | null
  /**
   * The maximum number of requests that store something, in real time (docs/decisions/0270). `customer` and `reviewer` limit
   * one person in a minute, an hour and a day. `addressDay` limits one address in a day and does not apply to this computer's
   * own address. `allDay` limits all addresses together in a day. Null means no limit.
   */
  operations: {
    customer: OperationLimits
    reviewer: OperationLimits
    addressDay: number | null
    allDay: number | null
  }
  /**
   * The limits on customers' pictures, by their stored size. `receiptsBytes` limits all receipts of one customer, in bytes.
   * `addressDay` limits the uploads from one address in a day, in kilobytes, and does not apply to this computer's own address.
   * `allDay` limits the uploads from all addresses together in a day, in kilobytes. Null means no limit.
   */
  pictures: { receiptsBytes: number; addressDay: number | null; allDay: number | null }
  /**
   * The minimum size of a ledger period's transfers in bytes, without indexes: about 50 million transfers. A period ends with
   * the first calendar month in which it reaches this size (docs/decisions/0471).
   */
  periodBytes: number
  /**
   * The minimum size of a period's notices in bytes: about 30 million notices. A period ends only after it has reached this
   * size (docs/decisions/0472).
   */
  noticePeriodBytes: number
  /**
   * The maximum number of sign-ups in an hour from all addresses together. Null if `visitors` limits the new customers instead.
   */
  newCustomersPerHour: number | null
  /**
   * The language for a person who has not chosen one: English, or the first of the browser's languages that the bank supports.
   */
  firstLanguage: 'english' | 'browser'
  /**
   * The control of the business date; null if the business date is always the real date. `by` is the people who may move the
   * date forward. `perHour` is the maximum number of moves in an hour by all people together. `until` is the latest date.
   */
  dateControl: { by: Config['sampleDate']; perHour: number; until: Date } | null
  /** The business time at the first start of a database, such as '2026-08-28T09:41'. Null means real time. */
  businessBegins: string | null
}

type OperationLimits = { minute: number; hour: number; day: number }

declare module '#server/platform/deps.ts' {
  interface Core {
    policy: Policy
  }
}

/** The rules for the bank's decisions on card payments. */
type CardSchemePolicy = {
  /** The bank's country (ISO 3166-1 alpha-2). A payment in any other country counts as abroad. */
  country: string
  /** The merchant category codes (ISO 18245) that every card declines. */
  blockedMccs: readonly string[]
  /**
   * The lock against guessing a card's data. After `most` wrong CVVs or expiry dates within `withinMs`, the card cannot pay
   * online for `lockMs`. Both times are in milliseconds of real time.
   */
  guesses: { most: number; withinMs: number; lockMs: number }
  /** The number of days of business time for which an authorized amount is held. */
  heldDays: number
}

const CARD_SCHEME: CardSchemePolicy = {
  country: 'US',
  // The first five codes are gambling: online, horse and dog races, casinos and lotteries. The last one is money orders and
  // other substitutes for cash.
  blockedMccs: ['7800', '7801', '7802', '7995', '9406', '6051'],
  guesses: { most: 5, withinMs: 24 * HOUR_MS, lockMs: HOUR_MS },
  heldDays: 7,
}

/** The sample day: the morning of the last Friday in the sample history. */
const SAMPLE_BEGINS = '2026-08-28T09:41'
/** The latest date to which a sample bank can be moved: ten years after the sample day. */
const SAMPLE_DATE_ENDS = '2036-08-28T09:41:00Z'

/**
 * The limits in a sample bank. They are generous, but low enough that all visitors together cannot exhaust the totals that they
 * share.
 */
const SAMPLE_LIMITS: Policy['limits'] = {
  in: { operationMinor: 1_000_000_00, dayMinor: 5_000_000_00 },
  out: { operationMinor: 1_000_000_00, dayMinor: 5_000_000_00 },
  balanceMinor: 10_000_000_00,
}

const LIVE_LIMITS: Policy['limits'] = {
  in: { operationMinor: 25_000_00, dayMinor: 50_000_00 },
  out: { operationMinor: 50_000_00, dayMinor: 100_000_00 },
  balanceMinor: 1_000_000_00,
}

const REWARDS = {
  paymentsPerDay: 10,
  sendsPerDay: 3,
  referralsPerMonth: 10,
  directDebitsPerMonth: 3,
  premiumMinor: 9_99,
}
const SAVINGS_RATE_BPS = 4_00

/** The number of minor units in one whole coin, and in one whole unit of a fund. */
const COIN = 1e8
const UNIT = 1e6

const SAMPLE_VISITORS = 20_000

/**
 * The limits for one customer. A payment with its proof takes three requests. The limits therefore allow 40 payments in a
 * minute and 200 in an hour, which is more than a person makes by hand.
 */
const CUSTOMER_OPERATIONS: OperationLimits = { minute: 120, hour: 600, day: 2_000 }
const NEVER_REACHED = Number.MAX_SAFE_INTEGER
/** The limits for tests and measurements, which send more requests than people do. */
export const UNLIMITED_OPERATIONS: Policy['operations'] = {
  customer: { minute: NEVER_REACHED, hour: NEVER_REACHED, day: NEVER_REACHED },
  reviewer: { minute: NEVER_REACHED, hour: NEVER_REACHED, day: NEVER_REACHED },
  addressDay: null,
  allDay: null,
}
/**
 * The limits for one reviewer. A reviewer who works through the cases opens a picture every few seconds, and the bank stores a
 * record of each view.
 */
const REVIEWER_OPERATIONS: OperationLimits = { minute: 600, hour: 6_000, day: 30_000 }

const SAMPLE_HOLDINGS: Record<Priced, number> = {
  BTC: 10 * COIN,
  ETH: 250 * COIN,
  LTC: 4_000 * COIN,
  FUND_CONSERVATIVE: 50_000 * UNIT,
  FUND_BALANCED: 50_000 * UNIT,
  FUND_AGGRESSIVE: 50_000 * UNIT,
}
/**
 * The limits in a sample bank. The bank may owe as much as the maximum number of visitors may hold together, so that no visitor
 * uses up another visitor's share.
 */
const SAMPLE_MARKETS: Policy['markets'] = {
  holdingMinor: SAMPLE_HOLDINGS,
  exposureMinor: Object.fromEntries(
    Object.entries(SAMPLE_HOLDINGS).map(([asset, mostMinor]) => [asset, mostMinor * SAMPLE_VISITORS]),
  ) as Record<Priced, number>,
  // This is more than the value of all holdings at any price in twenty years, so that customers can sell on every date.
  cashMinor: 100_000_000_00 * SAMPLE_VISITORS,
}
const LIVE_MARKETS: Policy['markets'] = {
  holdingMinor: {
    BTC: 2 * COIN,
    ETH: 40 * COIN,
    LTC: 1_000 * COIN,
    FUND_CONSERVATIVE: 20_000 * UNIT,
    FUND_BALANCED: 20_000 * UNIT,
    FUND_AGGRESSIVE: 20_000 * UNIT,
  },
  exposureMinor: {
    BTC: 100 * COIN,
    ETH: 2_000 * COIN,
    LTC: 50_000 * COIN,
    FUND_CONSERVATIVE: 1_000_000 * UNIT,
    FUND_BALANCED: 1_000_000 * UNIT,
    FUND_AGGRESSIVE: 1_000_000 * UNIT,
  },
  cashMinor: 5_000_000_00,
}

/** Returns the policy of a mode. The services use this policy and do not check the mode. */
export function policyFor({ mode, sampleDate = 'everybody' }: Pick<Config, 'mode'> & Partial<Config>): Policy {
  const sample = mode === 'sample'
  return {
    mode,
    visitorsGetSampleCustomer: sample,
    mailboxPage: sample,
    controlPanel: sample,
    unknownEmailOpensCustomer: sample,
    newCustomersBringAStory: sample,
    contactsConfirmThemselves: sample,
    biometricWithoutPasskey: sample,
    password: sample ? { minLength: 1, commonRefused: false } : { minLength: 12, commonRefused: true },
    idleMs: sample ? null : 5 * 60_000,
    stepUp: sample ? 'with_two_factor' : 'always',
    textsPerDay: { verified: 2_000, unverified: 500 },
    kyc: { specimens: sample, approvedAtOnce: sample },
    unverifiedLimits: sample ? null : { outMinor: 500_00, inMinor: 1_000_00 },
    limits: sample ? SAMPLE_LIMITS : LIVE_LIMITS,
    reviewAboveMinor: 1_000_00,
    savingsRateBps: SAVINGS_RATE_BPS,
    investing: { feeBps: 25, feeLeastMinor: 1 },
    cards: { paymentMinor: 5_000_00, monthMinor: 20_000_00, virtualMost: 20 },
    crypto: { spreadBps: 50, feeBps: 1_00, feeLeastMinor: 1 },
    rewards: { ...REWARDS, partnerCodes: sample ? 'sample' : null },
    carbonOffsets: sample ? 'sample' : null,
    rails: sample ? 'simulated' : 'configured',
    prices: sample ? 'simulated' : 'configured',
    markets: sample ? SAMPLE_MARKETS : LIVE_MARKETS,
    cardScheme: CARD_SCHEME,
    // All visitors share the invented shops, and no real money is lost. One visitor must not be able to block a shop for all
    // others.
    losses: { customerMinor: 50_00, shopMinor: sample ? 10_000_000_00 : 1_000_00, shopDays: 30 },
    disputes: { days: 120, creditedMostMinor: sample ? 10_000_00 : 1_000_00 },
    // A sample customer takes about 200 kB of storage, so 20,000 of them take 4 GB.
    visitors: sample ? { perAddressAndHour: 30, inAll: SAMPLE_VISITORS } : null,
    operations: {
      customer: CUSTOMER_OPERATIONS,
      reviewer: REVIEWER_OPERATIONS,
      // A payment takes 1.4 kB of storage. The limits are therefore at most 28 MB a day for one address and 2.8 GB for all
      // addresses. All people at a school, who share one address, make a few thousand requests a day.
      addressDay: sample ? 20_000 : null,
      allDay: sample ? 2_000_000 : null,
    },
    // A picture of a receipt takes one or two megabytes, and at most 24.
    pictures: { receiptsBytes: 300_000_000, addressDay: sample ? 60_000 : null, allDay: sample ? 2_000_000 : null },
    periodBytes: 12_884_901_888,
    noticePeriodBytes: 8_589_934_592,
    // This is far more than the number of people who sign up in any hour. The bank sends an email to each of them.
    newCustomersPerHour: sample ? null : 3_000,
    firstLanguage: sample ? 'english' : 'browser',
    dateControl: sample ? { by: sampleDate, perHour: 60, until: new Date(SAMPLE_DATE_ENDS) } : null,
    businessBegins: sample ? SAMPLE_BEGINS : null,
  }
}
